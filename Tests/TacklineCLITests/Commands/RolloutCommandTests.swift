#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineTestSupport
    import Testing

    @Suite("tackline rollout and diff", .hangLimit)
    struct RolloutCommandTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

        @Test("rollout changes the weights and leaves every other byte as it was")
        func weights() async throws {
            let share = try await tool("rollout", "rollout.json", "reservations", "25")
            #expect(share.status == 0 && share.errors == "")
            #expect(share.output.hasPrefix("reservations: 25 % get \"on\"\nOf 10000 synthetic users, "))
            #expect(share.output.contains(" 0 lose it."))
            let expected = Samples.definitions.replacing("10],", with: "25],").replacing("90]", with: "75]")
            #expect(try folder.text("rollout.json") == expected)
            // Only tried, in fractions of a percent.
            let trial = try await tool("rollout", "rollout.json", "reservations", "0.05%", "--dry-run")
            #expect(trial.output.hasPrefix("reservations: 0.05 % get \"on\" (nothing was written)\n"))
            #expect(try folder.text("rollout.json") == expected)
            let second = try await tool("rollout", "rollout.json", "reservations", "12.5", "--variant", "off")
            #expect(second.status == 0 && second.output.contains("is not first"))
            #expect(try folder.text("rollout.json").contains("[\"on\",   875],\n          [\"off\",  125]"))
        }

        @Test("rollout adds a rule where there is none, and says so")
        func newRule() async throws {
            let added = try await tool("rollout", "rollout.json", "plain", "30", "--json")
            #expect(try added.members()["leaving"] == 0 && added.members()["isWritten"] == true)
            #expect(
                try folder.text("rollout.json").contains(
                    #""defaultVariant": "off", "targeting": { "fractional": [["on", 30], ["off", 70]] } }"#))
            #expect(try await tool("validate", "rollout.json").status == 0)
        }

        @Test(
            "rollout refuses what is not clear, and writes nothing",
            arguments: [
                (["rollout.json", "reservation", "5"], 2, "did you mean \"reservations\"?"),
                (["rollout.json", "reservations", "100.1"], 64, "is not a percentage"),
                (["rollout.json", "reservations", "1e2"], 64, "is not a percentage"),
                (["rollout.json", "reservations", "1.000001"], 64, "is not a percentage"),
                (["rollout.json", "reservations", "٥"], 64, "is not a percentage"),
                (["rollout.json", "reservations", "99999999999999999999"], 64, "is not a percentage"),
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
            let tool = try await tool(["rollout"] + arguments)
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
            let differences = try await tool("diff", "flags.json", "new.json")
            #expect(differences.status == 1)
            #expect(differences.output == "- max_attempts: 5\n+ more: \"x\"\n~ sson: true -> false\n")
            #expect(try await tool("diff", "flags.json", "new.json", "--json").members()["kind"] == "values")
            // Values have no users.
            let users = try await tool("diff", "flags.json", "new.json", "--users", "nowhere.json")
            #expect(users.status == 1 && users.output == differences.output)
            let mixed = try await tool("diff", "rollout.json", "flags.json")
            #expect(mixed.status == 2 && mixed.errors.contains("compare two value files"))
        }

        @Test("diff says who is affected by a change of a rollout, or of a rule that flags share")
        func definitions() async throws {
            _ = try folder.file(
                "new.json", Samples.definitions.replacing("10],", with: "50],").replacing("90]", with: "50]"))
            let changed = try await tool("diff", "rollout.json", "new.json", "--users", "1000")
            #expect(changed.status == 1 && changed.output.contains("~ reservations changed: "))
            #expect(changed.output.contains("off to on") && !changed.output.contains("on to off"))
            #expect(!changed.output.contains("plain"))
            for (name, operation) in [("none.json", "=="), ("all.json", "!=")] {
                _ = try folder.file(
                    name,
                    """
                    {"$evaluators": {"x": {"\(operation)": [{"var": "plan"}, "x"]}}, "flags": {"a": {"state": "ENABLED",
                    "variants": {"on": true, "off": false}, "defaultVariant": "off",
                    "targeting": {"if": [{"$ref": "x"}, "on", "off"]}}}}
                    """)
            }
            #expect(try await tool("diff", "none.json", "all.json").output.contains("~ a changed: "))
            _ = try folder.file("users.json", #"["ann", { "targetingKey": 7 }]"#)
            let number = try await tool("diff", "rollout.json", "rollout.json", "--users", "users.json")
            #expect(number.status == 2)
            #expect(number.errors.contains("the targetingKey of user 2 is an integer, 7; write a text"))
        }

        @Test(
            "rollout, explain and diff split by the generation that they are told, and diff says who moves between two")
        func generations() async throws {
            func trial(_ generation: String) async throws -> [String: EncodedFlagValue] {
                try await tool(
                    "rollout", "rollout.json", "reservations", "20", "--dry-run", "--json", "--fractional", generation
                ).members()
            }
            let (second, third) = try await (trial("v2"), trial("v3"))
            #expect(second["fractional"] == "v2" && third["fractional"] == "v3" && second["leaving"] == 0)
            #expect(second["joining"] != third["joining"] && third["leaving"] == 0)
            let explained = try await tool(
                "explain", "rollout.json", "reservations", "--user", "ann", "--fractional", "v3")
            #expect(explained.output.contains("SPLIT, fractional v3"), "\(explained.output)")
            for command in [["explain", "rollout.json", "reservations"], ["diff", "rollout.json", "rollout.json"]] {
                #expect(try await tool(command + ["--fractional", "v4"]).status == 64)
            }
            let diff = ["diff", "rollout.json", "rollout.json", "--users", "20000", "--to-fractional", "v3", "--json"]
            let between = try await tool(diff + ["--fractional", "v2"])
            guard case .object(let flag)? = try between.list("flags").first,
                case .integer(let affected)? = flag["affected"], case .array(let moves)? = flag["moves"]
            else { throw CancellationError() }
            // At 10 %, 18 % of the users move: nine tenths of the tenth that had the variant, and as many others.
            #expect(between.status == 1 && (3_400...3_800).contains(affected) && moves.count == 2, "\(affected)")
            #expect(try await tool(diff + ["--fractional", "v3"]).status == 0)
        }
    }
#endif
