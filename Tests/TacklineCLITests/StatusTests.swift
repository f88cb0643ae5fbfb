#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("How the tool ends", .hangLimit)
    struct StatusTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws {
            folder = try Samples.folder()
            _ = try folder.file("other.json", #"{ "sson": false }"#)
            _ = try folder.file("broken.json", "{ \"a\": tru }")
        }

        /// Examples of commands for each status.
        static let table: [(status: CommandStatus, command: String)] = [
            (.success, "--version"), (.success, "get flags.json sson"), (.success, "diff flags.json flags.json"),
            (.success, "validate flags.json"), (.success, "--help"),
            (.findings, "diff flags.json other.json"), (.findings, "get flags.json nothing"),
            (.findings, "validate broken.json"), (.findings, "lint manifest.json"),
            (.findings, "unset flags.json nothing"),
            (.findings, "validate flags.json --manifest manifest.json --strict"),
            (.trouble, "diff flags.json absent.json"), (.trouble, "diff flags.json rollout.json"),
            (.trouble, "get absent.json a"), (.trouble, "get broken.json a"), (.trouble, "set flags.json sson flase"),
            (.trouble, "explain broken.json a"), (.trouble, "lint absent.json"),
            (.trouble, "rollout rollout.json absent 5"),
            (.trouble, "serve absent.json"),
            (.trouble, "flag enable rollout.json absent"),
            (.trouble, "generate swift flags.json"),
            (.usage, "gte flags.json a"), (.usage, "get flags.json"),
            (.usage, "serve -"),
        ]

        @Test("is the same for every command", arguments: table.indices)
        func statuses(index: Int) async throws {
            let (status, command) = Self.table[index]
            for suffix in ["", " --json"] {
                // A command without the option `--json` is an error in the command line, which another example covers.
                if !suffix.isEmpty, command.hasPrefix("generate") {
                    continue
                }
                let words = (command + suffix).split(separator: " ").map(String.init)
                let tool = try await tool(words)
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
            let guide = try Samples.text(ofPackageFile: "Docs/Tackline.docc/CommandLine.md")
            let help = try await tool("--help").output.split { $0.isWhitespace }.joined(separator: " ")
            for status in CommandStatus.allCases {
                #expect(guide.contains("| \(status.rawValue) | \(status.meaning) |"))
                #expect(help.contains("\(status.rawValue) \(status.meaning)"))
            }
        }

        @Test(
            "is also in the JSON that programs read",
            arguments: [
                ("get absent.json a --json", "get", 2, "cannot be read"),
                ("get flags.json no --json", "get", 1, "no value"),
                ("get --json flags.json", "tackline", 64, "Missing expected argument"),
                ("diff flags.json absent.json --json", "diff", 2, "cannot be read"),
            ])
        func json(command: String, name: String, status: Int, words: String) async throws {
            let tool = try await tool(command.split(separator: " ").map(String.init))
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
            let tool = try await tool("--version")
            let log = try Samples.text(ofPackageFile: "CHANGELOG.md")
            let heading = log.split(separator: "\n").first { $0.hasPrefix("## ") && $0 != "## Unreleased" }
            #expect(tool.output == "\(TacklineTool.version)\n" && tool.errors == "")
            #expect(heading?.hasPrefix("## \(TacklineTool.version) ") == true)
        }

        @Test("each command has an example in its help, and a place in the completions of each shell")
        func help() async throws {
            let commands = try await tool("--help").output.matches(of: /\n  ([a-z]+) +[A-Z]/).map { String($0.1) }
            #expect((10...16).contains(commands.count))
            for command in commands {
                let help = try await tool((command == "generate" ? [command, "swift"] : [command]) + ["--help"])
                #expect(help.status == 0 && help.output.contains("\n  tackline \(command) "), "\(help.output)")
            }
            for shell in ["bash", "zsh", "fish"] {
                let script = try await tool("--generate-completion-script", shell)
                #expect(script.status == 0 && commands.allSatisfy { script.output.contains($0) })
                // No completion of keys runs the tool on the user's files.
                #expect(!script.output.contains("---completion"))
            }
        }

        @Test("colours are for terminals, and not where NO_COLOR is set")
        func colours() {
            #expect(TextStyle(isTerminal: true, environment: [:]).red("x") == "\u{1B}[31mx\u{1B}[0m")
            #expect(TextStyle(isTerminal: true, environment: ["NO_COLOR": ""]).isColored)
            for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
                #expect(TextStyle(isTerminal: true, environment: environment).red("x") == "x")
            }
            #expect(TextStyle(isTerminal: false, environment: [:]).red("x") == "x")
        }

        @Test("advice names only options that there are")
        func advice() async throws {
            #expect(try await tool("get", "rollout.json", "flags").errors.contains("--as values"))
            let state = ["rollout.json", "flags/plain/state"]
            #expect(try await tool(["set"] + state + ["DISABLED", "--as", "values"]).status == 0)
            #expect(try await tool(["get"] + state + ["--as", "values"]).output == "DISABLED\n")
        }
    }
#endif
