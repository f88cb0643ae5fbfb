import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

/// The explanation of an answer has to be the way that the evaluation took.
@Suite("The account of an answer")
struct ReasoningTests {
    private func definitions(_ targeting: String, fractional: FractionalVersion = .v2) throws -> FlagDefinitions {
        let text = """
            {"flags": {"flag": {"state": "ENABLED", "variants": {"a": 1, "b": 2, "c": 3}, "defaultVariant": "a",
            "targeting": \(targeting)}},
            "$evaluators": {"team": {"ends_with": [{"var": "email"}, "@example.com"]}, "half": {"fractional": [["a", 1], ["b", 1]]}}}
            """
        return try FlagDefinitions(json(text), fractional: fractional)
    }

    private func reasoning(
        _ targeting: String, _ context: EvaluationContext, fractional: FractionalVersion = .v2
    ) throws -> [String] {
        try #require(try definitions(targeting, fractional: fractional).flags["flag"]).reasoning(for: context)
    }

    @Test("names each condition that was asked, its answer, and what it looked at")
    func conditions() throws {
        let rule = """
            {"if": [{"$ref": "team"}, "c", {"and": [{"==": [{"var": "plan"}, "gold"]}, {">=": [{"var": "age"}, 18]}]}, "b", "a"]}
            """
        let grown = try reasoning(rule, ["email": "ada@other.org", "plan": "gold", "age": 36])
        #expect(
            grown == [
                "no   the rule team", #"yes  (plan == "gold") and (age >= 18)"#, "It gives b.",
                #"Looked at: email = "ada@other.org", plan = "gold", age = 36"#,
            ])
        // Conditions that were not reached are not listed, nor what they would have looked at.
        let colleague = try reasoning(rule, ["email": "grace@example.com"])
        #expect(colleague == ["yes  the rule team", "It gives c.", #"Looked at: email = "grace@example.com""#])
        let nobody = try reasoning(rule, [:])
        #expect(
            nobody.suffix(2) == [
                "It gives a.", "Looked at: email = not given, plan = not given, age = not given",
            ])
    }

    @Test("has the share of a split into which the subject falls")
    func split() throws {
        for generation in FractionalVersion.allCases {
            try split(generation: generation)
        }
    }

    private func split(generation: FractionalVersion) throws {
        let rule = #"{"fractional": [["a", 10], ["b", 0], ["c", 30]]}"#
        var seen: Set<String> = []
        for number in 0..<200 {
            let lines = try reasoning(
                rule, EvaluationContext(targetingKey: "user-\(number)"), fractional: generation)
            let share = try #require(
                ["a", "b", "c"].first { lines.first == "A split: \"user-\(number)\" falls into \($0)." })
            #expect(lines.dropFirst() == ["It gives \(share).", "Looked at: targetingKey = \"user-\(number)\""])
            seen.insert(share)
        }
        #expect(seen == ["a", "c"])
        let nobody = try reasoning(rule, [:], fractional: generation)
        #expect(nobody.first == "A split, but there is nothing to bucket by.")
        #expect(nobody.last == "Looked at: targetingKey = not given")
    }

    @Test("stays short, whatever the document holds")
    func bounds() throws {
        let many = (0..<1000).map { #"{"==": [{"var": "x\#($0)"}, "\#(String(repeating: "y", count: 100))"]}, "a""# }
        let reasoning = try reasoning(#"{"if": [\#(many.joined(separator: ", ")), "b"]}"#, [:])
        #expect(reasoning.count <= 103 && reasoning.contains("There is more than is shown here."))
        #expect(reasoning.contains("It gives b.") && (reasoning.last?.split(separator: ",").count ?? 0) <= 50)
        // Each of many conditions names the same large evaluator: evaluated one by one, they would take minutes.
        let tests = (0..<2000).map { #"{"==": [{"var": "a\#($0 % 40)"}, "z\#($0)"]}"# }.joined(separator: ", ")
        let naming = String(repeating: #"{"$ref": "large"}, "a", "#, count: 2000)
        let large = try FlagDefinitions(
            json(
                #"{"flags": {"flag": {"state": "ENABLED", "variants": {"a": 1}, "targeting": {"if": [\#(naming)"a"]}}}, "#
                    + #""$evaluators": {"large": {"or": [\#(tests)]}}}"#))
        let costly = try #require(large.flags["flag"]).reasoning(for: [:])
        #expect(costly.count < 21 && costly.contains("There is more than is shown here."))
        let wide = (0..<2000).map { #"{"==": [{"var": "a"}, \#($0)]}"# }.joined(separator: ", ")
        let long = try self.reasoning(#"{"if": [{"or": [\#(wide)]}, "b"]}"#, [:])
        #expect(long.allSatisfy { $0.unicodeScalars.count <= 406 })
    }

    @Test("says why a flag gives nothing, or its default")
    func without() throws {
        let document = try FlagDefinitions(
            json(
                """
                {"flags": {
                "off": {"state": "DISABLED", "variants": {"a": 1}, "defaultVariant": "a"},
                "plain": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a"},
                "silent": {"state": "ENABLED", "variants": {"a": 1}, "targeting": {"if": [false, "a"]}},
                "needing": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "a",
                "targeting": {"if": [true, "b"]}, "metadata": {"tackline.requires": "off=a"}}}}
                """))
        func last(_ key: String) throws -> String? {
            try #require(document.flags[key]).reasoning(for: [:]).joined(separator: " | ")
        }
        #expect(try last("off") == "The flag is disabled, so the next provider is asked.")
        #expect(try last("plain") == "It has no rule, and gives its default variant, a.")
        #expect(try last("silent") == "no   false | It gives no variant, so the next provider is asked.")
        #expect(
            try last("needing")
                == "no   It needs off to be a, which is without a variant. | It gives no variant, so the next provider is asked."
        )
    }
}
