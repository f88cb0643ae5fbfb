import TacklineCLibrary

/// The abilities of a terminal, according to the environment.
public struct TerminalAbilities: Sendable, Hashable {
    /// Whether the terminal supports escape sequences: `TERM` is set to a value other than `dumb`.
    public var hasSequences: Bool
    /// Whether colors are wanted: there are escape sequences, and `NO_COLOR` is unset or empty (https://no-color.org).
    public var hasColor: Bool
    /// Whether the terminal shows characters other than ASCII, according to the locale in `LC_ALL`, else `LC_CTYPE`,
    /// else `LANG`.
    public var isUnicode: Bool

    /// Creates abilities from given values.
    public init(hasSequences: Bool = true, hasColor: Bool = true, isUnicode: Bool = true) {
        self.hasSequences = hasSequences
        self.hasColor = hasColor
        self.isUnicode = isUnicode
    }

    /// Reads the abilities from an environment.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let terminal = value("TERM")
        hasSequences = terminal != nil && terminal != "dumb"
        hasColor = hasSequences && value("NO_COLOR") == nil
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        isUnicode = locale.contains("utf-8") || locale.contains("utf8")
    }

    /// The abilities of this process's terminal, whether or not its output is a terminal.
    public static var current: TerminalAbilities {
        var environment: [String: String] = [:]
        for name in ["TERM", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return TerminalAbilities(environment: environment)
    }
}
