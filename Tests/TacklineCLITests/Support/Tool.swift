#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport

    /// The output of the built tool, which is run as a user would run it.
    struct Tool: Sendable {
        let output: String
        let errors: String
        let status: Int32

        /// Runs the tool to its end.
        ///
        /// - Parameters:
        ///   - arguments: The arguments after the tool's name.
        ///   - folder: The working folder.
        ///   - environment: Variables that replace or extend those of the tests.
        ///   - wrapper: A program with its arguments, which receives the tool's command.
        static func run(
            _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:], wrapper: [String] = []
        ) async throws -> Tool {
            let program = try executable()
            let isWrapped = !wrapper.isEmpty
            let process = try ChildProcess(
                isWrapped ? URL(filePath: "/usr/bin/env") : program,
                isWrapped ? wrapper + [program.path] + arguments : arguments, in: folder, environment: environment)
            let ending = try await process.ending()
            return Tool(output: ending.output, errors: ending.errors, status: ending.status)
        }

        /// Starts the tool and leaves it running. The lines of both streams arrive in the order in which they are
        /// printed.
        static func start(_ arguments: String...) throws -> ChildProcess {
            try ChildProcess(executable(), arguments, mergesErrors: true)
        }

        /// Returns the members of the JSON that was printed.
        func members() throws -> [String: EncodedFlagValue] {
            guard case .object(let members) = try FlagJSONReader().read(output) else {
                throw CocoaError(.coderReadCorrupt)
            }
            return members
        }

        /// Returns a list among the members of the JSON that was printed.
        func list(_ name: String) throws -> [EncodedFlagValue] {
            guard case .array(let list)? = try members()[name] else { throw CocoaError(.coderReadCorrupt) }
            return list
        }

        /// Returns the executable in the folder of the tests.
        static func executable() throws -> URL {
            // The product is `tackline-tool`, but its target and the file of a debug build have another name.
            guard let program = ChildProcess.program("tackline-tool", "TacklineCLI") else {
                throw CocoaError(.fileNoSuchFile)
            }
            return program
        }
    }
#endif
