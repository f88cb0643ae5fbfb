#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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
            // A byte order mark may come before the first name.
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
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
        guard let line = String(validating: line, as: UTF8.self), !line.contains("\0") else {
            return "it is not UTF-8 but perhaps UTF-16; save the file as UTF-8"
        }
        var rest = Array(line.unicodeScalars)[...].trimmed
        if rest.isEmpty || rest.first == "#" { return nil }
        if rest.prefix(while: { !$0.isBlank }).elementsEqual("export".unicodeScalars) {
            rest = rest.dropFirst(6).trimmed
        }
        guard let equals = rest.firstIndex(of: "=") else { return "an equals sign is missing; write NAME=value" }
        let name = rest[..<equals].trimmed
        guard !name.isEmpty, name.allSatisfy(\.isInName) else {
            return "a name has only ASCII letters, digits, underscores, dots and hyphens; write NAME=value"
        }
        guard let value = Self.value(of: rest[(equals + 1)...].trimmed) else {
            return "the quoted value does not end on its line, or something follows it; close the quote"
        }
        variables[String(String.UnicodeScalarView(name))] = value
        return nil
    }

    /// The characters for those that follow a backslash.
    private static let escapes = Dictionary(zip("nrt\"\\$".unicodeScalars, "\n\r\t\"\\$".unicodeScalars)) { $1 }

    /// Returns the value behind an equals sign, or `nil` if its quote doesn't end or if more than a comment follows it.
    private static func value(of text: ArraySlice<Unicode.Scalar>) -> String? {
        var (value, rest) = (String.UnicodeScalarView(), text)
        guard let quote = rest.popFirst(), "\"'`".unicodeScalars.contains(quote) else {
            // A comment begins the value or follows a blank.
            let comment = text.indices.first { text[$0] == "#" && ($0 == text.startIndex || text[$0 - 1].isBlank) }
            value.append(contentsOf: text[..<(comment ?? text.endIndex)].trimmed)
            return String(value)
        }
        while let scalar = rest.popFirst() {
            if scalar == quote {
                let isComment = rest.first?.isBlank == true && rest.trimmed.first == "#"
                return rest.trimmed.isEmpty || isComment ? String(value) : nil
            }
            if scalar == "\\", quote == "\"", let escaped = rest.popFirst() {
                value.append(contentsOf: escapes[escaped].map { [$0] } ?? [scalar, escaped])
            } else {
                value.append(scalar)
            }
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Whether it is a space, a tab, or the carriage return before the end of a line.
    fileprivate var isBlank: Bool { self == " " || self == "\t" || self == "\r" }

    fileprivate var isInName: Bool {
        isASCII && properties.isAlphabetic || ("0"..."9").contains(self) || self == "_" || self == "." || self == "-"
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// The characters without blanks around them.
    fileprivate var trimmed: ArraySlice {
        let start = drop(while: \.isBlank)
        return start[..<((start.lastIndex { !$0.isBlank } ?? start.startIndex - 1) + 1)]
    }
}
