#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("tackline get, set, unset and explain", .hangLimit)
    struct ValueCommandTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

        @Test("get prints a value, flat or nested, a string as it is, and ends with 1 if there is none")
        func get() async throws {
            #expect(try await tool("get", "flags.json", "secrets/boom_feature").output == "false\n")
            _ = try folder.file("text.json", #"{ "a": "x\u001b[2J\nlines", "b": [1, 2.0] }"#)
            #expect(try await tool("get", "text.json", "a").output == "x\u{1B}[2J\nlines\n")
            #expect(ValueArgument.text(of: "x\u{1B}[2J\ny", onTerminal: true) == "x\\u{1B}[2J\ny\n")
            #expect(try await tool("get", "text.json", "b").output == "[1,2.0]\n")
            #expect(try await tool("get", "text.json", "b", "--json").members()["value"] == [1, 2.0])
            let absent = try await tool("get", "flags.json", "secrets/boom_featur")
            #expect(absent.status == 1 && absent.output == "")
            #expect(
                absent.errors.contains(#"no value for "secrets/boom_featur"; did you mean "secrets/boom_feature"?"#))
        }

        @Test("set finds a nested value by the separator of the flag's collection")
        func separator() async throws {
            _ = try folder.file(
                "dots.json",
                #"""
                { "tacklineManifest": 1, "collections": [
                  { "separator": ".", "flags": [{ "key": "a.b", "type": { "kind": "integer" } }] }] }
                """#)
            _ = try folder.file("nested.json", #"{ "a": { "b": 1 } }"#)
            let tool = try await tool("set", "nested.json", "a.b", "2", "--manifest", "dots.json")
            #expect(tool.output == "a.b = 2 (was 1)\n")
            #expect(try folder.text("nested.json") == #"{ "a": { "b": 2 } }"#)
        }

        @Test("set adds a value where its group is, in the layout of its neighbours")
        func add() async throws {
            #expect(try await tool("set", "flags.json", "secrets/depth", "3").status == 0)
            #expect(try await tool("set", "flags.json", "list", "[1, 2]").status == 0)
            #expect(
                try folder.text("flags.json") == """
                    {
                      "sson": true,

                      "secrets": { "boom_feature": false, "depth": 3 },
                      "max_attempts": 5,
                      "list": [1, 2]
                    }

                    """)
        }

        @Test("set makes a file in the format of its name, with its folder")
        func create() async throws {
            #expect(try await tool("set", "new/flags.json", "a/b", "true").status == 0)
            #expect(try folder.text("new/flags.json") == "{\n  \"a/b\": true\n}\n")
            #expect(try await tool("set", "flags.plist", "a", "1.5").status == 0)
            #expect(try folder.text("flags.plist").contains("<real>1.5</real>"))
            #expect(try await tool("set", "flags.plist", "b", "x").output.contains("was rewritten"))
            #expect(try await tool("get", "flags.plist", "a").output == "1.5\n")
        }

        @Test("set takes JSON, or a string, or what the flag's type says")
        func types() async throws {
            #expect(try await tool("set", "flags.json", "text", "hello").output.hasPrefix("text = \"hello\""))
            let yes = try await tool("set", "flags.json", "sson", "no", "--manifest", "manifest.json")
            #expect(yes.output == "sson = false (was true)\n")
            let theme = try await tool("set", "flags.json", "theme", "dark", "--manifest", "manifest.json", "--json")
            #expect(try theme.members()["new"] == "dark" && theme.members()["keepsLayout"] == true)
            #expect(try await tool("set", "flags.json", "n", "--", "-1").output.hasPrefix("n = -1"))
        }

        @Test(
            "set refuses what the app would refuse, and what looks like a slip of the finger, and writes nothing",
            arguments: [
                (["max_attempts", "300", "--manifest", "manifest.json"], "an integer from 0 to 255"),
                (["theme", "blue", "--manifest", "manifest.json"], "one of \"light\", \"dark\""),
                (["sson", "\"true\"", "--manifest", "manifest.json"], "true or false"),
                (["ssno", "true", "--manifest", "manifest.json"], "did you mean \"sson\"?"),
                (["sson", "flase", "--manifest", "manifest.json"], "Did you mean false?"),
                (["sson", "flase"], "did you mean false?"), (["sson", "1"], "use --change-type"),
                (["max_attempts", "five"], "use --change-type"), (["secrets", "true"], "use --change-type"),
                (["a", "{"], "--string"), (["a", "[1,]"], "--string"), (["a", "\"open"], "--string"),
                (["a", "1e400"], "too large"),
                (["a//b", "1"], "a//b"),
            ])
        func refused(arguments: [String], words: String) async throws {
            let tool = try await tool(["set", "flags.json"] + arguments)
            #expect(tool.status == (arguments[0] == "a//b" ? 64 : 2) && tool.output == "")
            #expect(tool.errors.contains(words), "\(tool.errors)")
            #expect(try folder.text("flags.json") == Samples.values)
        }

        @Test("set takes it if it is said to be meant, and another number or null anyway")
        func meant() async throws {
            for (arguments, output) in [
                (["sson", "flase", "--change-type"], "sson = \"flase\" (was true)\n"),
                (["sson", "true", "--string"], "sson = \"true\" (was \"flase\")\n"),
                (["max_attempts", "2.5"], "max_attempts = 2.5 (was 5)\n"),
                (["max_attempts", "null"], "max_attempts = null (was 2.5)\n"),
                (["max_attempts", "many"], "max_attempts = \"many\" (was null)\n"),
                (["a", "{", "--string"], "a = \"{\" (had no value)\n"),
            ] {
                #expect(try await tool(["set", "flags.json"] + arguments).output == output)
            }
        }

        @Test("- is standard input and output, and no file of that name is made")
        func dash() async throws {
            for (arguments, text) in [
                (["set", "-", "sson", "false"], Samples.values.replacing("\"sson\": true", with: "\"sson\": false")),
                (["unset", "-", "max_attempts"], Samples.values.replacing(",\n  \"max_attempts\": 5", with: "")),
            ] {
                let tool = try await tool(arguments, shell: "\"$0\" \"$@\" < flags.json")
                #expect(tool.status == 0 && tool.output == text && tool.errors.contains(arguments[2]), "\(tool.errors)")
            }
            let rollout = try await tool(
                "rollout", "-", "reservations", "25", shell: "\"$0\" \"$@\" < rollout.json")
            #expect(rollout.output.contains(#"["on",   25]"#) && rollout.errors.contains("gain it"))
            for arguments in [["keygen", "-"], ["serve", "-"]] {
                #expect(try await tool(arguments).status == 64, "\(arguments)")
            }
            #expect(try folder.names() == ["flags.json", "manifest.json", "rollout.json"])
        }

        @Test("unset removes values with their comma, and the group that becomes empty")
        func unset() async throws {
            let tool = try await tool("unset", "flags.json", "secrets/boom_feature", "nothing", "sson")
            #expect(tool.status == 1)
            #expect(
                tool.output == """
                    secrets/boom_feature removed (was false)
                    nothing had no value
                    sson removed (was true)

                    """)
            #expect(try folder.text("flags.json") == "{\n  \"max_attempts\": 5\n}\n")
            #expect(try await self.tool("unset", "flags.json", "max_attempts").status == 0)
            #expect(try folder.text("flags.json") == "{}\n")
            #expect(try await self.tool("unset", "none.json", "a").status == 2)
            #expect(try folder.names().contains("none.json") == false)
        }

        @Test("explain says what a value file answers, and whether the app takes it")
        func explain() async throws {
            let good = try await tool("explain", "flags.json", "secrets/boom_feature", "--manifest", "manifest.json")
            #expect(good.status == 0)
            #expect(
                good.output == """
                    secrets/boom_feature
                      flags.json: false at line 4, column 16, as a nested value
                      type: a Boolean (Bool)
                      default: false

                    """)
            let absent = try await tool("explain", "flags.json", "theme", "--manifest", "manifest.json", "--json")
            #expect(try absent.members()["isAnswered"] == false && absent.members()["default"] == .null)
            #expect(try await tool("explain", "rollout.json", "pla1n").output.contains("Did you mean \"plain\"?"))
            let split = try await tool("explain", "rollout.json", "reservations", "--user", "ann", "--json")
                .members()["split"]
            guard case .object(let members)? = split, case .double(let place)? = members["place"] else {
                Issue.record("there is no place in the split")
                return
            }
            #expect(place >= 0.1 && members["variant"] == "off")
        }

        @Test("explain says what would be for somebody else")
        func explainAttributes() async throws {
            _ = try folder.file(
                "rules.json",
                """
                {"flags": {"fee": {"state": "ENABLED", "variants": {"low": 1, "high": 2}, "defaultVariant": "high",
                "targeting": {"if": [{"and": [{"==": [{"var": "plan"}, "gold"]}, {">": [{"var": "age"}, 17]}]}, "low"]}}}}
                """)
            let gold = try await tool(
                "explain", "rules.json", "fee", "--attribute", "plan=gold", "--attribute", "age=18")
            #expect(
                gold.output == """
                    fee
                      rules.json: 1 without a user: variant "low", TARGETING_MATCH
                      yes  (plan == "gold") and (age > 17)
                      It gives low.
                      Looked at: plan = "gold", age = 18
                      Variants: high = 2, low = 1; default: high.

                    """)
            let other = try await tool("explain", "rules.json", "fee", "--attribute", "plan=plain")
            #expect(
                other.output.contains("no   (plan == \"gold\") and (age > 17)\n  It gives the default variant, high."))
            #expect(other.output.contains("age = not given"))
            #expect(try await tool("explain", "rules.json", "fee", "--attribute", "gold").status == 64)
            let mark = try await tool("explain", "rules.json", "fee", "--attribute", "plan=\u{301}x")
            #expect(mark.status == 0 && mark.errors.isEmpty, "\(mark.errors)")
        }
    }
#endif
