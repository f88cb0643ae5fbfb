#if CommandLine
    import TacklineCore

    /// An error that ends a command with a message on standard error and an exit status.
    struct CommandFailure: Error, Hashable {
        /// The problem, its place and the remedy, without the name of the tool.
        let message: String
        let status: CommandStatus
        /// The mistake that makes a whole file unusable, with its place; `nil` for any other failure.
        private(set) var finding: Finding?

        init(_ message: String, status: CommandStatus = .trouble) {
            self.message = message
            self.status = status
        }

        init(_ finding: Finding) {
            self.init(finding.line())
            self.finding = finding
        }

        /// The failure of a command that has already printed its findings. No message is printed for it.
        static let found = CommandFailure("", status: .findings)

        /// Returns the failure of an edit that would lose comments of a file.
        static func lostComments(_ path: String) -> CommandFailure {
            CommandFailure(
                """
                \(path) has comments that this edit would lose; make it by hand, or remove them first. Nothing was written.
                """)
        }

        /// Returns the text that `--json` prints instead of a result.
        static func report(_ message: String, status: Int32, of command: String) -> String {
            let members: [String: EncodedFlagValue] = [
                "error": .object(["message": .string(message)]), "status": .integer(Int128(status)),
            ]
            return (try? JSONReport.text(command, members)) ?? ""
        }
    }
#endif
