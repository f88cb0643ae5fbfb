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
        static func main() async {
            // A reader that goes away, as `head` does, shows as an error of the write, which ``CommandOutput`` handles.
            signal(SIGPIPE, SIG_IGN)
            do {
                var command = try TacklineCommand.parseAsRoot()
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let failure as CommandFailure {
                // What was found has been said already.
                if !failure.message.isEmpty { CommandOutput.error.report("tackline: \(failure.message)") }
                exit(failure.status.rawValue)
            } catch {
                TacklineCommand.exit(withError: error)
            }
        }
    }
#else
    import Foundation

    /// Stands in for the tool where the package was built without its trait.
    @main
    enum TacklineTool {
        static func main() {
            let text =
                "The tool was built without the package trait CommandLine: swift run --traits CommandLine tackline-tool\n"
            FileHandle.standardError.write(Data(text.utf8))
            exit(1)
        }
    }
#endif
