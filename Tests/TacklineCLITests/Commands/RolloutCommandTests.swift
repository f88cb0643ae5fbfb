#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineTestSupport
    import Testing

    @Suite("tackline rollout and diff", .hangLimit)
    struct RolloutCommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("rollout.json", Samples.definitions)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url)
        }

        @Test("rollout changes the weights and leaves every other byte as it was")
        func weights() async throws {
            let tool = try await tool("rollout", "rollout.json", "reservations", "25")
            #expect(tool.status == 0 && tool.errors == "")
            #expect(tool.output.hasPrefix("reservations: 25 % get \"on\"\nOf 10000 synthetic users, "))
            #expect(tool.output.contains(" 0 lose it."))
            let expected = Samples.definitions.replacing("10],", with: "25],").replacing("90]", with: "75]")
            #expect(try folder.text("rollout.json") == expected)
        }

        @Test("rollout takes fractions of a percent, and only tries where asked")
        func fractions() async throws {
            let trial = try await tool("rollout", "rollout.json", "reservations", "0.05%", "--dry-run")
            #expect(trial.output.hasPrefix("reservations: 0.05 % get \"on\" (nothing was written)\n"))
            #expect(try folder.text("rollout.json") == Samples.definitions)
            #expect(try await tool("rollout", "rollout.json", "reservations", "12.5").status == 0)
            #expect(try folder.text("rollout.json").contains("[\"on\",   125],\n          [\"off\",  875]"))
        }

        @Test("rollout adds a rule where there is none, and says so")
        func newRule() async throws {
            let tool = try await tool("rollout", "rollout.json", "plain", "30", "--json")
            #expect(tool.status == 0)
            #expect(try tool.members()["leaving"] == 0 && tool.members()["isWritten"] == true)
            #expect(
                try folder.text("rollout.json").contains(
                    #""defaultVariant": "off", "targeting": { "fractional": [["on", 30], ["off", 70]] } }"#))
            #expect(try await self.tool("validate", "rollout.json").status == 0)
        }

        @Test("rollout warns when the growing variant does not stand first")
        func order() async throws {
            let tool = try await tool("rollout", "rollout.json", "reservations", "50", "--variant", "off")
            #expect(tool.status == 0 && tool.output.contains("does not stand first"))
        }

        @Test(
            "rollout refuses what is not clear, and writes nothing",
            arguments: [
                (["rollout.json", "reservation", "5"], 2, "did you mean \"reservations\"?"),
                (["rollout.json", "reservations", "101"], 64, "is not a percentage"),
                (["rollout.json", "reservations", "1e2"], 64, "is not a percentage"),
                (["rollout.json", "reservations", "5", "--variant", "up"], 2, "the variants are \"off\", \"on\""),
                (["two.json", "a", "5"], 2, "--replace-rule"), (["flags.json", "a", "5"], 2, "not flag definitions"),
                (["none.json", "a", "5"], 2, "is not there"),
            ] as [([String], Int32, String)])
        func refused(arguments: [String], status: Int32, words: String) async throws {
            let two = """
                { "flags": { "a": { "state": "ENABLED", "variants": { "on": 1, "off": 2 }, "defaultVariant": "off",
                  "targeting": { "if": [true, { "fractional": [["on", 1], ["off", 1]] },
                    { "fractional": [["on", 1], ["off", 3]] }] } } } }
                """
            _ = try folder.file("two.json", two)
            let tool = try await Tool.run(["rollout"] + arguments, in: folder.url)
            #expect(tool.status == status && tool.errors.contains(words) && tool.output == "", "\(tool.errors)")
            #expect(try folder.text("rollout.json") == Samples.definitions && folder.text("two.json") == two)
            #expect(try folder.names().contains("none.json") == false)
        }

        @Test("diff compares values whatever the format, and ends with 1 if they differ")
        func values() async throws {
            let list = try FlagPropertyList.encode(FlagJSONReader().read(Samples.values), as: .xml)
            try Data(list).write(to: folder.file("flags.plist"))
            let same = try await tool("diff", "flags.json", "flags.plist")
            #expect(same.status == 0 && same.output == "")
            _ = try folder.file("new.json", #"{ "sson": false, "secrets/boom_feature": false, "more": "x" }"#)
            let tool = try await tool("diff", "flags.json", "new.json")
            #expect(tool.status == 1)
            #expect(tool.output == "- max_attempts: 5\n+ more: \"x\"\n~ sson: true -> false\n")
            #expect(try await self.tool("diff", "flags.json", "new.json", "--json").members()["kind"] == "values")
            // Values have no users.
            let users = try await self.tool("diff", "flags.json", "new.json", "--users", "nowhere.json")
            #expect(users.status == 1 && users.output == tool.output)
        }

        @Test("diff says who is affected by a change of a rollout")
        func definitions() async throws {
            _ = try folder.file(
                "new.json", Samples.definitions.replacing("10],", with: "50],").replacing("90]", with: "50]"))
            let tool = try await tool("diff", "rollout.json", "new.json", "--users", "1000")
            #expect(
                tool.status == 1 && tool.output.contains("~ reservations changed: ")
                    && tool.output.contains("off to on"))
            #expect(!tool.output.contains("on to off") && !tool.output.contains("plain"))
            #expect(try await self.tool("diff", "rollout.json", "rollout.json").status == 0)
            for (name, operation) in [("none.json", "=="), ("all.json", "!=")] {
                _ = try folder.file(
                    name,
                    """
                    {"$evaluators": {"x": {"\(operation)": [{"var": "plan"}, "x"]}}, "flags": {"a": {"state": "ENABLED",
                    "variants": {"on": true, "off": false}, "defaultVariant": "off",
                    "targeting": {"if": [{"$ref": "x"}, "on", "off"]}}}}
                    """)
            }
            let evaluators = try await self.tool("diff", "none.json", "all.json")
            #expect(evaluators.output.contains("~ a changed: "), "\(evaluators.output)")
            let mixed = try await self.tool("diff", "rollout.json", "flags.json")
            #expect(mixed.status == 2 && mixed.errors.contains("compare two value files"))
        }

        @Test("rollout and explain split by the generation that they are told")
        func generation() async throws {
            let (second, third) = try await (
                tool("rollout", "rollout.json", "reservations", "20", "--dry-run", "--json"),
                tool("rollout", "rollout.json", "reservations", "20", "--dry-run", "--json", "--fractional", "v3")
            )
            #expect(try second.members()["fractional"] == "v2" && third.members()["fractional"] == "v3")
            #expect(try second.members()["joining"] != third.members()["joining"])
            let explained = try await tool(
                "explain", "rollout.json", "reservations", "--user", "ann", "--fractional", "v3")
            #expect(explained.output.contains("SPLIT, fractional v3"), "\(explained.output)")
            let trial = try await tool(
                "rollout", "rollout.json", "reservations", "20", "--dry-run", "--fractional", "v3")
            #expect(trial.status == 0 && trial.output.contains(" 0 lose it."))
            #expect(try await tool("explain", "rollout.json", "reservations", "--fractional", "v4").status == 64)
            #expect(try await tool("diff", "rollout.json", "rollout.json", "--fractional", "v4").status == 64)
        }

        @Test("diff says who moves between two generations of fractional")
        func generations() async throws {
            let tool = try await tool(
                "diff", "rollout.json", "rollout.json", "--users", "20000", "--fractional", "v2", "--to-fractional",
                "v3", "--json")
            #expect(tool.status == 1)
            guard case .object(let flag)? = try tool.list("flags").first,
                case .integer(let affected)? = flag["affected"], case .array(let moves)? = flag["moves"]
            else { throw CancellationError() }
            // At 10 %, 18 % of the users move: nine tenths of the tenth that had the variant, and as many others.
            #expect((3_400...3_800).contains(affected) && moves.count == 2, "\(affected)")
            let same = try await self.tool(
                "diff", "rollout.json", "rollout.json", "--fractional", "v3", "--to-fractional", "v3")
            #expect(same.status == 0 && same.output == "")
        }

        @Test("a list of users may not have numbers for targeting keys")
        func numericKey() async throws {
            _ = try folder.file("users.json", #"["ann", { "targetingKey": 7 }]"#)
            let tool = try await tool("diff", "rollout.json", "rollout.json", "--users", "users.json")
            #expect(
                tool.status == 2 && tool.errors.contains("the targetingKey of user 2 is an integer, 7; write a text"))
        }
    }
#endif
