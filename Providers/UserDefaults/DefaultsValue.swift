import Foundation
import TacklineCore
import TacklineFormats

// Foundation, the whole of it: user defaults are a part of it that the smaller module lacks.

/// How a value is kept in user defaults: as the object that a property list of it holds.
enum DefaultsValue {
    /// The form in which the platform stores user defaults, which decides what it can hold.
    ///
    /// On Linux that is XML, which has no fractions of a second.
    private static var format: FlagPropertyListWriter.Format {
        #if canImport(ObjectiveC)
            .binary
        #else
            .xml
        #endif
    }

    /// - Throws: Why user defaults cannot hold it.
    static func object(for value: EncodedFlagValue) throws(FlagValueError) -> Any {
        if case .string(let text) = value, !needsMarker(text) { return text }
        #if !canImport(ObjectiveC)
            // Foundation writes 0.0 into the file, and so would it be read later.
            if hasNegativeZero(value) {
                throw FlagValueError(expected: "a number that user defaults can hold on this system, 0.0", found: value)
            }
        #endif
        let data = try FlagPropertyListWriter(format: format).data(of: ["value": value])
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        guard let object = (list as? [String: Any])?["value"] else {
            throw FlagValueError(expected: "a value that user defaults can hold", found: value)
        }
        return object
    }

    /// - Returns: `nil` if it is nothing that a flag can be.
    static func value(of object: Any) -> EncodedFlagValue? {
        if let text = object as? String, !needsMarker(text) { return .string(text) }
        // The usual case where Foundation has Swift's own types; a number that Objective-C made is never this type.
        if type(of: object) == Bool.self, let flag = object as? Bool { return .bool(flag) }
        guard
            let data = try? PropertyListSerialization.data(
                fromPropertyList: ["value": object], format: .binary, options: 0),
            case .object(let members) = try? FlagPropertyListReader().read(data)
        else { return nil }
        return members["value"]
    }

    #if !canImport(ObjectiveC)
        private static func hasNegativeZero(_ value: EncodedFlagValue) -> Bool {
            var rest = [value]
            while let next = rest.popLast() {
                switch next {
                case .double(let number) where number == 0 && number.sign == .minus: return true
                case .array(let elements): rest += elements
                case .object(let members): rest += members.values
                default: break
                }
            }
            return false
        }
    #endif

    /// Whether a text may stand for something else, or contains what XML cannot hold or Foundation's drops.
    private static func needsMarker(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "$") || text.unicodeScalars.first?.value == 0xFEFF
            || text.unicodeScalars.contains { $0.value < 32 || $0.value > 0xFFFD }
    }
}
