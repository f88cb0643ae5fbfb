import TacklineCore
import TacklineFormats

/// The places of the keys in an XML property list that ``FlagPropertyListReader`` has accepted.
package struct FlagPropertyListOutline {
    private var offsets: [[String]: Int] = [:]

    /// Finds the keys of a list.
    ///
    /// - Complexity: O(*n*) in the number of bytes; no recursion.
    package init(_ bytes: [UInt8]) {
        var position = 0
        var path: [String] = []
        // The number of elements so far for each open array; `nil` for each open dictionary.
        var open: [Int?] = []
        while let tag = FlagPropertyListOutline.nextTag(in: bytes, from: &position) {
            switch tag.name {
            case "dict", "array":
                if tag.isEmpty {
                    FlagPropertyListOutline.finishValue(&path, &open)
                } else {
                    if case .some(.some(let count)) = open.last { path.append(String(count)) }
                    open.append(tag.name == "dict" ? nil : 0)
                }
            case "/dict", "/array":
                if !open.isEmpty { open.removeLast() }
                if case .some(.some) = open.last, !path.isEmpty { path.removeLast() }
                FlagPropertyListOutline.finishValue(&path, &open)
            case "key":
                let name = FlagPropertyListOutline.text(in: bytes, from: position)
                path.append(name)
                if offsets[path] == nil { offsets[path] = tag.start }
            case "true", "false", "/string", "/integer", "/real", "/date", "/data":
                FlagPropertyListOutline.finishValue(&path, &open)
            case "string" where tag.isEmpty, "data" where tag.isEmpty:
                FlagPropertyListOutline.finishValue(&path, &open)
            default: break
            }
        }
    }

    /// Returns the place of the deepest key of a path that exists; `nil` if none exists.
    package func offset(of path: [String]) -> Int? {
        var path = path
        while !path.isEmpty {
            if let offset = offsets[path] { return offset }
            path.removeLast()
        }
        return nil
    }

    /// Removes a dictionary's key from the path after its value, or counts an array's element.
    private static func finishValue(_ path: inout [String], _ open: inout [Int?]) {
        guard let last = open.last else { return }
        if let count = last {
            open[open.count - 1] = count + 1
        } else if !path.isEmpty {
            path.removeLast()
        }
    }

    private static func nextTag(
        in bytes: [UInt8], from position: inout Int
    ) -> (name: String, isEmpty: Bool, start: Int)? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            if bytes[start...].starts(with: "<!--".utf8) {
                position = end(of: "-->", in: bytes, from: start)
                continue
            }
            if bytes[start...].starts(with: "<![CDATA[".utf8) {
                position = end(of: "]]>", in: bytes, from: start)
                continue
            }
            guard let close = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
            position = close + 1
            let inside = String(decoding: bytes[(start + 1)..<close], as: UTF8.self)
            let name = inside.prefix { !$0.isWhitespace }
            let isEmpty = inside.hasSuffix("/")
            return (String(isEmpty && name.hasSuffix("/") ? name.dropLast() : name), isEmpty, start)
        }
        return nil
    }

    private static func end(of mark: String, in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, !bytes[index...].starts(with: mark.utf8) { index += 1 }
        return min(bytes.count, index + mark.utf8.count)
    }

    private static func text(in bytes: [UInt8], from position: Int) -> String {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        var text = String(decoding: bytes[position..<end], as: UTF8.self)
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
        ] {
            text = text.replacing(entity, with: character)
        }
        return text
    }
}
