// `Data` and the property list coders are types of Foundation.
import TacklineFoundation
package import TacklineCore

/// The conversion between values and property lists, by Foundation's coders.
///
/// A value that is written is read back equal, with these exceptions: 1.0 is read as 1, an unparsed text as a string, and in
/// XML a date with a fraction of a second, or before 1582, as a string in RFC 3339 format. The flag types `Double` and `Date`
/// accept these. The text `$null`, which Foundation writes for nil, is read as null.
package enum FlagPropertyList {
    package enum Format: Sendable {
        case xml, binary
    }

    /// Returns the format that the first bytes of a list declare.
    package static func format(of bytes: [UInt8]) -> Format { bytes[...].starts(with: "bplist0") ? .binary : .xml }

    /// Reads a property list, which is checked first.
    package static func decode(
        _ bytes: [UInt8], maximumDepth: Int = EncodedFlagValue.maximumDepth
    ) throws(FlagPropertyListError) -> EncodedFlagValue {
        var list = bytes[...]
        if format(of: bytes) == .binary {
            var check = BinaryListCheck(bytes: bytes, maximumDepth: maximumDepth)
            try check.run()
        } else {
            // What precedes the element is left out, so that there is no encoding but UTF-8 and no entity.
            list = list.drop(before: "<plist")
            if list.isEmpty { throw .init("there is no <plist>; this is not a property list, so name another file") }
            try checkXML(list, maximumDepth: maximumDepth)
        }
        do { return try PropertyListDecoder().decode(CodedValue.self, from: Data(list)).value } catch {
            throw FlagPropertyListError(error)
        }
    }

    /// Writes a property list. In XML, each member is on a line of its own, and keys are sorted.
    ///
    /// - Throws: `FlagValueError` with the path of a part that a property list can't hold.
    package static func encode(_ value: EncodedFlagValue, as format: Format) throws(FlagValueError) -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        do { return [UInt8](try encoder.encode(CodedValue(value: value, format: format))) } catch {
            // Foundation wraps the error of a value.
            var cause = error
            if case EncodingError.invalidValue(_, let context) = error { cause = context.underlyingError ?? error }
            throw cause as? FlagValueError ?? CodedValue.refusal(value, at: [], "\(cause)")
        }
    }

    /// Checks the depth and the texts of an XML list. Foundation's decoder overflows the stack on a deep list, and reads
    /// 30 February as 2 March, 1e400 as infinity, and data that is not base64 as other data. It checks that tags match.
    private static func checkXML(_ list: ArraySlice<UInt8>, maximumDepth: Int) throws(FlagPropertyListError) {
        var depth = 0
        // The end of a comment, a CDATA section or a processing instruction, which may hide tags.
        var ending: String?
        var rest = list.dropFirst()
        while !rest.isEmpty {
            var part = rest.prefix { $0 != UInt8(ascii: "<") }
            rest = rest.dropFirst(part.count + 1)
            if ending == nil, part.starts(with: "!--") {
                (ending, part) = ("-->", part.dropFirst(3))
            } else if ending == nil, part.starts(with: "![CDATA[") {
                ending = "]]>"
            } else if ending == nil, part.starts(with: "?") {
                (ending, part) = ("?>", part.dropFirst())
            }
            if let end = ending {
                if !part.drop(before: end).isEmpty { ending = nil }
                continue
            }
            guard let end = part.firstIndex(of: UInt8(ascii: ">")) else {
                throw .init("the list ends too early, or a tag is not closed; complete it")
            }
            let tag = part[..<end]
            if tag.first == UInt8(ascii: "/") {
                depth -= 1
                continue
            }
            // Outside is the element `plist`, and in the deepest container there may be a string.
            let isContainer = tag.starts(with: "array") || tag.starts(with: "dict")
            guard depth < maximumDepth + (isContainer ? 1 : 2) else { throw .tooDeep(maximumDepth) }
            if tag.last == UInt8(ascii: "/") { continue }
            depth += 1
            try checkText(part[(end + 1)...], of: tag)
        }
    }

    private static func checkText(_ text: ArraySlice<UInt8>, of tag: ArraySlice<UInt8>) throws(FlagPropertyListError) {
        let name = String(decoding: tag.prefix(4), as: UTF8.self)
        guard ["date", "data", "real"].contains(name) else { return }
        let text = String(decoding: text, as: UTF8.self)
        let isValid =
            switch name {
            case "date": (try? Date(encoded: .string(text))) != nil
            case "data": Data(base64Encoded: text.filter { !$0.isWhitespace }) != nil
            // The names of NaN and the infinities have no digits.
            default: Double(text)?.isFinite == true || !text.contains(where: \.isNumber)
            }
        if !isValid { throw .init("\"\(text)\" is not the text of a <\(name)>, or out of range; correct it") }
    }
}

/// An error in a property list.
package struct FlagPropertyListError: Error, CustomStringConvertible {
    /// The mistake, and after a semicolon its fix.
    package let description: String

    fileprivate static let corrupt = Self("the property list is corrupt; restore or remove it")

    fileprivate static func tooDeep(_ limit: Int) -> Self { Self(EncodedFlagValue.tooDeep(limit: limit)) }

    fileprivate init(_ description: String) { self.description = description }

    /// Creates an error from that of Foundation's decoder.
    fileprivate init(_ error: any Error) {
        switch error {
        case DecodingError.dataCorrupted(let context):
            let reason = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            // The lines that Foundation counts are often others.
            self.init((reason ?? context.debugDescription).replacing(/\ (on|at) line \d+/, with: ""))
        case DecodingError.typeMismatch(_, let context):
            let path = CodedValue.names(of: context.codingPath).joined(separator: "/")
            self.init("the value at \"\(path)\" is out of range, or of a type that a flag cannot have; correct it")
        default: self = .corrupt
        }
    }
}

/// A value in the natural form of a property list.
private struct CodedValue: Codable {
    let value: EncodedFlagValue
    /// The format to write.
    var format = FlagPropertyList.Format.binary

    init(value: EncodedFlagValue, format: FlagPropertyList.Format) { (self.value, self.format) = (value, format) }

    init(from decoder: any Decoder) throws {
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
        if let problem = problem(atDepth: encoder.codingPath.count) {
            throw Self.refusal(value, at: Self.names(of: encoder.codingPath), problem)
        }
        var container = encoder.singleValueContainer()
        switch value {
        case .data(let data): try container.encode(data)
        case .date(let date) where isExact(date): try container.encode(date)
        case .array(let elements): try container.encode(elements.map { Self(value: $0, format: format) })
        case .object(let members): try container.encode(members.mapValues { Self(value: $0, format: format) })
        default: try container.encode(value)
        }
    }

    /// Returns the reason why a property list can't hold the value, apart from its parts, or `nil` if it can.
    private func problem(atDepth depth: Int) -> String? {
        // Foundation would read such a text or key as the beginning of nil.
        func isReserved(_ text: String) -> Bool { text.hasPrefix("$null") }
        let reserved = "\"$null\" stands for nil there; use another text"
        switch value {
        case .null: return "it has no null; reset the flag instead, or keep its values in a JSON file"
        case .integer(let number) where Int64(exactly: number) == nil && UInt64(exactly: number) == nil:
            return "its integers have 64 bits; use a smaller one, or a string"
        // The years 1 to 9999.
        case .date(let date) where !(-63_113_904_000..<252_423_993_600).contains(date.timeIntervalSinceReferenceDate):
            return "the date is outside the years 1 to 9999"
        case .array where depth >= EncodedFlagValue.maximumDepth, .object where depth >= EncodedFlagValue.maximumDepth:
            return EncodedFlagValue.tooDeep()
        case .string(let text), .unparsed(let text): return isReserved(text) ? reserved : nil
        case .object(let members): return members.keys.contains(where: isReserved) ? reserved : nil
        default: return nil
        }
    }

    /// Whether Foundation writes a date exactly. In XML it writes no fraction of a second, and before 15 October 1582 its
    /// coders have another calendar.
    private func isExact(_ date: Date) -> Bool {
        let seconds = date.timeIntervalSinceReferenceDate
        return format == .binary || seconds == seconds.rounded() && seconds >= -13_197_600_000
    }

    static func refusal(_ value: EncodedFlagValue, at path: [String], _ detail: String) -> FlagValueError {
        FlagValueError(expected: "a value that a property list can hold", found: value, path: path, detail: detail)
    }

    static func names(of path: [any CodingKey]) -> [String] {
        path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func starts(with text: String) -> Bool { starts(with: text.utf8) }

    /// Returns what begins with the first occurrence of a text, or nothing.
    fileprivate func drop(before text: String) -> ArraySlice {
        self[(indices.first { self[$0...].starts(with: text) } ?? endIndex)...]
    }
}

/// The check of a binary list before Foundation's decoder reads it. The format is described in `CFBinaryPList.c` of Core
/// Foundation.
///
/// That decoder never ends on a list that contains itself, reads past the end of UTF-16 texts, and traps at large counts. So
/// the contents of all objects must be where objects are. It checks the rest.
private struct BinaryListCheck {
    let bytes: [UInt8]
    let maximumDepth: Int
    /// The limit of what the values may take. A list may refer to an object repeatedly, and a hundred bytes could become
    /// 2³⁰ values.
    private var bytesLeft = 64 << 20
    /// The limit of references, each of which takes at least a byte in a list whose containers are not shared.
    private var objectsLeft: Int
    private var offsetSize = 0, referenceSize = 0, objectCount = 0, offsetTable = 0

    init(bytes: [UInt8], maximumDepth: Int) {
        (self.bytes, self.maximumDepth, objectsLeft) = (bytes, maximumDepth, bytes.count)
    }

    mutating func run() throws(FlagPropertyListError) {
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
        (bytesLeft, objectsLeft) = (bytesLeft - 16 - count * unit, objectsLeft - 1)
        guard bytesLeft >= 0, objectsLeft >= 0 else { throw .corrupt }
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
