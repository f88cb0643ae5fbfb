#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

/// The check of a property list before Foundation's decoder reads it.
///
/// That decoder never ends on a binary list that contains itself, and overflows the stack on a deep list. In XML, it reads
/// 30 February as 2 March, 1e400 as infinity, and data that is not base64 as other data.
enum FlagPropertyListCheck {
    /// Checks a list.
    ///
    /// - Returns: The bytes to decode.
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

    fileprivate static func tooDeep(_ limit: Int) -> FlagPropertyListError {
        FlagPropertyListError(description: EncodedFlagValue.tooDeep(limit: limit))
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
                guard depth <= maximumDepth + 2 else { throw tooDeep(maximumDepth) }
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
        guard level <= maximumDepth else { throw FlagPropertyListCheck.tooDeep(maximumDepth) }
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
