import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("fractional of the third generation")
struct ThirdGenerationTests {
    private func definitions(_ targeting: String, _ generation: FractionalGeneration = .v3) throws -> FlagDefinitions {
        try FlagDefinitions(
            json: """
                {"flags": {"flag": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "b",
                "targeting": \(targeting)}}}
                """, fractional: generation)
    }

    @Test("hashes a key of any type as what it is, so that 5, \"5\" and 5.0 of an attribute are two keys")
    func types() throws {
        let rule = try definitions(
            #"{"fractional": [{"var": "account"}, \#((0..<500).map { #"["v\#($0)"]"# }.joined(separator: ", "))]}"#)
        func message(_ account: EncodedFlagValue) -> String? {
            rule.evaluate("flag", for: EvaluationContext(attributes: ["account": account])).errorMessage
        }
        // The variants are unknown, so the message names the one that was chosen.
        #expect(message(5) == message(5.0))
        #expect(message(5) != message("5"))
        #expect(message(true) != message("true"))
        #expect(message(["a": 1, "b": 2]) == message(["b": 2.0, "a": 1]))
        #expect(message(["a": 1]) != message(["a": 2]))
    }

    @Test("tells the shorthand, which hashes a list, from the joined text, which the second generation does not")
    func shorthand() throws {
        let joined =
            #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["a", 10], ["b", 90]]}"#
        let short = #"{"fractional": [["a", 10], ["b", 90]]}"#
        for generation in FractionalGeneration.allCases {
            let (left, right) = (try definitions(joined, generation), try definitions(short, generation))
            let different = syntheticUsers(2_000).count { user in
                left.evaluate("flag", for: user).variant != right.evaluate("flag", for: user).variant
            }
            #expect((different > 0) == (generation == .v3))
        }
    }

    @Test("places about 18 % of users on another side of a rollout at 10 % than the second")
    func between() throws {
        let rule = #"{"fractional": [["a", 10], ["b", 90]]}"#
        let change = RolloutComparison(
            of: "flag", from: try definitions(rule, .v2), to: try definitions(rule, .v3), users: 20_000)
        let share = Double(20_000 - change.unchangedCount) / 20_000
        #expect((0.17...0.19).contains(share), "\(share)")
    }

    @Test("gives nothing for a key that is null, and somebody is told")
    func nullKey() throws {
        let rule = #"{"fractional": [{"var": "account"}, ["a", 1]]}"#
        let user = EvaluationContext(targetingKey: "user-1")
        let evaluation = try definitions(rule).evaluate("flag", for: user)
        #expect(evaluation.variant == "b")
        #expect(evaluation.reason == .default)
        #expect(evaluation.errorMessage?.contains("null to bucket by") == true)
        // The second generation takes null for the default.
        #expect(try definitions(rule, .v2).evaluate("flag", for: user).reason == .split)
        let log = IssueRecorder()
        _ = DefinitionsProvider(
            try definitions(rule), name: "rules", context: .fixed(user), issueReporter: log.reporter)
        #expect(log.issues.map(\.code) == [.failedEvaluation])
    }

    @Test("tells of a key that is null also where a condition goes on with what the split gives")
    func nullKeyInCondition() throws {
        let split = #"{"fractional": [{"var": "account"}, ["a", 1]]}"#
        let user = EvaluationContext(targetingKey: "user-1")
        for rule in [
            #"{"if": [{"==": [\#(split), "a"]}, "a", "b"]}"#, #"{"cat": [{"if": [\#(split), "a", "b"]}, ""]}"#,
        ] {
            let evaluation = try definitions(rule).evaluate("flag", for: user)
            #expect(evaluation.variant == "b" && evaluation.reason == .targetingMatch && evaluation.errorCode == nil)
            #expect(evaluation.errorMessage?.contains("null to bucket by") == true)
            let known = EvaluationContext(attributes: ["account": 5])
            #expect(try definitions(rule).evaluate("flag", for: known).errorMessage == nil)
            #expect(try definitions(rule, .v2).evaluate("flag", for: user).errorMessage == nil)
            let log = IssueRecorder()
            _ = DefinitionsProvider(
                try definitions(rule), name: "rules", context: .fixed(user), issueReporter: log.reporter)
            #expect(
                log.issues.map(\.message) == [
                    """
                    Provider "rules" gives what the rest of the rule does. Flag "flag": "fractional" was given null to bucket by; give \
                    the context what it asks for, or put a condition before it.
                    """
                ])
        }
    }

    @Test("finds a split that is given null whoever asks, wherever it stands, with path, line and column")
    func alwaysNull() throws {
        let cases: [(String, String, String)] = [
            (#"{"fractional": [null, ["a", 1]]}"#, "/fractional/0", "null"),
            (#"{"if": [{"var": "x"}, {"fractional": [null, ["a", 1]]}, "b"]}"#, "/if/1/fractional/0", "null"),
            (
                #"{"if": [{"==": [{"fractional": [{"var": "$flagd.user"}, ["a", 1]]}, "a"]}, "a", "b"]}"#,
                "/if/0/==/0/fractional/0", #"{"var""#
            ),
            (
                #"{"if": [{"!": [{"in": ["a", [{"fractional": [{"if": [false, "x"]}, ["a", 1]]}]]}]}, "a", "b"]}"#,
                "/if/0/!/0/in/1/0/fractional/0", #"{"if": [false"#
            ),
            (
                #"{"fractional": [[{"fractional": [{"var": ["$flagd.key"]}, ["a", 1]]}, 5], ["b", 5]]}"#,
                "/fractional/0/0/fractional/0", #"{"var""#
            ),
        ]
        for (targeting, path, place) in cases {
            let definitions = try definitions(targeting)
            let problem = try #require(definitions.errors.first)
            #expect(definitions.errors.count == 1 && definitions.validate().contains(problem), "\(targeting)")
            #expect(problem.path == "/flags/flag/targeting" + path && problem.severity == .error, "\(targeting)")
            let before = try #require(targeting.firstRange(of: place)?.lowerBound)
            let column = #""targeting": "#.count + targeting.distance(from: targeting.startIndex, to: before) + 1
            #expect(problem.line == 2 && problem.column == column, "\(problem)")
            #expect(
                problem.message
                    == "\"fractional\" is given null to bucket by, so it chooses no variant; name an attribute, or leave it out",
                "\(targeting)")
            let log = IssueRecorder()
            _ = DefinitionsProvider(
                definitions, name: "rules", context: .fixed(EvaluationContext(targetingKey: "user-1")),
                issueReporter: log.reporter)
            #expect(log.issues.map(\.code) == [.invalidDefinition], "\(targeting)")
            #expect(
                log.issues.first?.message.hasPrefix(
                    """
                    Provider "rules" gives the default variant for flag "flag" where its rule leads there, whose definition \
                    is wrong at \(problem.path) (line 2, column \(column)): "fractional" is given null
                    """) == true, "\(log.issues)")
            #expect(try self.definitions(targeting, .v2).errors.isEmpty, "\(targeting)")
        }
    }

    @Test("finds the same in what several flags refer to, and an attribute that nobody has inside conditions")
    func alwaysNullElsewhere() throws {
        let shared = try FlagDefinitions(
            json: """
                {"$evaluators": {"e": {"==": [{"fractional": [null, ["a", 1]]}, "a"]}},
                "flags": {"flag": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "b",
                "targeting": {"if": [{"$ref": "e"}, "a", "b"]}}}}
                """, fractional: .v3)
        #expect(shared.errors.map(\.path) == ["/$evaluators/e/==/0/fractional/0"])
        #expect(shared.errors.first?.line == 1 && shared.errors.first?.column == 47)

        let targeting = #"{"if": [{"==": [{"fractional": [{"var": "acount"}, ["a", 1]]}, "a"]}, "a", "b"]}"#
        let problems = try definitions(targeting).validate(attributes: ["account"])
        #expect(
            problems.map(\.description) == [
                """
                warning at /flags/flag/targeting/if/0/==/0/fractional/0/var (line 2, column 47): no context has the attribute \
                "acount"; did you mean "account"?
                """
            ])
    }

    @Test("takes no split for one without a key that has one for somebody")
    func sometimesKeyed() throws {
        let cases: [String] = [
            #"{"fractional": [{"var": "x"}, ["a", 1]]}"#, #"{"fractional": [{"var": ["$flagd.x", "y"]}, ["a", 1]]}"#,
            #"{"fractional": ["text", ["a", 1]]}"#, #"{"fractional": [{"cat": []}, ["a", 1]]}"#,
            #"{"fractional": [{"var": "$flagd.flagKey"}, ["a", 1]]}"#, #"{"fractional": [false, ["a", 1]]}"#,
            #"{"fractional": [["a", 1]]}"#, #"{"fractional": [{"if": [{"var": "x"}, "y"]}, ["a", 1]]}"#,
        ]
        for targeting in cases {
            #expect(try definitions(targeting).errors.isEmpty, "\(targeting)")
        }
    }

    @Test("is shown where a flag is explained, like the second")
    func explanation() throws {
        for generation in FractionalGeneration.allCases {
            let rule = try definitions(#"{"fractional": [["a", 1]]}"#, generation)
            let evaluation = rule.evaluate("flag", for: EvaluationContext(targetingKey: "user-1"))
            #expect(evaluation.note == "fractional \(generation.rawValue)")
            #expect(evaluation.description == "variant \"a\", SPLIT, fractional \(generation.rawValue)")
            #expect(rule.fractional == generation)
        }
    }
}
