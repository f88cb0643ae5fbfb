#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("tackline get, set, unset and explain", .hangLimit)
    struct ValueCommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("rollout.json", Samples.definitions)
            _ = try folder.file("manifest.json", Samples.manifest)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url)
        }

        @Test("get prints a value, flat or nested, a string as it is")
        func get() async throws {
            #expect(try await tool("get", "flags.json", "secrets/boom_feature").output == "false\n")
            _ = try folder.file("text.json", #"{ "a": "two\nlines", "b": [1, 2.0] }"#)
            #expect(try await tool("get", "text.json", "a").output == "two\nlines\n")
            #expect(try await tool("get", "text.json", "b").output == "[1,2.0]\n")
            #expect(try await tool("get", "text.json", "b", "--json").members()["value"] == [1, 2.0])
        }

        @Test("get ends with 1 for a key without a value, and names the one that was meant")
        func getAbsent() async throws {
            let tool = try await tool("get", "flags.json", "secrets/boom_featur")
            #expect(tool.status == 1 && tool.output == "")
            #expect(
                tool.errors == """
                    tackline: flags.json has no value for "secrets/boom_featur"; did you mean "secrets/boom_feature"?

                    """)
        }

        @Test("set changes one value and leaves every other byte as it was")
        func set() async throws {
            let tool = try await tool("set", "flags.json", "secrets/boom_feature", "true")
            #expect(tool.status == 0 && tool.output == "secrets/boom_feature = true (was false)\n")
            #expect(try folder.text("flags.json") == Samples.values.replacing("false", with: "true"))
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
            #expect(try await tool("set", "flags.plist", "b", "x").output.contains("was written anew"))
            #expect(try await tool("get", "flags.plist", "a").output == "1.5\n")
        }

        @Test("set takes JSON, or a string, or what the flag's type says")
        func types() async throws {
            #expect(try await tool("set", "flags.json", "text", "hello").output.hasPrefix("text = \"hello\""))
            #expect(try await tool("set", "flags.json", "text", "5", "--string").output.hasPrefix("text = \"5\""))
            let yes = try await tool("set", "flags.json", "sson", "no", "--manifest", "manifest.json")
            #expect(yes.output == "sson = false (was true)\n")
            let theme = try await tool("set", "flags.json", "theme", "dark", "--manifest", "manifest.json", "--json")
            #expect(try theme.members()["new"] == "dark" && theme.members()["keepsLayout"] == true)
            #expect(try await tool("set", "flags.json", "n", "--", "-1").output.hasPrefix("n = -1"))
        }

        @Test(
            "set refuses what the app would refuse, and writes nothing",
            arguments: [
                ("max_attempts", "300", "an integer from 0 to 255"), ("theme", "blue", "one of \"light\", \"dark\""),
                ("sson", "\"true\"", "true or false"), ("ssno", "true", "did you mean \"sson\"?"),
            ])
        func refused(key: String, value: String, words: String) async throws {
            let tool = try await tool("set", "flags.json", key, value, "--manifest", "manifest.json")
            #expect(tool.status == 2 && tool.output == "" && tool.errors.contains(words), "\(tool.errors)")
            #expect(try folder.text("flags.json") == Samples.values)
        }

        @Test("set takes what begins like JSON and is none for a mistake, and an empty name too")
        func mistyped() async throws {
            for value in ["{", "[1,]", "\"open"] {
                let tool = try await tool("set", "flags.json", "a", value)
                #expect(tool.status == 2 && tool.errors.contains("--string"), "\(tool.errors)")
            }
            #expect(try await tool("set", "flags.json", "a//b", "1").status == 64)
            #expect(try folder.text("flags.json") == Samples.values)
            #expect(try await tool("set", "flags.json", "a", "{", "--string").output == "a = \"{\" (had no value)\n")
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
            _ = try folder.file("wrong.json", #"{ "max_attempts": "5" }"#)
            let wrong = try await tool("explain", "wrong.json", "max_attempts", "--manifest", "manifest.json")
            #expect(wrong.output.contains("The app refuses this value: expected an integer from 0 to 255"))
            #expect(wrong.output.contains("result: this file does not answer"))
            let json = try await tool("explain", "flags.json", "theme", "--manifest", "manifest.json", "--json")
            #expect(try json.members()["isAnswered"] == false && json.members()["default"] == .null)
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
                      rules.json: 1 for nobody in particular: variant "low", TARGETING_MATCH
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
            let escape = try await tool("explain", "rules.json", "fee", "--attribute", "plan=\u{1b}[2J")
            #expect(!escape.output.contains("\u{1b}"))
        }

        @Test("explain says what flag definitions answer for a user")
        func explainDefinitions() async throws {
            let tool = try await tool("explain", "rollout.json", "reservations", "--user", "ann")
            #expect(tool.status == 0)
            #expect(tool.output.contains("false for the user \"ann\": variant \"off\", SPLIT, fractional v2"))
            #expect(tool.output.contains("A split: \"ann\" falls into off."), "\(tool.output)")
            #expect(tool.output.contains("targetingKey = \"ann\""))
            #expect(try await self.tool("explain", "rollout.json", "pla1n").output.contains("Did you mean \"plain\"?"))
        }
    }
#endif
