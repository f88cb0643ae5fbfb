import Foundation
import TacklineCore
import TacklineFiles

// All of Foundation, because FoundationEssentials lacks user defaults.

/// The conversion between values and the property list objects that user defaults store.
enum DefaultsValue {
    /// The property list format of the platform's user defaults, which determines the values that they can hold.
    ///
    /// On Linux it is XML, which has no fractions of a second.
    private static var format: FlagPropertyList.Format {
        #if canImport(ObjectiveC)
            .binary
        #else
            .xml
        #endif
    }

    /// - Throws: ``/TacklineCore/FlagValueError`` if user defaults can't hold the value.
    static func object(for value: EncodedFlagValue) throws(FlagValueError) -> Any {
        let bytes = try FlagPropertyList.encode(["value": value], as: format)
        #if !canImport(ObjectiveC)
            if isDamaged(value) {
                let detail = "on this system they lack control characters, and a byte order mark at the start of a text"
                throw FlagValueError(expected: "a value that user defaults can hold", found: value, detail: detail)
            }
        #endif
        let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        guard let object = (list as? [String: Any])?["value"] else {
            throw FlagValueError(expected: "a value that user defaults can hold", found: value)
        }
        return object
    }

    /// - Returns: The value, or `nil` if a flag can't have such a value.
    static func value(of object: Any) -> EncodedFlagValue? {
        if let text = object as? String { return .string(text) }
        // The usual case where Foundation uses Swift's own types. A number from Objective-C never has this type.
        if type(of: object) == Bool.self, let flag = object as? Bool { return .bool(flag) }
        guard
            let data = try? PropertyListSerialization.data(
                fromPropertyList: ["value": object], format: .binary, options: 0),
            case .object(let members) = try? FlagPropertyList.decode([UInt8](data))
        else { return nil }
        return members["value"]
    }

    #if !canImport(ObjectiveC)
        /// Returns whether Foundation would lose a part of a text or key in the file.
        private static func isDamaged(_ value: EncodedFlagValue) -> Bool {
            switch value {
            case .string(let text), .unparsed(let text):
                text.unicodeScalars.first == "\u{FEFF}"
                    || text.unicodeScalars.contains { scalar in
                        switch scalar {
                        case "\t", "\n", "\r": false
                        case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": true
                        default: false
                        }
                    }
            case .array(let elements): elements.contains(where: isDamaged)
            case .object(let members): members.contains { isDamaged(.string($0.key)) || isDamaged($0.value) }
            default: false
            }
        }
    #endif
}
