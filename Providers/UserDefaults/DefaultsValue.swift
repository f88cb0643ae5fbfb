import Foundation
import TacklineCore
import TacklineFormats

// All of Foundation, because FoundationEssentials lacks user defaults.

/// The conversion between values and the property list objects that user defaults store.
enum DefaultsValue {
    /// The property list format of the platform's user defaults, which determines the values that they can hold.
    ///
    /// On Linux it is XML, which has no fractions of a second.
    private static var format: FlagPropertyListWriter.Format {
        #if canImport(ObjectiveC)
            .binary
        #else
            .xml
        #endif
    }

    /// - Throws: ``/TacklineCore/FlagValueError`` if user defaults can't hold the value.
    static func object(for value: EncodedFlagValue) throws(FlagValueError) -> Any {
        if case .string(let text) = value, !needsMarker(text) { return text }
        #if !canImport(ObjectiveC)
            // Foundation writes -0.0 as 0.0 into the file.
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

    /// - Returns: The value, or `nil` if a flag can't have such a value.
    static func value(of object: Any) -> EncodedFlagValue? {
        if let text = object as? String, !needsMarker(text) { return .string(text) }
        // The usual case where Foundation uses Swift's own types. A number from Objective-C never has this type.
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

    /// Returns whether a text could be mistaken for a marker, or contains characters that XML can't hold or that
    /// Foundation drops.
    private static func needsMarker(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "$") || text.unicodeScalars.first?.value == 0xFEFF
            || text.unicodeScalars.contains { $0.value < 32 || $0.value > 0xFFFD }
    }
}
