#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineEnvironment

    /// The command of a bisection, which is run with one document of values after another.
    struct BisectedCommand {
        /// The way in which the values reach the command.
        enum Handing: Equatable {
            /// A JSON file, whose path replaces `{}` in the arguments and is in the variable `TACKLINE_BISECT_VALUES`.
            case file
            /// The variables that ``EnvironmentProvider`` reads with a prefix.
            case variables(prefix: String)
        }

        /// The status with which a command says that it can't be tried with these values, as for `git bisect`.
        static let skipStatus: Int32 = 125

        let arguments: [String]
        let handing: Handing
        /// The greatest number of runs for a set, and how many of them must fail.
        let (runs, failures): (Int, Int)
        /// The time after which a run is ended, which counts as a failure; `nil` for no end.
        let limit: Duration?
        /// Whether the command's output is shown.
        let showsOutput: Bool

        /// Returns whether the command fails with some values: if enough of the runs fail.
        ///
        /// - Parameter keys: The keys of the search. Variables of the caller for those without a value are not handed on.
        func fails(with document: FlagDocument, keys: [FlagKeyPath]) throws(CommandFailure) -> Bool {
            guard handing == .file else { return try fails("", variables(of: document, keys: keys)) }
            let folder = try BisectionFolder()
            try FileWriting.write(FileWriting.bytes(of: document.root, format: .json), to: folder.file.path)
            return try fails(folder.file.path, [:])
        }

        private func fails(_ file: String, _ variables: [String: String?]) throws(CommandFailure) -> Bool {
            var failed = 0
            for run in 0..<runs {
                // Neither can be decided any more.
                if failed + runs - run < failures { return false }
                if try runFails(file, variables) { failed += 1 }
                if failed >= failures { return true }
            }
            return false
        }

        /// Returns the texts of variables, `nil` for those that the command must not have.
        private func variables(of document: FlagDocument, keys: [FlagKeyPath]) -> [String: String?] {
            guard case .variables(let prefix) = handing else { return [:] }
            let provider = EnvironmentProvider(prefix: prefix, environment: [:])
            var variables: [String: String?] = [:]
            for key in keys { variables.updateValue(nil, forKey: provider.variableName(for: key)) }
            for text in document.leafKeys.sorted() {
                let key = FlagKeyPath(text)
                guard let value = document.value(for: key), value != .null else { continue }
                if case .string(let text) = value {
                    variables[provider.variableName(for: key)] = text
                } else {
                    variables[provider.variableName(for: key)] = "\(value)"
                }
            }
            return variables
        }

        private func runFails(_ file: String, _ variables: [String: String?]) throws(CommandFailure) -> Bool {
            let process = Process()
            // It looks the command up in PATH.
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["--"] + arguments.map { handing == .file ? $0.replacing("{}", with: file) : $0 }
            var environment = ProcessInfo.processInfo.environment
            for (name, text) in variables { environment[name] = text }
            if handing == .file { environment["TACKLINE_BISECT_VALUES"] = file }
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            // The tool's own output is the result.
            process.standardOutput = showsOutput ? FileHandle.standardError : FileHandle.nullDevice
            process.standardError = showsOutput ? FileHandle.standardError : FileHandle.nullDevice
            // The command inherits what is ignored, and programs behind it in a pipe count on the default.
            let former = signal(SIGPIPE, SIG_DFL)
            defer { signal(SIGPIPE, former) }
            do {
                try process.run()
            } catch {
                throw CommandFailure(
                    "The command cannot be started: \(error.localizedDescription); check its name and its rights.")
            }
            if let limit {
                let end = ContinuousClock.now + limit
                while process.isRunning, ContinuousClock.now < end { usleep(5_000) }
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            }
            process.waitUntilExit()
            guard process.terminationReason == .exit else { return true }
            switch process.terminationStatus {
            case 126, 127:
                throw CommandFailure(
                    "\(arguments.first ?? "The command") cannot be started (status \(process.terminationStatus)); check its name."
                )
            case 0, Self.skipStatus: return false
            default: return true
            }
        }
    }
#endif
