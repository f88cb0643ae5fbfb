#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("tackline flag", .hangLimit)
    struct FlagCommandTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

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
            #expect(
                try folder.text("rollout.json").contains(
                    "\"variants\": {\n        \"a\": 1,\n        \"b\": \"x\"\n      }"))
            #expect(try await tool("validate", "rollout.json").status == 0)
        }

        @Test(
            "refuses what would break a flag, and writes nothing, nor of several flags one",
            arguments: [
                (["disable", "rollout.json", "plain", "reservation"], 2, "did you mean \"reservations\"?"),
                (["add", "rollout.json", "plain"], 2, "already"),
                (["add", "rollout.json", "x", "--variant", "a"], 64, "write on=true"),
                (["add", "rollout.json", "x", "--variant", "a=1", "--variant", "b=2"], 64, "--default"),
                (["add", "rollout.json", "x", "--variant", "a=1", "--default", "b"], 2, "no variant \"b\""),
                (["default", "rollout.json", "plain", "offf"], 2, "did you mean \"off\"?"),
                (["enable", "flags.json", "sson"], 2, "not flag definitions"),
                (["enable", "absent.json", "sson"], 2, "make it with tackline flag add"),
            ] as [([String], Int32, String)])
        func refused(arguments: [String], status: Int32, words: String) async throws {
            let tool = try await tool(["flag"] + arguments)
            #expect(tool.status == status && tool.errors.contains(words), "\(tool.errors)")
            #expect(try folder.text("rollout.json") == Samples.definitions)
            #expect(try folder.names().contains("absent.json") == false)
        }
    }
#endif
