#if CommandLine
    import ArgumentParser

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The entry point: runs the command that was asked for, and turns what it throws into a message and a status.
    @main
    enum TacklineTool {
        /// What `--version` prints. Stands in the change log too.
        static let version = "0.1.0"

        static func main() async {
            // A reader that goes away, as `head` does, shows as an error of the write, which ``CommandOutput`` handles.
            signal(SIGPIPE, SIG_IGN)
            var name = "tackline"
            do {
                var command = try TacklineCommand.parseAsRoot()
                name = type(of: command).configuration.commandName ?? name
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let failure as CommandFailure {
                // What was found has been said already.
                if !failure.message.isEmpty {
                    CommandOutput.error.report("tackline: \(failure.message)")
                    report(failure.message, failure.status.rawValue, name)
                }
                exit(failure.status.rawValue)
            } catch {
                let code = TacklineCommand.exitCode(for: error)
                // Help and the version are no failures.
                if code.isSuccess { end(withOutput: TacklineCommand.text(of: error)) }
                report(TacklineCommand.message(for: error), code.rawValue, name)
                TacklineCommand.exit(withError: error)
            }
        }

        /// Prints a text and ends. ArgumentParser would end with success even where a disk is full.
        private static func end(withOutput text: String) -> Never {
            do throws(CommandFailure) {
                if !text.isEmpty { try CommandOutput.standard.line(text) }
            } catch {
                CommandOutput.error.report("tackline: \(error.message)")
                exit(error.status.rawValue)
            }
            exit(CommandStatus.success.rawValue)
        }

        /// Tells programs of a failure where they read the result.
        private static func report(_ message: String, _ status: Int32, _ command: String) {
            // The command line may be the very thing that is wrong, so it is not asked for its options.
            let arguments = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
            guard arguments.contains("--json") else { return }
            try? CommandOutput.standard.write(CommandFailure.report(message, status: status, of: command))
        }
    }
#else
    import Foundation

    /// Stands in for the tool where the package was built without its trait.
    @main
    enum TacklineTool {
        static func main() {
            let text = """
                The tool was built without the package trait CommandLine. In this package:

                  swift run --traits CommandLine tackline-tool

                In a package that depends on it, say so in Package.swift, and try again:

                  .package(url: …, traits: ["CommandLine"])

                """
            FileHandle.standardError.write(Data(text.utf8))
            exit(2)
        }
    }
#endif
