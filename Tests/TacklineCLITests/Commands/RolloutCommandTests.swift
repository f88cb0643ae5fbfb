#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("tackline rollout, simulate, diff and convert", .hangLimit)
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

        @Test("simulate shows the split beside the one to be expected")
        func simulate() async throws {
            let tool = try await tool("simulate", "rollout.json", "reservations", "--users", "1000")
            #expect(tool.status == 0)
            let lines = tool.output.split(separator: "\n")
            #expect(lines[0] == "reservations, 1000 subjects" && lines.count == 4)
            #expect(lines[2].hasSuffix("90.00 %"))
            let all = try await self.tool("simulate", "rollout.json", "--json")
            #expect(try all.list("flags").count == 2)
        }

        @Test("simulate draws a picture, and tries a list of users")
        func picture() async throws {
            _ = try folder.file("users.json", #"["ann", { "targetingKey": "bob", "email": "bob@example.com" }]"#)
            let tool = try await tool(
                "simulate", "rollout.json", "reservations", "--users", "users.json", "--svg", "split.svg")
            #expect(tool.status == 0 && tool.output.hasPrefix("reservations, 2 subjects"))
            #expect(tool.output.contains("on              1"))
            #expect(try folder.text("split.svg").hasPrefix("<svg "))
            #expect(try await self.tool("simulate", "rollout.json", "--svg", "x.svg").status == 64)
            #expect(try await self.tool("simulate", "rollout.json", "--users", "0").status == 64)
            #expect(try await self.tool("simulate", "flags.json").status == 2)
        }

        @Test("simulate tries what grows over time as of the moment that --at says")
        func moment() async throws {
            _ = try folder.file(
                "growing.json",
                """
                { "flags": { "reservations": { "state": "ENABLED", "variants": { "on": true, "off": false },
                  "defaultVariant": "off", "targeting": { "fractional": [
                    ["on", { "-": [{ "var": "$flagd.timestamp" }, 1798761600] }],
                    ["off", { "-": [1799366400, { "var": "$flagd.timestamp" }] }]] } } } }
                """)
            for (moment, second, on) in [
                ("2026-12-31", "2026-12-31T00:00:00Z", 0), ("2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z", 0),
                ("2027-01-04T12:00:00Z", "2027-01-04T12:00:00Z", 500),
                ("2027-01-04T13:00:00+01:00", "2027-01-04T12:00:00Z", 500),
                ("2027-01-08", "2027-01-08T00:00:00Z", 1_000),
            ] as [(String, EncodedFlagValue, Int)] {
                let tool = try await tool(
                    "simulate", "growing.json", "reservations", "--users", "1000", "--at", moment, "--json")
                #expect(tool.status == 0 && tool.errors == "")
                #expect(try tool.members()["at"] == second)
                guard case .object(let flag)? = try tool.list("flags").first, case .array(let shares)? = flag["shares"]
                else { throw CancellationError() }
                var expected: [EncodedFlagValue: EncodedFlagValue] = [:]
                for case .object(let share) in shares { expected[share["variant"] ?? .null] = share["expected"] }
                #expect(expected["on"] == (on == 0 ? nil : .double(Double(on))), "\(moment): \(tool.output)")
                #expect(
                    expected["off"] == (on == 1_000 ? nil : .double(Double(1_000 - on))), "\(moment): \(tool.output)")
            }
            let text = try await tool("simulate", "growing.json", "reservations", "--users", "10", "--at", "2027-01-02")
            #expect(text.output.hasPrefix("reservations, 10 subjects at 2027-01-02T00:00:00Z\n"))
            #expect(try await tool("simulate", "growing.json", "--users", "10", "--json").members()["at"] == nil)
            let wrong = try await tool("simulate", "growing.json", "--at", "tomorrow")
            #expect(wrong.status == 64 && wrong.output == "")
            #expect(wrong.errors.contains("\"tomorrow\" is not a moment; say 2027-01-31T12:00:00Z"))
        }

        @Test("simulate of a flag that there is not ends with 2, at the place of the one that was probably meant")
        func unknownFlag() async throws {
            _ = try folder.file(
                "list.json",
                """
                { "flags": [
                  { "key": "other", "state": "ENABLED", "variants": { "on": true }, "defaultVariant": "on" },
                  { "key": "plain", "state": "ENABLED", "variants": { "on": true }, "defaultVariant": "on" }
                ] }
                """)
            for (file, key, message) in [
                (
                    "rollout.json", "plan",
                    "rollout.json:14:5: error: there is no flag \"plan\"; did you mean \"plain\"?"
                ),
                (
                    "rollout.json", "reservation",
                    "rollout.json:4:5: error: there is no flag \"reservation\"; did you mean \"reservations\"?"
                ),
                ("list.json", "plains", "list.json:3:3: error: there is no flag \"plains\"; did you mean \"plain\"?"),
                (
                    "rollout.json", "checkout",
                    "rollout.json has no flag \"checkout\"; leave the flag out to see all of them"
                ),
            ] {
                let tool = try await tool("simulate", file, key)
                #expect(tool.status == 2 && tool.output == "")
                #expect(tool.errors == "tackline: \(message)\n")
            }
        }

        @Test("diff compares values whatever the format, and ends with 1 if they differ")
        func values() async throws {
            #expect(try await tool("convert", "flags.json", "--to", "plist", "--output", "flags.plist").status == 0)
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

        @Test("simulate, rollout and explain split by the generation that they are told")
        func generation() async throws {
            let (second, third) = try await (
                tool("simulate", "rollout.json", "reservations", "--json"),
                tool("simulate", "rollout.json", "reservations", "--json", "--fractional", "v3")
            )
            #expect(try second.members()["fractional"] == "v2" && third.members()["fractional"] == "v3")
            #expect(try second.list("flags") != third.list("flags"))
            let explained = try await tool(
                "explain", "rollout.json", "reservations", "--user", "ann", "--fractional", "v3")
            #expect(explained.output.contains("SPLIT, fractional v3"), "\(explained.output)")
            let trial = try await tool(
                "rollout", "rollout.json", "reservations", "20", "--dry-run", "--fractional", "v3")
            #expect(trial.status == 0 && trial.output.contains(" 0 lose it."))
            #expect(try await tool("simulate", "rollout.json", "--fractional", "v4").status == 64)
        }

        @Test("diff says who moves between two generations of fractional")
        func generations() async throws {
            let tool = try await tool(
                "diff", "rollout.json", "rollout.json", "--users", "20000", "--fractional", "v2", "--to-fractional",
                "v3", "--json")
            #expect(tool.status == 1)
            guard case .object(let flag)? = try tool.list("flags").first,
                case .integer(let affected)? = flag["affected"]
            else { throw CancellationError() }
            // At 10 %, 18 % of the users move: nine tenths of the tenth that had the variant, and as many others.
            #expect((3_400...3_800).contains(affected), "\(affected)")
            guard case .array(let moves)? = flag["moves"] else { throw CancellationError() }
            var counts: [String: Int128] = [:]
            for case .object(let move) in moves {
                guard case .string(let from)? = move["from"], case .string(let to)? = move["to"],
                    case .integer(let count)? = move["count"], case .array(let examples)? = move["examples"]
                else { throw CancellationError() }
                counts["\(from) to \(to)"] = count
                #expect(examples.count == 5)
            }
            #expect(Set(counts.keys) == ["on to off", "off to on"] && counts.values.reduce(0, +) == affected)
            #expect(counts.values.allSatisfy { (1_650...1_950).contains($0) }, "\(counts)")
            let same = try await self.tool(
                "diff", "rollout.json", "rollout.json", "--fractional", "v3", "--to-fractional", "v3")
            #expect(same.status == 0 && same.output == "")
        }

        @Test("a list of users may not have numbers for targeting keys")
        func numericKey() async throws {
            _ = try folder.file("users.json", #"["ann", { "targetingKey": 7 }]"#)
            let tool = try await tool("simulate", "rollout.json", "--users", "users.json")
            #expect(
                tool.status == 2 && tool.errors.contains("the targetingKey of user 2 is an integer, 7; write a text"))
        }

        @Test("convert goes from JSON over each format and back")
        func convert() async throws {
            let source = try FlagJSONReader().read(Samples.values)
            for format in ["json", "plist", "binary-plist"] {
                let file = "out.\(format == "json" ? "json" : "plist")"
                #expect(try await tool("convert", "flags.json", "--to", format, "--output", file).status == 0)
                let back = try await tool("convert", file, "--to", "json")
                #expect(try FlagJSONReader().read(back.output) == source)
            }
            #expect(try await tool("convert", "flags.json", "--to", "flagd", "--output", "flagd.json").status == 0)
            #expect(try await tool("validate", "flagd.json").status == 0)
            let back = try await tool("convert", "flagd.json", "--to", "json")
            #expect(try back.members() == ["sson": true, "secrets/boom_feature": false, "max_attempts": 5])
        }

        @Test("convert says what it cannot carry over")
        func losses() async throws {
            let tool = try await tool("convert", "rollout.json", "--to", "json")
            #expect(tool.status == 0 && tool.errors.contains("\"reservations\" has a rule; only its default variant"))
            #expect(try tool.members() == ["plain": false, "reservations": false])
            #expect(try await self.tool("convert", "flags.json", "--to", "yaml").status == 64)
        }
    }
#endif
