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

    static func tooDeep(_ limit: Int) -> Self { Self(description: EncodedFlagValue.tooDeep(limit: limit)) }
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

/// The check of a property list before Foundation's decoder reads it.
///
/// That decoder never ends on a binary list that contains itself, and overflows the stack on a deep list. In XML, it reads
/// 30 February as 2 March, 1e400 as infinity, and data that is not base64 as other data.
private enum FlagPropertyListCheck {
    /// Checks a list, and returns the bytes to decode.
    static func checked(_ bytes: [UInt8], maximumDepth: Int) throws(FlagPropertyListError) -> ArraySlice<UInt8> {
        if FlagPropertyList.format(of: bytes) == .binary {
            var objects = BinaryObjects(bytes: bytes, maximumDepth: maximumDepth, objectsLeft: bytes.count)
            try objects.check()
            return bytes[...]
        }
        // What precedes the element is left out, so that there is no encoding but UTF-8 and no entity.
        guard let start = bytes[...].range(of: "<plist")?.lowerBound else {
            throw FlagPropertyListError(
                description: "there is no <plist>; this is not a property list, so name another file")
        }
        try checkXML(bytes[start...], maximumDepth: maximumDepth)
        return bytes[start...]
    }

    /// Checks the depth and the texts. Foundation's decoder checks that tags match, before it goes on.
    private static func checkXML(
        _ bytes: ArraySlice<UInt8>, maximumDepth: Int
    ) throws(FlagPropertyListError) {
        var (rest, depth) = (bytes, 0)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let text = rest[..<start]
            rest = rest[start...]
            let isComment = rest.starts(with: "<!--".utf8)
            let ending = isComment ? "-->" : rest.starts(with: "<![CDATA[".utf8) ? "]]>" : ">"
            guard let end = rest.dropFirst(isComment ? 4 : 1).range(of: ending) else {
                throw FlagPropertyListError(description: "the list ends too early; complete it")
            }
            let tag = rest[start + 1..<end.lowerBound]
            rest = rest[end.upperBound...]
            if ending != ">" { continue }
            if tag.first == UInt8(ascii: "/") {
                depth -= 1
                try checkText(String(decoding: text, as: UTF8.self), of: String(decoding: tag.prefix(5), as: UTF8.self))
            } else if tag.last != UInt8(ascii: "/") {
                depth += 1
                // Outside is the element `plist`, and inside there may be a string.
                guard depth <= maximumDepth + 2 else { throw .tooDeep(maximumDepth) }
            }
        }
    }

    private static func checkText(_ text: String, of tag: String) throws(FlagPropertyListError) {
        let isValid =
            switch tag {
            case "/date": (try? Date(encoded: .string(text))) != nil
            case "/data": Data(base64Encoded: text.filter { !$0.isWhitespace }) != nil
            // The names of NaN and the infinities have no digits.
            case "/real": Double(text)?.isFinite == true || !text.contains { ("0"..."9").contains($0) }
            default: true
            }
        guard isValid else {
            throw FlagPropertyListError(
                description: "\"\(text)\" is not the text of a <\(tag.dropFirst())>, or out of range; correct it")
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns where a text occurs first, or `nil`. The method of the standard library isn't compiled for bytes.
    fileprivate func range(of text: String) -> Range<Int>? {
        let text = Array(text.utf8)
        var index = startIndex
        while let next = self[index...].firstIndex(of: text[0]) {
            if self[next...].starts(with: text) { return next..<next + text.count }
            index = next + 1
        }
        return nil
    }
}

/// The objects of a binary list, whose format is described in `CFBinaryPList.c` of Core Foundation.
///
/// Foundation's decoder reads past the end of UTF-16 texts and traps at large counts, so the contents of all objects must
/// be where objects are. It checks the rest.
private struct BinaryObjects {
    let bytes: [UInt8]
    let maximumDepth: Int
    /// A list may refer to an object repeatedly. Without a limit, a hundred bytes could become 2³⁰ values.
    var objectsLeft: Int
    /// The limit of all texts and data, which are copied for each reference.
    var bytesLeft = 64 << 20
    var offsetSize = 0, referenceSize = 0, objectCount = 0, offsetTable = 0

    mutating func check() throws(FlagPropertyListError) {
        let trailer = bytes.count - 32
        // Foundation takes a shorter list for one in a format of OpenStep.
        guard trailer > 8 else { throw .corrupt }
        offsetSize = try integer(at: trailer + 6, size: 1)
        referenceSize = try integer(at: trailer + 7, size: 1)
        objectCount = try integer(at: trailer + 8, size: 8)
        offsetTable = try integer(at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), offsetTable < trailer,
            objectCount <= (trailer - offsetTable) / offsetSize
        else { throw .corrupt }
        try check(try integer(at: trailer + 16, size: 8), level: 1)
    }

    private mutating func check(_ object: Int, level: Int) throws(FlagPropertyListError) {
        guard object < objectCount else { throw .corrupt }
        var start = try integer(at: offsetTable + object * offsetSize, size: offsetSize)
        let marker = try integer(at: start, size: 1)
        let kind = marker >> 4
        var count = marker & 0xF
        start += 1
        // Data, texts and containers with more than 14 parts have the count in an integer of its own.
        if kind > 3, count == 0xF {
            let size = 1 << (try integer(at: start, size: 1) & 0xF)
            count = try integer(at: start + 1, size: size)
            start += 1 + size
        }
        // Numbers and dates have no parts. Arrays and sets (0xA, 0xC) have a reference for each element, and dictionaries
        // (0xD) a key and a value.
        let unit = kind <= 3 ? 0 : kind == 0xD ? 2 * referenceSize : kind >= 0xA ? referenceSize : kind == 6 ? 2 : 1
        guard start <= offsetTable, unit == 0 || count <= (offsetTable - start) / unit else { throw .corrupt }
        objectsLeft -= 1
        bytesLeft -= count * unit
        guard objectsLeft >= 0, bytesLeft >= 0 else { throw .corrupt }
        guard kind >= 0xA else { return }
        // This also ends the way through a container that contains itself.
        guard level <= maximumDepth else { throw .tooDeep(maximumDepth) }
        for offset in stride(from: start, to: start + count * unit, by: referenceSize) {
            try check(try integer(at: offset, size: referenceSize), level: level + 1)
        }
    }

    /// Returns an unsigned integer of at most 8 bytes.
    private func integer(at offset: Int, size: Int) throws(FlagPropertyListError) -> Int {
        guard offset >= 0, offset < bytes.count, size <= bytes.count - offset else { throw .corrupt }
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let integer = Int(exactly: value) else { throw .corrupt }
        return integer
    }
}
