import TacklineCLibrary

/// The reason why the browser cannot be shown in the terminal.
public enum FlagsTerminalError: Error, Sendable, Hashable {
    /// Standard input or output is not a terminal, or it does not support escape sequences (`TERM=dumb`). Print a
    /// ``FlagsTable`` instead.
    case noTerminal
    /// Another ``FlagsTerminal`` of this process is using the terminal.
    case taken
    /// The operating system refused an operation.
    case system(_ operation: String, code: CInt)
}

extension FlagsTerminalError: CustomStringConvertible {
    /// A sentence that states the problem and the remedy.
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
