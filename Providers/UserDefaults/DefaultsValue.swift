import Foundation
import TacklineCore
import TacklineFiles

// All of Foundation, because FoundationEssentials lacks user defaults.

/// The conversion between values and the property list objects that user defaults store.
enum DefaultsValue {
    /// - Throws: ``/TacklineCore/FlagValueError`` if user defaults can't hold the value.
    static func object(for value: EncodedFlagValue) throws(FlagValueError) -> Any {
        #if canImport(ObjectiveC)
            let bytes = try FlagPropertyList.encode(["value": value], as: .binary)
        #else
            // The file is XML there, which has no fractions of a second.
            let bytes = try FlagPropertyList.encode(["value": value], as: .xml)
            // Foundation would lose these characters in the file.
            let isLossy =
                bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
                || [">\u{FEFF}", "\u{FFFE}", "\u{FFFF}"].contains { bytes.firstRange(of: $0.utf8) != nil }
            if isLossy {
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
        switch object {
        case let text as String: return .string(text)
        case let data as Data: return .data(data)
        case let date as Date: return .date(date)
        case let elements as [Any]:
            let values = elements.compactMap(value)
            return values.count == elements.count ? .array(values) : nil
        case let members as [String: Any]:
            let values = members.compactMapValues(value)
            return values.count == members.count ? .object(values) : nil
        case let number as NSNumber: return value(ofNumber: number)
        default: return nil
        }
    }

    private static func value(ofNumber number: NSNumber) -> EncodedFlagValue {
        // "c" is a Boolean: no property list has an integer of 8 bits.
        switch String(cString: number.objCType) {
        case "c", "B": .bool(number.boolValue)
        case "f", "d": .double(number.doubleValue)
        case "Q": .integer(Int128(number.uint64Value))
        default: .integer(Int128(number.int64Value))
        }
    }
}
