import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("fractional of the third generation")
struct ThirdGenerationTests {
    private func definitions(_ targeting: String, _ generation: FractionalVersion = .v3) throws -> FlagDefinitions {
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
        for generation in FractionalVersion.allCases {
            let (left, right) = (try definitions(joined, generation), try definitions(short, generation))
            let different = syntheticUsers(2_000).count { user in
                left.evaluate("flag", for: user).variant != right.evaluate("flag", for: user).variant
            }
            #expect((different > 0) == (generation == .v3))
        }
    }

    @Test("gives nothing for a key that is null, and somebody is told")
    func nullKey() throws {
        let rule = #"{"fractional": [{"var": "account"}, ["a", 1]]}"#
        let user = EvaluationContext(targetingKey: "user-1")
        let evaluation = try definitions(rule).evaluate("flag", for: user)
        #expect(evaluation.variant == "b")
        #expect(evaluation.reason == .default)
        #expect(evaluation.errorMessage?.contains("null to bucket by") == true)
        #expect(try definitions(#"{"fractional": []}"#).evaluate("flag", for: user).errorMessage == nil)
        // The second generation takes null for the default.
        #expect(try definitions(rule, .v2).evaluate("flag", for: user).reason == .split)
        let log = IssueRecorder()
        _ = DefinitionsProvider(
            try definitions(rule), name: "rules", context: .fixed(user), issueReporter: log.reporter)
        #expect(log.issues.map(\.code) == [.failedEvaluation])
    }
}
