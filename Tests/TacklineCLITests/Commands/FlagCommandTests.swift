#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("tackline flag, init and completions", .hangLimit)
    struct FlagCommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("rollout.json", Samples.definitions)
            _ = try folder.file("manifest.json", Samples.manifest)
            _ = try folder.file("flags.json", Samples.values)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url)
        }

        @Test("changes what it is told to, and no other byte")
        func edits() async throws {
            var text = Samples.definitions
            let plain =
                #""plain": { "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off" }"#
            #expect(try await tool("flag", "disable", "rollout.json", "plain").output == "plain: disabled\n")
            text = text.replacing(plain, with: plain.replacing("ENABLED", with: "DISABLED"))
            #expect(try folder.text("rollout.json") == text)
            #expect(try await tool("flag", "disable", "rollout.json", "plain").output == "plain: disabled, as before\n")
            let changed = try await tool("flag", "default", "rollout.json", "plain", "on")
            #expect(changed.output == "plain: default variant \"on\" (was \"off\")\n")
            text = text.replacing(
                plain.replacing("ENABLED", with: "DISABLED"),
                with: plain.replacing("ENABLED", with: "DISABLED").replacing("\"off\" }", with: "\"on\" }"))
            #expect(try folder.text("rollout.json") == text)
            let set = try await tool("flag", "set", "rollout.json", "plain", "maybe", "null")
            #expect(set.status == 0 && set.output == "plain: \"maybe\" = null (new)\n", "\(set.errors)")
            #expect(try folder.text("rollout.json").contains(#""off": false, "maybe": null }"#))
            #expect(try await tool("flag", "remove", "rollout.json", "plain").output == "plain: removed\n")
            #expect(try folder.text("rollout.json").contains("plain") == false)
            let added = try await tool(
                "flag", "add", "rollout.json", "new", "--variant", "a=1", "--variant", "b=x", "--default", "b", "--json"
            )
            #expect(try added.members()["keys"] == ["new"], "\(added.errors)")
            #expect(try folder.text("rollout.json").contains(#""variants": { "a": 1, "b": "x" }"#))
            #expect(try await tool("validate", "rollout.json").status == 0)
        }

        @Test("reads a variant whose value begins with a combining mark")
        func combiningMark() async throws {
            let added = try await tool(
                "flag", "add", "rollout.json", "new", "--variant", "a=\u{301}x", "--default", "a", "--json")
            #expect(try added.members()["keys"] == ["new"], "\(added.errors)")
            #expect(try folder.text("rollout.json").contains("\"a\": \"\u{301}x\""))
        }

        @Test("of several flags is one write, or none")
        func several() async throws {
            let tool = try await tool("flag", "disable", "rollout.json", "plain", "reservation")
            #expect(tool.status == 2 && tool.errors.contains("did you mean \"reservations\"?"))
            #expect(try folder.text("rollout.json") == Samples.definitions)
        }

        @Test(
            "refuses what would break a flag, and writes nothing",
            arguments: [
                (["add", "rollout.json", "plain"], 2, "already"),
                (["add", "rollout.json", "x", "--variant", "a"], 64, "say on=true"),
                (["add", "rollout.json", "x", "--variant", "a=1", "--variant", "b=2"], 64, "--default"),
                (["add", "rollout.json", "x", "--variant", "a=1", "--default", "b"], 2, "no variant \"b\""),
                (["default", "rollout.json", "plain", "offf"], 2, "did you mean \"off\"?"),
                (["enable", "flags.json", "sson"], 2, "not flag definitions"),
                (["enable", "absent.json", "sson"], 2, "tackline init absent.json"),
            ] as [([String], Int32, String)])
        func refused(arguments: [String], status: Int32, words: String) async throws {
            let tool = try await Tool.run(["flag"] + arguments, in: folder.url)
            #expect(tool.status == status && tool.errors.contains(words), "\(tool.errors)")
            #expect(try folder.text("rollout.json") == Samples.definitions)
            #expect(try folder.names().contains("absent.json") == false)
        }

        @Test("keeps comments, also where it adds a flag to none")
        func comments() async throws {
            _ = try folder.file("new.json", "// Ours.\n{\n  \"flags\": {} // none yet\n}\n")
            #expect(try await tool("flag", "add", "new.json", "a").status == 0)
            #expect(try await tool("flag", "enable", "new.json", "a").status == 0)
            let text = try folder.text("new.json")
            #expect(text.hasPrefix("// Ours.\n") && text.contains("} // none yet\n"))
        }

        @Test("init makes a file that validate and fmt find good, and never overwrites one")
        func initial() async throws {
            for (name, words) in [
                ("new.json", "3 values"), ("new.flagd.json", "3 flag definitions"), ("new.plist", "3 values"),
            ] {
                let made = try await tool("init", name, "--manifest", "manifest.json")
                #expect(made.status == 0 && made.output.contains(words), "\(made.output)\(made.errors)")
                #expect(try await tool("validate", name).status == 0)
                if name.hasSuffix(".json") { #expect(try await tool("fmt", "--check", name).status == 0) }
                let text = try folder.bytes(name)
                #expect(try await tool("init", name).status == 2)
                #expect(try folder.bytes(name) == text)
            }
            #expect(try await tool("init", "-", "--as", "flagd").output.contains("\"flags\": {}"))
            #expect(try await tool("init", "a.json", "--as", "manifest").status == 64)
        }

        @Test(
            "completions offer the keys of the file that is named",
            arguments: ["flags.json", "rollout.json", "manifest.json"])
        func completions(name: String) throws {
            let path = folder.file(name).path
            let keys = CompletionKeys.keys(in: ["tackline", "get", path, "s"], beginningWith: "s")
            #expect(keys == (name == "rollout.json" ? [] : ["secrets/boom_feature", "sson"]))
            #expect(CompletionKeys.keys(in: ["tackline", "flag", "enable", path, ""], beginningWith: "").count >= 2)
            #expect(CompletionKeys.keys(in: ["tackline", "get", "absent.json", ""], beginningWith: "") == [])
            // A pipe, which would keep the shell waiting, is not read.
            let pipe = folder.file("pipe.json").path
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(CompletionKeys.keys(in: ["tackline", "get", pipe, ""], beginningWith: "") == [])
            // A flat key beside its group, as writes of an app leave it, and a mark that a group is no value.
            let written = #"{"search": {"limit": 5}, "/search": {"a": 1}, "limits": {"b": 2}, "/limits/": null}"#
            let shared = try folder.file("written.json", written).path
            #expect(
                CompletionKeys.keys(in: ["tackline", "get", shared, ""], beginningWith: "")
                    == ["limits/b", "search", "search/limit"])
        }

        @Test("completion scripts ask the tool for keys", arguments: ["bash", "zsh", "fish"])
        func scripts(shell: String) async throws {
            let script = try await tool("--generate-completion-script", shell)
            #expect(script.output.contains("---completion"))
            let answer = try await Tool.run(
                ["---completion", "get", "--", "positional@1", "3", "1", "tackline", "get", "flags.json", "s"],
                in: folder.url)
            #expect(answer.output.contains("sson") && answer.output.contains("secrets/boom_feature"), "\(answer)")
        }
    }
#endif
