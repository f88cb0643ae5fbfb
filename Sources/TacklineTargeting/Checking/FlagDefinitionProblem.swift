import TacklineFoundation

import TacklineCore
import TacklineFiles

// Foundation: documents are read from `Data`.

/// A problem in a document of flag definitions, with its place.
public struct FlagDefinitionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key of the flag; `nil` for the document as a whole.
    public var flagKey: String?
    /// The place in the document, as a JSON Pointer (RFC 6901), such as `/flags/reservations/targeting/if/0`; empty for
    /// the document as a whole.
    public var path: String
    /// A description of the problem and of its remedy.
    public var message: String
    /// Whether the flag gives an error and the next provider is asked: always, or only for subjects to whom its rule
    /// gives what is no variant. Otherwise the flag works, but flagd's schema refuses something in it, or it is probably
    /// not what its author meant.
    public var isError: Bool
    /// The line in the document's text, counted from 1; `nil` if the document was not read from text.
    public var line: Int?
    /// The column in Unicode scalars, counted from 1; `nil` if ``line`` is `nil`.
    public var column: Int?

    /// Makes a problem without line and column.
    public init(flagKey: String? = nil, path: String, message: String, isError: Bool = true) {
        self.flagKey = flagKey
        self.path = path
        self.message = message
        self.isError = isError
    }

    /// The severity, place and message in one line.
    public var description: String { "\(isError ? "error" : "warning") at \(place): \(message)" }

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
        let outline = FlagJSONOutline(bytes)
        let offsets = map { outline.offset(of: JSONPointer.components($0.path)) }
        return zip(self, TextPosition.positions(of: offsets, in: bytes)).map { problem, position in
            var problem = problem
            (problem.line, problem.column) = (position.line, position.column)
            return problem
        }
    }
}

/// Conversions of JSON Pointers (RFC 6901), which name a place in a document.
package enum JSONPointer {
    static func text(_ components: [String]) -> String {
        components.map { component in
            // Tildes are replaced first: otherwise the tilde in `~1` would be escaped again.
            "/" + component.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
    }

    package static func components(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { component in
            String(component).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }
}
