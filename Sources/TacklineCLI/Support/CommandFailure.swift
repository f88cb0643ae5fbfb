#if CommandLine
    import TacklineCore

    /// Ends a command with a message on standard error and a status.
    struct CommandFailure: Error, Hashable {
        /// What happened, where, and what to do next; without the name of the tool.
        let message: String
        let status: CommandStatus

        init(_ message: String, status: CommandStatus = .trouble) {
            self.message = message
            self.status = status
        }

        /// Ends a command whose output says what it found already: nothing more is printed.
        static let found = CommandFailure("", status: .findings)

        /// What `--json` prints in place of a result.
        static func report(_ message: String, status: Int32, of command: String) -> String {
            let members: [String: EncodedFlagValue] = [
                "error": .object(["message": .string(message)]), "status": .integer(Int128(status)),
            ]
            return (try? JSONReport.text(command, members)) ?? ""
        }
    }
#endif
