#if CommandLine
    /// Ends a command with a message on standard error and a status.
    struct CommandFailure: Error, Hashable {
        /// What happened, where, and what to do next; without the name of the tool.
        let message: String
        let status: CommandStatus

        init(_ message: String, status: CommandStatus = .findings) {
            self.message = message
            self.status = status
        }

        /// Ends a command whose output says what it found already: nothing more is printed.
        static let found = CommandFailure("")
    }
#endif
