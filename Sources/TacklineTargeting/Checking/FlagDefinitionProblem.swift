#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` is what documents are read from.

/// Something wrong in a document of flag definitions.
public struct FlagDefinitionProblem: Hashable, Sendable, CustomStringConvertible {
    /// What a problem means for the flag.
    public enum Severity: String, Hashable, Sendable {
        /// The flag answers with an error, for everybody or for those to whom its rule gives a variant that does not exist,
        /// and the next provider is asked. Also a split that gives nobody anything, a document that cannot be used at all,
        /// and a constraint that is broken.
        case error
        /// The flag works, but flagd's schema refuses something in it, or it is hardly what was meant.
        case warning
    }

    /// The flag concerned; `nil` for the document as a whole.
    public var flagKey: String?
    /// Where in the document, as a JSON Pointer (RFC 6901), such as `/flags/reservations/targeting/if/0`; empty for the
    /// document as a whole.
    public var path: String
    /// What is wrong, and what to do about it.
    public var message: String
    /// Whether it is an error or a warning.
    public var severity: Severity
    /// The line in the text that the document was read from, counted from 1; `nil` where it was read from none.
    public var line: Int?
    /// The column in Unicode scalars, counted from 1; `nil` where ``line`` is `nil`.
    public var column: Int?
    /// Whether the flag gives its default variant, and not an error, where its rule leads to the problem.
    var leavesDefault = false

    /// Makes a problem without line and column.
    public init(flagKey: String? = nil, path: String, message: String, severity: Severity) {
        self.flagKey = flagKey
        self.path = path
        self.message = message
        self.severity = severity
    }

    /// Severity, place and message in one line.
    public var description: String { "\(severity.rawValue) at \(place): \(message)" }

    /// The path, with line and column if they are known.
    var place: String {
        let position = line.map { " (line \($0), column \(column ?? 1))" } ?? ""
        return "\(path.isEmpty ? "/" : path)\(position)"
    }
}

extension [FlagDefinitionProblem] {
    /// The problems with their places in the text that the document was read from.
    func located(in json: Data?) -> [FlagDefinitionProblem] {
        guard let json, !isEmpty else { return self }
        let bytes = Array<UInt8>(json)
        let outline = JSONOutline(bytes)
        let offsets = map { outline.offset(of: JSONPointer.components($0.path)) }
        return zip(self, TextPosition.positions(of: offsets, in: bytes)).map { problem, position in
            var problem = problem
            (problem.line, problem.column) = (position.line, position.column)
            return problem
        }
    }
}
