#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation provides `Data` and `Date`, which `EncodedFlagValue` contains.

/// A parser for XML property lists, version 1.0 (`PropertyList-1.0.dtd`), in UTF-8.
///
/// The parser supports only the subset of XML that property lists use. A document type can be named but not defined, so
/// there are no entities to expand.
///
/// Foundation's `PropertyListSerialization` is not used, because it silently changes values: invalid base64 becomes
/// empty data, 1e400 becomes an infinity, a repeated key replaces the first one, month 0 is accepted, and on Linux a
/// byte order mark at the start of a string is removed. Its errors have no position, and it adds all of Foundation to
/// every program that reads a file. `PropertyListDecoder` exhausts the stack on a deeply nested list.
struct FlagXMLPropertyListParser {
    private let bytes: [UInt8]
    private var builder: FlagPropertyListBuilder
    private var index = 0
    private var openElements: [String] = []

    init(bytes: [UInt8], limits: FlagPropertyListReader.Limits) {
        self.bytes = bytes
        builder = FlagPropertyListBuilder(limits: limits)
    }

    mutating func parse() throws(FlagPropertyListError) -> EncodedFlagValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw failure("the property list is not valid UTF-8; save it as UTF-8")
        }
        guard try readTag() == Tag(name: "plist") else {
            throw failure("no <plist> at the beginning; this is not a property list, so name another file")
        }
        while true {
            let next = try readTag()
            if next == Tag(name: "plist", isClosing: true) { break }
            try process(next)
        }
        guard let document = builder.document, openElements.isEmpty else {
            throw failure("the property list is empty or not complete; complete it")
        }
        try skipWhitespaceAndComments()
        guard index == bytes.count else { throw failure("something follows </plist>; remove it") }
        return document
    }

    private mutating func failure(_ message: String) -> FlagPropertyListError {
        builder.offset = index
        return builder.failure(message)
    }

    // MARK: Values

    private mutating func process(_ tag: Tag) throws(FlagPropertyListError) {
        builder.offset = index
        if tag.isClosing {
            guard openElements.popLast() == tag.name else {
                throw failure("</\(tag.name)> closes nothing; repair the property list")
            }
            return try builder.close()
        }
        switch tag.name {
        case "dict", "array":
            try builder.open(isObject: tag.name == "dict")
            if tag.isEmpty { try builder.close() } else { openElements.append(tag.name) }
        case "true", "false":
            if try !readText(of: tag).isEmpty { throw failure("<\(tag.name)> has content; remove it") }
            try builder.add(.bool(tag.name == "true"))
        case "key":
            try builder.setKey(try readText(of: tag))
        case "string", "integer", "real", "date", "data":
            try builder.add(try value(of: tag.name, try readText(of: tag)))
        default:
            throw failure("\(EncodedFlagValue.quoted(tag.name)) is not an element of a property list; remove it")
        }
    }

    private mutating func value(of name: String, _ text: String) throws(FlagPropertyListError) -> EncodedFlagValue {
        switch name {
        case "string":
            return FlagPropertyListMarker.value(from: text)
        case "integer":
            let digits = text.utf8.first == UInt8(ascii: "+") ? String(text.unicodeScalars.dropFirst()) : text
            if let value = Int128(decimal: digits) { return .integer(value) }
            throw failure("\(EncodedFlagValue.quoted(text)) is not an integer, or out of range; correct it")
        case "real":
            if let value = Self.real(text) { return value }
            throw failure("\(EncodedFlagValue.quoted(text)) is not a number, or out of range; correct it")
        case "date":
            if let date = FlagTimestamp.date(from: text) { return .date(date) }
            throw failure("\(EncodedFlagValue.quoted(text)) is not a date like 2026-11-21T08:00:00Z; correct it")
        default:
            let base64 = text.utf8.filter { !Self.isWhitespace($0) }
            if let data = Data(base64Encoded: Data(base64)) { return .data(data) }
            throw failure("the data is not base64; correct it")
        }
    }

    private static func real(_ text: String) -> EncodedFlagValue? {
        switch text {
        case "nan": .double(.nan)
        case "+infinity", "infinity", "+inf", "inf": .double(.infinity)
        case "-infinity", "-inf": .double(-.infinity)
        default: Double(decimal: text).map { .double($0) }
        }
    }

    // MARK: XML

    private struct Tag: Equatable {
        var name: String
        var isClosing = false
        var isEmpty = false
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }

    /// Reads the next tag, after any whitespace, comments and declarations.
    private mutating func readTag() throws(FlagPropertyListError) -> Tag {
        try skipWhitespaceAndComments()
        guard consume("<") else {
            throw failure(
                index < bytes.count ? "text outside an element; remove it" : "the list ends too early; complete it")
        }
        var tag = Tag(name: "", isClosing: consume("/"))
        let name = bytes[index...].prefix(while: Self.isNameByte)
        tag.name = String(decoding: name, as: UTF8.self)
        index = name.endIndex
        // Attributes are skipped: a property list has no attribute but its version.
        while index < bytes.count, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "<") {
            tag.isEmpty = bytes[index] == UInt8(ascii: "/")
            index += 1
        }
        guard consume(">") else { throw failure("a tag is not closed; close it with >") }
        return tag
    }

    private mutating func skipWhitespaceAndComments() throws(FlagPropertyListError) {
        while index < bytes.count {
            if Self.isWhitespace(bytes[index]) {
                index += 1
            } else if consume("<!--") {
                try skip(past: "-->")
            } else if builder.depth == 0, consume("<?") {
                try skip(past: "?>")
            } else if builder.depth == 0, consume("<!DOCTYPE") {
                let start = index
                try skip(past: ">")
                guard !bytes[start..<index].contains(UInt8(ascii: "[")) else {
                    throw failure("the document type is defined in the list; remove the definition")
                }
            } else {
                return
            }
        }
    }

    private mutating func consume(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    private mutating func skip(past text: StaticString) throws(FlagPropertyListError) {
        while !consume(text) {
            guard index < bytes.count else { throw failure("the list ends too early; complete it") }
            index += 1
        }
    }

    /// Reads the text up to the closing tag, with references and CDATA sections resolved.
    private mutating func readText(of tag: Tag) throws(FlagPropertyListError) -> String {
        if tag.isEmpty { return "" }
        var text: [UInt8] = []
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "&"):
                text.append(contentsOf: try readReference().utf8)
            case UInt8(ascii: "<"):
                if consume("<![CDATA[") {
                    let start = index
                    try skip(past: "]]>")
                    text.append(contentsOf: bytes[start..<index - 3])
                } else if consume("<!--") {
                    try skip(past: "-->")
                } else {
                    guard try readTag() == Tag(name: tag.name, isClosing: true) else {
                        throw failure("an element inside <\(tag.name)>; remove it")
                    }
                    return String(decoding: text, as: UTF8.self)
                }
            case 0x0D:
                // XML normalizes line ends to line feeds. A literal carriage return is written as a reference.
                if !consume("\r\n") { index += 1 }
                text.append(0x0A)
            default:
                text.append(bytes[index])
                index += 1
            }
        }
        throw failure("the list ends too early; complete it")
    }

    private mutating func readReference() throws(FlagPropertyListError) -> String {
        let start = index + 1
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("an ampersand on its own; write &amp;")
        }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        let known = ["lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": "\""]
        guard let text = known[name] ?? Self.scalar(name) else {
            throw failure("the reference &\(name); is unknown; write &amp; for an ampersand")
        }
        index = end + 1
        return text
    }

    private static func scalar(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return nil }
        let number = name.dropFirst()
        let code = number.hasPrefix("x") ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        return code.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
