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

        /// Returns the text that `--json` prints instead of a result.
        static func report(_ message: String, status: Int32, of command: String) -> String {
            let members: [String: EncodedFlagValue] = [
                "error": .object(["message": .string(message)]), "status": .integer(Int128(status)),
            ]
            return (try? JSONReport.text(command, members)) ?? ""
        }
    }

    /// The exit status of the tool, for scripts and CI. All commands use the same values, which follow `diff` and
    /// `grep`.
    enum CommandStatus: Int32, CaseIterable {
        /// Success.
        case success = 0
        /// The command did its work and found something: a mistake, a difference, or no value.
        case findings = 1
        /// The command could not do its work: a file is missing, broken or refused, or a port is taken.
        case trouble = 2
        /// The command line itself is wrong. ArgumentParser and `sysexits.h` use the same number.
        case usage = 64
        /// The output could not be written, for example because the disk is full.
        case output = 74

        /// The meaning as it appears in the tool's help and in the table of the guide.
        var meaning: String {
            switch self {
            case .success: "Success."
            case .findings: "The command found something: a mistake, a difference, or no value."
            case .trouble: "The command failed: a file is missing, broken or refused, or a port is taken."
            case .usage: "The command line is wrong."
            case .output: "The output could not be written, for example because the disk is full."
            }
        }
    }
#endif
