import TacklineFoundation
import TacklineCore
import TacklineFiles

/// The variables of a `.env` file, in the format that ``EnvironmentProvider`` describes.
struct EnvironmentFile {
    private(set) var variables: [String: String] = [:]
    /// The error of a file, or of lines, that can't be read.
    private(set) var issue: FlagError?

    /// Reads a file. A missing file has no variables.
    init(_ url: URL, provider: String) {
        let path = url.path(percentEncoded: false)
        do throws(FileFailure) {
            let bytes = try StoredFile.bytes(of: path, limit: 1 << 20) ?? []
            // A byte order mark may come before the first name, and a carriage return alone may end each line.
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            let lines = text.split(separator: text.contains(0x0A) ? 0x0A : 0x0D, omittingEmptySubsequences: false)
            var mistakes: [String] = []
            for (index, line) in lines.enumerated() {
                if let mistake = read(line) { mistakes.append("line \(index + 1): \(mistake)") }
            }
            if mistakes.isEmpty { return }
            let more = mistakes.count > 20 ? "; and \(mistakes.count - 20) more lines" : ""
            issue = FlagError(
                .unreadableLine, provider: provider,
                reason: "\(path) is read without some lines: \(mistakes.prefix(20).joined(separator: "; "))\(more)",
                advice: "Correct these lines; the others are used")
        } catch {
            issue = FlagError(
                .unreadableFile, provider: provider, reason: "\(path) can't be read: \(error)",
                advice: "Correct the file; until then none of its lines are used")
        }
    }

    /// Reads a line, and returns what is wrong with it, or `nil`.
    private mutating func read(_ line: ArraySlice<UInt8>) -> String? {
        guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
            return "it is not UTF-8 but perhaps UTF-16; save the file as UTF-8"
        }
        var rest = line.trimmed
        if rest.contains(UInt8(ascii: "\r")) { return "a carriage return is inside; end each line in the same way" }
        if rest.isEmpty || rest.first == UInt8(ascii: "#") { return nil }
        if rest.prefix(while: { !$0.isBlank }).text == "export" { rest = rest.dropFirst(6).trimmed }
        let parts = rest.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return "an equals sign is missing; write NAME=value" }
        let name = parts[0].trimmed.text
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
        guard isName, !name.isEmpty else {
            return "a name has only ASCII letters, digits, underscores, dots and hyphens; write NAME=value"
        }
        guard let value = Self.value(of: parts[1].trimmed) else {
            return "the quoted value does not end on its line, or something follows it; close the quote"
        }
        variables[name] = value
        return nil
    }

    /// Each character that may follow a backslash, and after it the one that is meant.
    private static let escapes = Array("n\nr\rt\t\"\"\\\\$$".utf8)

    /// Returns the value behind an equals sign, or `nil` if its quote doesn't end or if more than a comment follows it.
    private static func value(of text: ArraySlice<UInt8>) -> String? {
        let comment = UInt8(ascii: "#")
        guard let quote = text.first, "\"'`".utf8.contains(quote) else {
            // A comment begins the value or follows a blank.
            let end = text.indices.first { text[$0] == comment && ($0 == text.startIndex || text[$0 - 1].isBlank) }
            return text[..<(end ?? text.endIndex)].trimmed.text
        }
        var (value, rest): (ArraySlice<UInt8>, _) = ([], text.dropFirst())
        while let byte = rest.popFirst() {
            if byte == quote {
                let isComment = rest.first?.isBlank == true && rest.trimmed.first == comment
                return rest.trimmed.isEmpty || isComment ? value.text : nil
            }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let escaped = rest.popFirst() {
                let place = escapes.firstIndex(of: escaped) ?? 1
                value += place.isMultiple(of: 2) ? [escapes[place + 1]] : [byte, escaped]
            } else {
                value.append(byte)
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether it is a space, a tab, or the carriage return before the end of a line.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}

extension ArraySlice<UInt8> {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }

    /// The bytes without blanks around them.
    fileprivate var trimmed: ArraySlice {
        let start = drop(while: \.isBlank)
        return start[..<((start.lastIndex { !$0.isBlank } ?? start.startIndex - 1) + 1)]
    }
}
