#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TacklineCore
import TacklineFiles

// Foundation: documents are read from `Data`.

/// A problem in a document of flag definitions.
public struct FlagDefinitionProblem: Hashable, Sendable, CustomStringConvertible {
    /// The effect of a problem on the flag.
    public enum Severity: String, Hashable, Sendable {
        /// The flag gives an error and the next provider is asked: always, or only for subjects to whom its rule gives
        /// a variant that does not exist, an object or an empty list. Also a split that gives no subject a variant, and
        /// a document that cannot be used at all.
        case error
        /// The flag works, but flagd's schema refuses something in it, or it is probably not what its author meant.
        case warning
    }

    /// The key of the flag; `nil` for the document as a whole.
    public var flagKey: String?
    /// The place in the document, as a JSON Pointer (RFC 6901), such as `/flags/reservations/targeting/if/0`; empty for
    /// the document as a whole.
    public var path: String
    /// A description of the problem and of its remedy.
    public var message: String
    /// Whether it is an error or a warning.
    public var severity: Severity
    /// The line in the document's text, counted from 1; `nil` if the document was not read from text.
    public var line: Int?
    /// The column in Unicode scalars, counted from 1; `nil` if ``line`` is `nil`.
    public var column: Int?
    /// Whether the flag gives its default variant, and not an error, if its rule leads to the problem.
    var leavesDefault = false

    /// Makes a problem without line and column.
    public init(flagKey: String? = nil, path: String, message: String, severity: Severity) {
        self.flagKey = flagKey
        self.path = path
        self.message = message
        self.severity = severity
    }

    /// The severity, place and message in one line.
    public var description: String { "\(severity.rawValue) at \(place): \(message)" }

    /// The path, with line and column if they are known.
    var place: String {
        let position = line.map { " (line \($0), column \(column ?? 1))" } ?? ""
        return "\(path.isEmpty ? "/" : path)\(position)"
    }
}

extension [FlagDefinitionProblem] {
    /// Returns the problems with their lines and columns in the text that the document was read from.
    func located(in json: Data?) -> [FlagDefinitionProblem] {
        guard let json, !isEmpty else { return self }
        let bytes = Array<UInt8>(json)
        let paths = map { JSONPointer.components($0.path) }
        let outline = FlagJSONOutline(bytes)
        let offsets = paths.map { outline.offset(of: $0) }
        return zip(self, TextPosition.positions(of: offsets, in: bytes)).map { problem, position in
            var problem = problem
            (problem.line, problem.column) = (position.line, position.column)
            return problem
        }
    }
}
