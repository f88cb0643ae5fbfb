#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Why the browser could not be shown in the terminal.
public enum FlagsTerminalError: Error, Sendable, Hashable {
    /// Standard input or output is no terminal, or one that knows no escape sequences (`TERM=dumb`). Print a
    /// ``FlagsTable`` instead.
    case noTerminal
    /// Another ``FlagsTerminal`` of this process is on the screen.
    case taken
    /// The operating system refused something.
    case system(_ operation: String, code: CInt)
}

extension FlagsTerminalError: CustomStringConvertible {
    /// What happened and what to do next.
    public var description: String {
        switch self {
        case .noTerminal:
            """
            Standard input and output have to be a terminal that knows escape sequences. Print a FlagsTable instead, \
            which needs none.
            """
        case .taken: "The flag browser is on this terminal already. Quit it first."
        case .system(let operation, let code):
            "The system could not \(operation): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")."
        }
    }
}
