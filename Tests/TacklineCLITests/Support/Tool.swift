#if CommandLine
    import Foundation
    import TacklineCore

    /// The built tool, run as a user would, and what it printed.
    struct Tool: Sendable {
        let output: String
        let errors: String
        let status: Int32

        /// Runs the tool to its end. Whatever it prints goes through files, so that no pipe can fill up.
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
            let folderOfOutput = try TemporaryFolder()
            let output = try folderOfOutput.file("output", "")
            let errors = try folderOfOutput.file("errors", "")
            let process = Process()
            let command = wrapper + [try executable().path] + arguments
            process.executableURL = URL(filePath: wrapper.isEmpty ? command[0] : "/usr/bin/env")
            process.arguments = wrapper.isEmpty ? arguments : command
            process.currentDirectoryURL = folder
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            let status = try await withCheckedThrowingContinuation { continuation in
                // Set before the start, so that no thread of the tests waits.
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
            return Tool(
                output: try folderOfOutput.text("output"), errors: try folderOfOutput.text("errors"), status: status)
        }

        /// The members of the JSON that it printed.
        func members() throws -> [String: EncodedFlagValue] {
            guard case .object(let members) = try FlagJSONReader().read(output) else { return [:] }
            return members
        }

        /// The executable, which lies beside the tests.
        static func executable() throws -> URL {
            let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
            let program = URL(filePath: ProcessInfo.processInfo.arguments[0])
            for place in bundles + [Bundle.main.bundleURL.appending(path: "x"), program] {
                // The product is called `tackline`; its target's name differs, and so does the file of a debug build.
                for name in ["tackline", "TacklineCLI"] {
                    let url = place.deletingLastPathComponent().appending(path: name)
                    if FileManager.default.isExecutableFile(atPath: url.path) { return url }
                }
            }
            throw CocoaError(.fileNoSuchFile)
        }
    }
#endif
