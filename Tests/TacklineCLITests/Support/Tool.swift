#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineTestSupport

    /// The built tool, run as a user would, and what it printed.
    struct Tool: Sendable {
        let output: String
        let errors: String
        let status: Int32

        /// Runs the tool to its end.
        ///
        /// - Parameters:
        ///   - arguments: What stands after the tool's name.
        ///   - folder: Where it runs.
        ///   - environment: Variables over those of the tests.
        ///   - wrapper: A program and arguments that start it, in front of its own.
        static func run(
            _ arguments: String..., in folder: URL? = nil, environment: [String: String] = [:], wrapper: [String] = []
        ) async throws -> Tool {
            try await run(arguments, in: folder, environment: environment, wrapper: wrapper)
        }

        /// Runs the tool with arguments in a list.
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

        /// Starts the tool and leaves it running. The lines of both streams come in the order in which it prints them.
        static func start(_ arguments: String...) throws -> ChildProcess { try start(arguments) }

        /// The same with arguments in a list.
        static func start(_ arguments: [String]) throws -> ChildProcess {
            try ChildProcess(executable(), arguments, mergesErrors: true)
        }

        /// The members of the JSON that it printed.
        func members() throws -> [String: EncodedFlagValue] {
            guard case .object(let members) = try FlagJSONReader().read(output) else {
                throw CocoaError(.coderReadCorrupt)
            }
            return members
        }

        /// A list among the members of the JSON that it printed.
        func list(_ name: String) throws -> [EncodedFlagValue] {
            guard case .array(let list)? = try members()[name] else { throw CocoaError(.coderReadCorrupt) }
            return list
        }

        /// The executable, which lies beside the tests.
        static func executable() throws -> URL {
            // The product is called `tackline-tool`; its target's name differs, and so does the file of a debug build.
            guard let program = ChildProcess.program("tackline-tool", "TacklineCLI") else {
                throw CocoaError(.fileNoSuchFile)
            }
            return program
        }
    }
#endif
