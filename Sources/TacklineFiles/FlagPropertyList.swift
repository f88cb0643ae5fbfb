// `Data` and the property list coders are types of Foundation.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
package import TacklineCore

/// The conversion between values and property lists, by Foundation's coders.
///
/// A value that is written is read back equal, with these exceptions: 1.0 is read as 1, an unparsed text as a string, and in
/// XML a date with a fraction of a second, or before 1582, as a string in RFC 3339 format. The flag types `Double` and `Date`
/// accept these. The text `$null`, which Foundation writes for nil, is read as null.
package enum FlagPropertyList {
    package enum Format: Sendable, Hashable {
        case xml, binary
    }

    /// Returns the format that the first bytes of a list declare.
    package static func format(of bytes: [UInt8]) -> Format { bytes.starts(with: "bplist0".utf8) ? .binary : .xml }

    /// Reads a property list, which is checked first.
    package static func decode(
        _ bytes: [UInt8], maximumDepth: Int = EncodedFlagValue.maximumDepth
    ) throws(FlagPropertyListError) -> EncodedFlagValue {
        let list = try FlagPropertyListCheck.checked(bytes, maximumDepth: maximumDepth)
        do {
            return try PropertyListDecoder().decode(CodedValue.self, from: Data(list)).value
        } catch DecodingError.dataCorrupted(let context) {
            let reason = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            // The lines that Foundation counts are often others.
            let mistake = (reason ?? context.debugDescription).replacing(/\ (on|at) line \d+/, with: "")
            throw FlagPropertyListError(description: mistake)
        } catch DecodingError.typeMismatch(_, let context) {
            let path = context.codingPath.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
            let mistake = "is out of range, or of a type that a flag cannot have; correct it"
            throw FlagPropertyListError(description: "the value at \"\(path.joined(separator: "/"))\" \(mistake)")
        } catch {
            throw .corrupt
        }
    }

    /// Writes a property list. In XML, each member is on a line of its own, and keys are sorted.
    ///
    /// - Throws: `FlagValueError` with the path of a part that a property list can't hold.
    package static func encode(_ value: EncodedFlagValue, as format: Format) throws(FlagValueError) -> [UInt8] {
        try check(value, at: [])
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        do { return [UInt8](try encoder.encode(CodedValue(value: value, format: format))) } catch {
            throw refusal(value, at: [], "\(error)")
        }
    }

    private static func check(_ value: EncodedFlagValue, at path: [String]) throws(FlagValueError) {
        // Foundation would read such a text or key as the beginning of nil.
        func isReserved(_ text: String) -> Bool { text.utf8.starts(with: "$null".utf8) }
        let reserved = "\"$null\" stands for nil there; use another text"
        let limit = EncodedFlagValue.maximumDepth
        switch value {
        case .null:
            throw refusal(value, at: path, "it has no null; reset the flag instead, or keep its values in a JSON file")
        case .integer(let number) where Int64(exactly: number) == nil && UInt64(exactly: number) == nil:
            throw refusal(value, at: path, "its integers have 64 bits; use a smaller one, or a string")
        // The years 1 to 9999.
        case .date(let date) where !(-63_113_904_000..<252_423_993_600).contains(date.timeIntervalSinceReferenceDate):
            throw refusal(value, at: path, "the date is outside the years 1 to 9999")
        case .string(let text) where isReserved(text), .unparsed(let text) where isReserved(text):
            throw refusal(value, at: path, reserved)
        case .array where path.count >= limit, .object where path.count >= limit:
            throw refusal(value, at: path, EncodedFlagValue.tooDeep(limit: limit))
        case .array(let elements):
            for (index, element) in elements.enumerated() { try check(element, at: path + ["\(index)"]) }
        case .object(let members):
            if members.keys.contains(where: isReserved) { throw refusal(value, at: path, reserved) }
            for (key, member) in members { try check(member, at: path + [key]) }
        default: break
        }
    }

    private static func refusal(_ value: EncodedFlagValue, at path: [String], _ detail: String) -> FlagValueError {
        FlagValueError(expected: "a value that a property list can hold", found: value, path: path, detail: detail)
    }
}

/// An error in a property list.
package struct FlagPropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake, with its line if it is known.
    package let description: String

    static let corrupt = FlagPropertyListError(description: "the property list is corrupt; restore or remove it")
}

/// A value in the natural form of a property list.
private struct CodedValue: Codable {
    let value: EncodedFlagValue
    /// The format to write.
    let format: FlagPropertyList.Format

    init(value: EncodedFlagValue, format: FlagPropertyList.Format) { (self.value, self.format) = (value, format) }

    init(from decoder: any Decoder) throws {
        format = .binary
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if (try? decoder.container(keyedBy: NoKey.self)) != nil {
            value = .object(try container.decode([String: Self].self).mapValues(\.value))
        } else if (try? decoder.unkeyedContainer()) != nil {
            value = .array(try container.decode([Self].self).map(\.value))
        } else if let date = try? container.decode(Date.self), date.timeIntervalSinceReferenceDate.isFinite {
            value = .date(date)
        } else if let data = try? container.decode(Data.self) {
            value = .data(data)
        } else {
            value = try container.decode(EncodedFlagValue.self)
        }
    }

    private enum NoKey: CodingKey {}

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .data(let data): try container.encode(data)
        case .date(let date) where isExact(date): try container.encode(date)
        case .array(let elements): try container.encode(elements.map { Self(value: $0, format: format) })
        case .object(let members): try container.encode(members.mapValues { Self(value: $0, format: format) })
        default: try container.encode(value)
        }
    }

    /// Whether Foundation writes a date exactly. In XML it writes no fraction of a second, and before 15 October 1582 its
    /// coders have another calendar.
    private func isExact(_ date: Date) -> Bool {
        let seconds = date.timeIntervalSinceReferenceDate
        return format == .binary || seconds == seconds.rounded() && seconds >= -13_197_600_000
    }
}
