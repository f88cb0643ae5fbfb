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
            let mistake = "is out of range, or of a type that a flag cannot have; correct it"
            throw FlagPropertyListError(
                description: "the value at \"\(context.codingPath.names.joined(separator: "/"))\" \(mistake)")
        } catch {
            throw .corrupt
        }
    }

    /// Writes a property list. In XML, each member is on a line of its own, and keys are sorted.
    ///
    /// - Throws: `FlagValueError` with the path of a part that a property list can't hold.
    package static func encode(_ value: EncodedFlagValue, as format: Format) throws(FlagValueError) -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        do {
            return [UInt8](try encoder.encode(CodedValue(value: value, format: format)))
        } catch {
            var cause = error
            if case EncodingError.invalidValue(_, let context) = error { cause = context.underlyingError ?? error }
            throw cause as? FlagValueError ?? CodedValue(value: value, format: format).refusal([], "\(cause)")
        }
    }
}

/// An error in a property list.
package struct FlagPropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake, with its line if it is known.
    package let description: String

    static let corrupt = FlagPropertyListError(description: "the property list is corrupt; restore or remove it")
}

/// A value in the natural form of a property list.
private struct CodedValue {
    let value: EncodedFlagValue
    /// The format to write.
    let format: FlagPropertyList.Format
}

extension CodedValue: Decodable {
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
}

extension CodedValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        if let detail { throw refusal(encoder.codingPath.names, detail) }
        let limit = EncodedFlagValue.maximumDepth
        var container = encoder.singleValueContainer()
        switch value {
        case .array where encoder.codingPath.count >= limit, .object where encoder.codingPath.count >= limit:
            let detail = "arrays and objects are nested more than \(limit) levels deep; flatten the value"
            throw refusal(encoder.codingPath.names, detail)
        case .data(let data): try container.encode(data)
        case .date(let date) where isExact(date): try container.encode(date)
        case .array(let elements): try container.encode(elements.map { Self(value: $0, format: format) })
        case .object(let members): try container.encode(members.mapValues { Self(value: $0, format: format) })
        default: try container.encode(value)
        }
    }

    func refusal(_ path: [String], _ detail: String) -> FlagValueError {
        FlagValueError(expected: "a value that a property list can hold", found: value, path: path, detail: detail)
    }

    /// The reason why the value can't be in a property list, and the next step.
    private var detail: String? {
        // Foundation would read such a text or key as the beginning of nil.
        func isReserved(_ text: String) -> Bool { text.utf8.starts(with: "$null".utf8) }
        let reserved = "\"$null\" stands for nil there; use another text"
        return switch value {
        case .null: "it has no null; reset the flag instead, or keep its values in a JSON file"
        case .integer(let number) where Int64(exactly: number) == nil && UInt64(exactly: number) == nil:
            "its integers have 64 bits; use a smaller one, or a string"
        case .date(let date) where !Self.years.contains(date.timeIntervalSinceReferenceDate):
            "the date is outside the years 1 to 9999"
        case .string(let text) where isReserved(text), .unparsed(let text) where isReserved(text): reserved
        case .object(let members) where members.keys.contains(where: isReserved): reserved
        default: nil
        }
    }

    /// The years 1 to 9999, in seconds.
    private static let years = -63_113_904_000.0..<252_423_993_600.0

    /// Whether Foundation writes a date exactly. In XML it writes no fraction of a second, and before 15 October 1582 its
    /// coders have another calendar.
    private func isExact(_ date: Date) -> Bool {
        let seconds = date.timeIntervalSinceReferenceDate
        return format == .binary || seconds == seconds.rounded() && seconds >= -13_197_600_000
    }
}

extension [any CodingKey] {
    /// The keys and indices.
    fileprivate var names: [String] { map { key in key.intValue.map { String($0) } ?? key.stringValue } }
}
