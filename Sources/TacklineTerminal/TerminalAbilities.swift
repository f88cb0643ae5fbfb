#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a terminal can show, as the environment says.
public struct TerminalAbilities: Sendable, Hashable {
    /// Whether escape sequences may be sent at all: not with `TERM=dumb`, nor without `TERM`.
    public var hasSequences: Bool
    /// Whether colors are wanted: not with `NO_COLOR` set to anything (https://no-color.org).
    public var hasColor: Bool
    /// Whether it shows more than ASCII, by the locale: `LC_ALL`, else `LC_CTYPE`, else `LANG`.
    public var isUnicode: Bool

    /// Makes abilities by hand.
    public init(hasSequences: Bool = true, hasColor: Bool = true, isUnicode: Bool = true) {
        self.hasSequences = hasSequences
        self.hasColor = hasColor
        self.isUnicode = isUnicode
    }

    /// Reads them from an environment.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let terminal = value("TERM")
        hasSequences = terminal != nil && terminal != "dumb"
        hasColor = hasSequences && value("NO_COLOR") == nil
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        isUnicode = locale.contains("utf-8") || locale.contains("utf8")
    }

    /// Those of this process, whether or not its output is a terminal.
    public static var current: TerminalAbilities {
        var environment: [String: String] = [:]
        for name in ["TERM", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return TerminalAbilities(environment: environment)
    }
}
