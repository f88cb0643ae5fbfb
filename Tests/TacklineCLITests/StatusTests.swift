#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("How the tool ends", .hangLimit)
    struct StatusTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("other.json", #"{ "sson": false }"#)
            _ = try folder.file("manifest.json", Samples.manifest)
            _ = try folder.file("rollout.json", Samples.definitions)
            _ = try folder.file("formatted.json", "{\n  \"a\": 1\n}\n")
            _ = try folder.file("broken.json", "{ \"a\": tru }")
        }

        /// Examples of commands for each status.
        static let table: [(status: CommandStatus, command: String)] = [
            (.success, "--version"), (.success, "get flags.json sson"), (.success, "diff flags.json flags.json"),
            (.success, "validate flags.json"), (.success, "--help"), (.success, "fmt --check formatted.json"),
            (.findings, "diff flags.json other.json"), (.findings, "get flags.json nothing"),
            (.findings, "validate broken.json"), (.findings, "lint manifest.json"),
            (.findings, "unset flags.json nothing"), (.findings, "fmt --check flags.json"),
            (.findings, "validate flags.json --manifest manifest.json --strict"),
            (.trouble, "diff flags.json absent.json"), (.trouble, "diff flags.json rollout.json"),
            (.trouble, "get absent.json a"), (.trouble, "get broken.json a"), (.trouble, "set flags.json sson flase"),
            (.trouble, "explain broken.json a"), (.trouble, "lint absent.json"),
            (.trouble, "rollout rollout.json absent 5"), (.trouble, "browse manifest.json"),
            (.trouble, "watch http://127.0.0.1:1/flags.json"), (.trouble, "serve absent.json"),
            (.trouble, "convert broken.json --to plist"), (.trouble, "flag enable rollout.json absent"),
            (.trouble, "init flags.json"), (.trouble, "generate swift flags.json"),
            (.usage, "gte flags.json a"), (.usage, "get flags.json"), (.usage, "browse http://127.0.0.1:1/?token=x"),
            (.usage, "migrate flags.json --write -"), (.usage, "browse -"), (.usage, "serve -"),
        ]

        @Test("is the same for every command", arguments: table.indices)
        func statuses(index: Int) async throws {
            let (status, command) = Self.table[index]
            for suffix in ["", " --json"] {
                // A command without the option `--json` is an error in the command line, which another example covers.
                if !suffix.isEmpty, ["fmt", "init", "generate", "convert"].contains(where: command.hasPrefix) {
                    continue
                }
                let words = (command + suffix).split(separator: " ").map(String.init)
                let tool = try await Tool.run(words, in: folder.url)
                #expect(tool.status == status.rawValue, "\(command)\(suffix): \(tool.errors)")
                if [.trouble, .usage].contains(status) {
                    #expect(!tool.errors.isEmpty && (tool.output.isEmpty == suffix.isEmpty), "\(command)\(suffix)")
                }
            }
        }

        @Test("has an example for each status, but for a disk that is full, and a row in the guide and in the help")
        func complete() async throws {
            let shown = Set(Self.table.map(\.status))
            #expect(shown == Set(CommandStatus.allCases).subtracting([.output]))
            var package = URL(filePath: #filePath)
            for _ in 0..<3 { package.deleteLastPathComponent() }
            let guide = try String(
                contentsOf: package.appending(path: "Docs/Tackline.docc/CommandLine.md"), encoding: .utf8)
            let help = try await Tool.run("--help").output.split { $0.isWhitespace }.joined(separator: " ")
            for status in CommandStatus.allCases {
                #expect(guide.contains("| \(status.rawValue) | \(status.meaning) |"))
                #expect(help.contains("\(status.rawValue) \(status.meaning)"))
            }
        }

        @Test(
            "is told to programs as JSON, where they read results",
            arguments: [
                ("get absent.json a --json", "get", 2, "cannot be read"),
                ("get flags.json no --json", "get", 1, "no value"),
                ("get --json flags.json", "tackline", 64, "Missing expected argument"),
                ("diff flags.json absent.json --json", "diff", 2, "cannot be read"),
            ])
        func json(command: String, name: String, status: Int, words: String) async throws {
            let tool = try await Tool.run(command.split(separator: " ").map(String.init), in: folder.url)
            let members = try tool.members()
            #expect(members["command"] == .string(name) && members["status"] == .integer(Int128(status)))
            guard case .object(let error)? = members["error"], case .string(let message)? = error["message"] else {
                Issue.record("\(tool.output)")
                return
            }
            #expect(message.contains(words) && tool.errors.contains(words))
        }

        @Test("--version prints the version of the change log")
        func version() async throws {
            let tool = try await Tool.run("--version")
            var package = URL(filePath: #filePath)
            for _ in 0..<3 { package.deleteLastPathComponent() }
            let log = try String(contentsOf: package.appending(path: "CHANGELOG.md"), encoding: .utf8)
            let heading = log.split(separator: "\n").first { $0.hasPrefix("## ") && $0 != "## Unreleased" }
            #expect(tool.output == "\(TacklineTool.version)\n" && tool.errors == "")
            #expect(heading?.hasPrefix("## \(TacklineTool.version) ") == true)
        }

        @Test("advice names only options that there are")
        func advice() async throws {
            let refused = try await Tool.run("get", "rollout.json", "flags", in: folder.url)
            #expect(refused.errors.contains("--as values"))
            let taken = try await Tool.run("get", "rollout.json", "flags/plain/state", "--as", "values", in: folder.url)
            #expect(taken.output == "ENABLED\n")
            let written = try await Tool.run(
                "set", "rollout.json", "flags/plain/state", "DISABLED", "--as", "values", in: folder.url)
            #expect(written.status == 0, "\(written.errors)")
            #expect(
                try folder.text("rollout.json")
                    == Samples.definitions.replacing(
                        #""plain": { "state": "ENABLED""#, with: #""plain": { "state": "DISABLED""#))
        }
    }
#endif
