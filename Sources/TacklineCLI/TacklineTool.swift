#if CommandLine
    import ArgumentParser
    import TacklineCLibrary

    /// The entry point: runs the requested command and turns a thrown error into a message and an exit status.
    @main
    enum TacklineTool {
        /// The version that `--version` prints. The change log repeats it.
        static let version = "0.1.0"

        static func main() async {
            // A closed pipe, such as one to `head`, must fail the write, which ``CommandOutput`` handles, and not end
            // the process.
            signal(SIGPIPE, SIG_IGN)
            occupyClosedStreams()
            var name = "tackline"
            do {
                try rejectIllegibleArguments()
                var command = try TacklineCommand.parseAsRoot()
                name = type(of: command).configuration.commandName ?? name
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let failure as CommandFailure {
                // The message is empty if the command has already printed its findings.
                if !failure.message.isEmpty {
                    CommandOutput.error.report("tackline: \(failure.message)")
                    report(failure.message, failure.status.rawValue, name)
                }
                exit(failure.status.rawValue)
            } catch {
                let code = TacklineCommand.exitCode(for: error)
                // Help and the version are not failures.
                if code.isSuccess { end(withOutput: TacklineCommand.fullMessage(for: error)) }
                report(TacklineCommand.message(for: error), code.rawValue, name)
                TacklineCommand.exit(withError: error)
            }
        }

        /// Opens what its caller has closed of standard input, output and error, so that no file or socket takes its
        /// number, into which results would then be written. Uses of it fail as before.
        private static func occupyClosedStreams() {
            for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
                _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
            }
        }

        /// Throws for an argument that is not UTF-8. Swift repairs it, and a repaired path would be another file's.
        private static func rejectIllegibleArguments() throws(CommandFailure) {
            let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
            for case let argument? in arguments where String(validatingCString: argument) == nil {
                throw CommandFailure(
                    "\(String(cString: argument)) is not UTF-8; give the file such a name.", status: .usage)
            }
        }

        /// Prints a text and ends the process. ArgumentParser would exit with success even if the output could not be
        /// written.
        private static func end(withOutput text: String) -> Never {
            do throws(CommandFailure) {
                if !text.isEmpty { try CommandOutput.standard.line(text) }
            } catch {
                CommandOutput.error.report("tackline: \(error.message)")
                exit(error.status.rawValue)
            }
            exit(CommandStatus.success.rawValue)
        }

        /// Prints a failure as JSON on standard output if the arguments contain `--json`.
        private static func report(_ message: String, _ status: Int32, _ command: String) {
            // The arguments may be what is wrong, so they are searched here instead of being parsed.
            let arguments = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
            guard arguments.contains("--json") else { return }
            try? CommandOutput.standard.write(CommandFailure.report(message, status: status, of: command))
        }
    }
#else
    import Foundation

    /// The replacement for the tool if the package was built without its trait.
    @main
    enum TacklineTool {
        static func main() {
            let text = """
                The tool was built without the package trait CommandLine. Here: swift run --traits CommandLine tackline-tool
                In a package that depends on this one: .package(url: …, traits: ["CommandLine"])

                """
            FileHandle.standardError.write(Data(text.utf8))
            exit(2)
        }
    }
#endif
