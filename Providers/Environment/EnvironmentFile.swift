public import TacklineCore
import TacklineFiles

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: files are named by `URL`.

/// The variables of a `.env` file.
///
/// The format is the common subset of Docker (`--env-file` and Compose), systemd (`EnvironmentFile=`) and the dotenv
/// libraries for Node, Ruby, Python and Go:
///
/// - Each line has one variable, `NAME=value` or `NAME: value`, optionally after `export`. A name consists of ASCII
///   letters, digits, `_`, `.` and `-`. If a variable occurs twice, the later line counts.
/// - Blank lines and lines that begin with `#` or `;` are comments. A line ends with a line feed, a carriage return, or
///   both.
/// - A value extends to the end of the line or to a `#` after a blank, without surrounding spaces and tabs.
/// - A value in single quotes, double quotes or backquotes may have several lines and is taken literally. Only in
///   double quotes do `\n`, `\r`, `\t`, `\"`, `\\`, `\$` and a backslash at the end of a line mean the same as in a
///   shell.
/// - A name without a value refers to the variable of the process, as in Docker.
///
/// Variables and commands in values are not expanded. Any other line is ignored and listed in ``mistakes``; the
/// remaining lines are used.
public struct EnvironmentFile: Sendable {
    /// A line that can't be read.
    public struct Mistake: Sendable, Hashable, CustomStringConvertible {
        /// The number of the line, counted from 1.
        public let line: Int
        /// A description of the problem and of what to do about it.
        public let message: String

        /// The line and the message.
        public var description: String { "line \(line): \(message)" }
    }

    /// The largest size of a file in bytes.
    public static let maximumBytes = 1 << 20

    /// The variables by name.
    public private(set) var variables: [String: String] = [:]
    /// The ignored lines, in the order of the file.
    public private(set) var mistakes: [Mistake] = []
    /// The lines that consist only of a name.
    private(set) var namesAlone: [(name: String, line: Int)] = []

    /// Reads a file. A missing file has no variables.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The provider's name for error messages.
    /// - Throws: ``/TacklineCore/FlagError`` if the file can't be read at all.
    public init(contentsOf url: URL, provider: String) throws(FlagError) {
        let path = url.path(percentEncoded: false)
        let fail = { (code: FlagError.Code, cause: String) in
            FlagError(
                code,
                provider: provider,
                reason: "\(path) cannot be read: \(cause)",
                advice: "Correct the file; until then none of its lines are used"
            )
        }
        let data: Data
        do throws(FileFailure) {
            data = Data(try StoredFile.bytes(of: path, limit: Self.maximumBytes) ?? [])
        } catch {
            if case .tooLarge = error { throw fail(.unreadable, "\(error)") }
            throw fail(.inputOutput, "\(error)")
        }
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            throw fail(.unreadable, "it is UTF-16 and not UTF-8; save it as UTF-8")
        }
        self.init(data)
    }

    /// Reads the text of a file.
    public init(_ text: Data) {
        let bytes = Array(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text)
        var lines = Lines(bytes)
        while let line = lines.next() { read(line, &lines) }
    }

    // MARK: Lines

    /// The lines of a file. A line ends only with a line feed, a carriage return, or both.
    private struct Lines {
        private let bytes: [UInt8]
        private var start = 0
        private(set) var number = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> ArraySlice<UInt8>? {
            guard start < bytes.count else { return nil }
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
            defer {
                let isPair = bytes[end...].starts(with: "\r\n".utf8)
                start = end + (isPair ? 2 : 1)
                number += 1
            }
            return bytes[start..<end]
        }
    }

    private static let nameCharacters = "ASCII letters, digits, underscores, dots and hyphens"

    private mutating func read(_ line: ArraySlice<UInt8>, _ lines: inout Lines) {
        let number = lines.number
        var rest = line.trimmed
        guard let first = rest.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return }
        if rest.starts(with: "export".utf8), let blank = rest.dropFirst(6).first, blank.isBlank {
            rest = rest.dropFirst(6).trimmed
        }
        let name = rest.prefix { $0.isInName }
        let behind = rest[name.endIndex...].trimmed
        guard !name.isEmpty else {
            return refuse(number, "a name with \(Self.nameCharacters) must come first, as in NAME=value")
        }
        if behind.isEmpty {
            return namesAlone.append((String(decoding: name, as: UTF8.self), number))
        }
        let isYAML = behind.first == UInt8(ascii: ":") && behind.dropFirst().first?.isBlank ?? true
        guard behind.first == UInt8(ascii: "=") || isYAML else {
            let isNameLonger = behind.contains(UInt8(ascii: "="))
            return refuse(
                number,
                isNameLonger
                    ? "the name contains something other than \(Self.nameCharacters); rename it"
                    : "an equals sign is missing; write NAME=value")
        }
        let text = behind.dropFirst().trimmed
        let value: String?
        if let quote = text.first, "\"'`".utf8.contains(quote) {
            // If the quote doesn't end, or text follows it, only its first line is ignored.
            var behindValue = lines
            value = Self.quotedValue(text, quote, &behindValue)
            guard value != nil else {
                return refuse(number, "the quoted value does not end, or something follows it; close the quote")
            }
            lines = behindValue
        } else {
            value = String(validating: Self.plainValue(text), as: UTF8.self)
        }
        guard let value else { return refuse(number, "the value is not UTF-8; save the file as UTF-8") }
        variables[String(decoding: name, as: UTF8.self)] = value
    }

    private mutating func refuse(_ line: Int, _ message: String) {
        mistakes.append(Mistake(line: line, message: message))
    }

    // MARK: Values

    private static func plainValue(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let comment = text.indices.first { index in
            text[index] == UInt8(ascii: "#") && (index == text.startIndex || text[index - 1].isBlank)
        }
        return text[..<(comment ?? text.endIndex)].trimmed
    }

    /// Returns the quoted text, which may have several lines, or `nil` if it doesn't end or if text follows it.
    private static func quotedValue(_ text: ArraySlice<UInt8>, _ quote: UInt8, _ lines: inout Lines) -> String? {
        var value: [UInt8] = []
        var rest = text.dropFirst()
        while true {
            var joinsLines = false
            while let byte = rest.popFirst() {
                if byte == quote {
                    let behind = rest.trimmed
                    guard behind.isEmpty || behind.first == UInt8(ascii: "#") else { return nil }
                    return String(validating: value, as: UTF8.self)
                }
                guard byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") else {
                    value.append(byte)
                    continue
                }
                switch rest.popFirst() {
                case nil: joinsLines = true
                case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
                case UInt8(ascii: "r"): value.append(UInt8(ascii: "\r"))
                case UInt8(ascii: "t"): value.append(UInt8(ascii: "\t"))
                case let escaped? where "\"\\$".utf8.contains(escaped): value.append(escaped)
                case let other?: value += [byte, other]
                }
            }
            guard let line = lines.next() else { return nil }
            if !joinsLines { value.append(UInt8(ascii: "\n")) }
            rest = line
        }
    }
}

extension EnvironmentFile {
    /// Returns the mistakes, and the lines with only a name that is not a variable of the process, in the order of the
    /// file.
    func mistakes(in environment: [String: String]) -> [Mistake] {
        let missing = namesAlone.filter { environment[$0.name] == nil }.map {
            Mistake(
                line: $0.line,
                message: """
                    an equals sign is missing, and the process has no variable \($0.name), for which a name without a value \
                    stands; write \($0.name)=value
                    """)
        }
        return (mistakes + missing).sorted { $0.line < $1.line }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    fileprivate var isInName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without leading and trailing spaces and tabs.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let start = drop { $0.isBlank }
        return start[..<((start.lastIndex { !$0.isBlank } ?? start.startIndex - 1) + 1)]
    }
}
