#if CommandLine
    import Foundation
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("The tool", .hangLimit)
    struct ToolTests {
        @Test("teaches each command with an example")
        func commandHelp() async throws {
            for command in [
                "validate", "get", "set", "unset", "explain", "diff", "rollout", "manifest",
                "lint",
            ] {
                let tool = try await Tool.run(command, "--help")
                #expect(tool.status == 0 && tool.output.contains("\n  tackline \(command) "), "\(tool.output)")
            }
        }

        @Test("makes completions for shells")
        func completions() async throws {
            for shell in ["bash", "zsh", "fish"] {
                let tool = try await Tool.run("--generate-completion-script", shell)
                #expect(tool.status == 0 && tool.output.contains("validate") && tool.output.contains("tackline"))
            }
        }

        @Test("uses colours on a terminal only, and not where NO_COLOR is set")
        func colours() {
            #expect(TextStyle(isTerminal: true, environment: [:]).red("x") == "\u{1B}[31mx\u{1B}[0m")
            #expect(TextStyle(isTerminal: true, environment: ["NO_COLOR": ""]).isColored)
            #expect(TextStyle(isTerminal: true, environment: ["NO_COLOR": "1"]).red("x") == "x")
            #expect(TextStyle(isTerminal: true, environment: ["TERM": "dumb"]).red("x") == "x")
            #expect(TextStyle(isTerminal: false, environment: [:]).red("x") == "x")
        }
    }
#endif
