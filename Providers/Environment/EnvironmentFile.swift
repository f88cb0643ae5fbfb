public import TacklineCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `URL` is how files are named.

/// The format of a `.env` file.
///
/// One variable a line, `NAME=value`, with `export ` in front if you like. Blank lines and lines that begin with `#`
/// are skipped. A value reaches to the end of the line or to a `#` after a blank, without the blanks around it. In
/// single quotes it is taken as it is; in double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` stand for what they
/// usually do. Nothing is expanded, and a value stays on its line. Of two lines for one variable the later one wins.
public enum EnvironmentFile {
    /// The longest file that is read, in bytes.
    public static let maximumBytes = 1 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The name that an error carries.
    /// - Returns: The variables; none if there is no file.
    /// - Throws: ``/TacklineCore/FlagProviderError`` with file, line and mistake.
    public static func read(_ url: URL, provider: String) throws(FlagProviderError) -> [String: String] {
        let path = url.path(percentEncoded: false)
        let fail = { (code: FlagProviderError.Code, cause: String) in
            FlagProviderError(
                code,
                provider: provider,
                reason: "\(path) cannot be read: \(cause)",
                advice: "Correct the file; until then none of its lines are used"
            )
        }
        // Asked for first, because reading a pipe would wait for somebody to write to it.
        let resolved = url.resolvingSymlinksInPath().path(percentEncoded: false)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved) else {
            if FileManager.default.fileExists(atPath: resolved) { throw fail(.inputOutput, "permission denied") }
            return [:]
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw fail(.inputOutput, "it is not a regular file")
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: resolved))
        } catch {
            throw fail(.inputOutput, "\(error)")
        }
        guard data.count <= maximumBytes else { throw fail(.unreadable, "it is larger than \(maximumBytes) bytes") }
        guard let text = String(validating: data, as: UTF8.self) else { throw fail(.unreadable, "it is not UTF-8") }
        switch parse(text) {
        case .success(let values): return values
        case .failure(let mistake): throw fail(.unreadable, "line \(mistake.line): \(mistake.message)")
        }
    }

    struct Mistake: Error, Hashable {
        let line: Int
        let message: String
    }

    static func parse(_ text: String) -> Result<[String: String], Mistake> {
        var values: [String: String] = [:]
        // By scalars, since a combining mark makes one character with the sign before it.
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var rest = trimmed(line.unicodeScalars)
            if index == 0, rest.first == "\u{FEFF}" { rest = trimmed(rest.dropFirst()) }
            guard let first = rest.first, first != "#" else { continue }
            if rest.starts(with: "export ".unicodeScalars) { rest = trimmed(rest.dropFirst(7)) }
            guard let equals = rest.firstIndex(of: "=") else {
                return .failure(Mistake(line: index + 1, message: "an equals sign is missing"))
            }
            let name = trimmed(rest[..<equals])
            guard isName(name) else {
                let message = "the name of a variable has letters, digits and underscores, and no digit first"
                return .failure(Mistake(line: index + 1, message: message))
            }
            guard let value = value(trimmed(rest[rest.index(after: equals)...])) else {
                return .failure(Mistake(line: index + 1, message: "a quoted value does not end where the line does"))
            }
            values[String(name)] = value
        }
        return .success(values)
    }

    private static func isName(_ name: Substring.UnicodeScalarView) -> Bool {
        guard let first = name.first, !("0"..."9").contains(first) else { return false }
        return name.allSatisfy {
            $0.isASCII && ($0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
    }

    /// - Returns: `nil` if a quote is not closed, or something stands behind it.
    private static func value(_ text: Substring.UnicodeScalarView) -> String? {
        guard let quote = text.first, quote == "\"" || quote == "'" else {
            var end = text.startIndex
            while end < text.endIndex {
                let isComment = text[end] == "#" && (end == text.startIndex || isBlank(text[text.index(before: end)]))
                if isComment { break }
                end = text.index(after: end)
            }
            return String(trimmed(text[..<end]))
        }
        var value = String.UnicodeScalarView()
        var rest = text.dropFirst()
        while let scalar = rest.popFirst() {
            if scalar == quote {
                let behind = trimmed(rest)
                return behind.isEmpty || behind.first == "#" ? String(value) : nil
            }
            if scalar == "\\", quote == "\"", let escaped = rest.popFirst() {
                switch escaped {
                case "n": value.append("\n")
                case "r": value.append("\r")
                case "t": value.append("\t")
                case "\"", "\\", "$": value.append(escaped)
                default: value.append(contentsOf: ["\\", escaped])
                }
            } else {
                value.append(scalar)
            }
        }
        return nil
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    private static func trimmed(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
