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
    ) throws -> FlagReasoning {
        try #require(try definitions(targeting, fractional: fractional).flags["flag"]).reasoning(for: context)
    }

    @Test("names each condition that was asked, its answer, and what it looked at")
    func conditions() throws {
        let rule = """
            {"if": [{"$ref": "team"}, "c", {"and": [{"==": [{"var": "plan"}, "gold"]}, {">=": [{"var": "age"}, 18]}]}, "b", "a"]}
            """
        let grown = try reasoning(rule, ["email": "ada@other.org", "plan": "gold", "age": 36])
        #expect(
            grown.lines == [
                "no   the rule team", #"yes  (plan == "gold") and (age >= 18)"#, "It gives b.",
                #"Looked at: email = "ada@other.org", plan = "gold", age = 36"#,
            ])
        #expect(grown.split == nil && grown.members["attributes"] != .null && grown.members["split"] == .null)

        // Conditions that were not reached are not listed, nor what they would have looked at.
        let colleague = try reasoning(rule, ["email": "grace@example.com"])
        #expect(colleague.lines == ["yes  the rule team", "It gives c.", #"Looked at: email = "grace@example.com""#])
        let nobody = try reasoning(rule, [:])
        #expect(nobody.attributes.map(\.value) == [nil, nil, nil])
        #expect(nobody.steps.last?.text == "It gives a.")
    }

    @Test("has the shares of a split, and where the subject falls", arguments: FractionalVersion.allCases)
    func split(generation: FractionalVersion) throws {
        let rule = #"{"fractional": [["a", 10], ["b", 0], ["c", 30]]}"#
        var seen: Set<String> = []
        for number in 0..<200 {
            let reasoning = try reasoning(
                rule, EvaluationContext(targetingKey: "user-\(number)"), fractional: generation)
            guard case .object(let split)? = reasoning.split, case .double(let place)? = split["place"],
                case .integer(let chosen)? = split["chosen"]
            else { throw FlagError("test", "There is no split.") }
            #expect(split["key"] == .string("\"user-\(number)\"") && split["shares"] == shares)
            #expect(chosen == (place < 0.25 ? 0 : 2))
            let variant = chosen == 0 ? "a" : "c"
            #expect(reasoning.steps.last?.text == "It gives \(variant).")
            seen.insert(variant)
        }
        #expect(seen == ["a", "c"])
        let nobody = try reasoning(rule, [:], fractional: generation)
        #expect(nobody.split == ["place": .null, "chosen": .null, "variant": .null, "key": .null, "shares": shares])
        #expect(nobody.steps.first?.text == "A split without anything to bucket by.")
        #expect(nobody.attributes.map(\.name) == ["targetingKey"] && nobody.attributes[0].value == nil)
    }

    private let shares: EncodedFlagValue = [
        ["variant": "a", "start": 0.0, "end": 0.25], ["variant": "b", "start": 0.25, "end": 0.25],
        ["variant": "c", "start": 0.25, "end": 1.0],
    ]

    @Test("stays short, whatever the document holds")
    func bounds() throws {
        let many = (0..<1000).map { #"{"==": [{"var": "x\#($0)"}, "\#(String(repeating: "y", count: 100))"]}, "a""# }
        let reasoning = try reasoning(#"{"if": [\#(many.joined(separator: ", ")), "b"]}"#, [:])
        #expect(reasoning.steps.count <= 102 && reasoning.attributes.count <= 50)
        #expect(reasoning.steps.dropLast().last?.text == "There is more than is shown here.")
        #expect(reasoning.steps.last?.text == "It gives b.")
        // Each of many conditions names the same large evaluator: evaluated one by one, they would take minutes.
        let tests = (0..<2000).map { #"{"==": [{"var": "a\#($0 % 40)"}, "z\#($0)"]}"# }.joined(separator: ", ")
        let naming = String(repeating: #"{"$ref": "large"}, "a", "#, count: 2000)
        let large = try FlagDefinitions(
            json(
                #"{"flags": {"flag": {"state": "ENABLED", "variants": {"a": 1}, "targeting": {"if": [\#(naming)"a"]}}}, "#
                    + #""$evaluators": {"large": {"or": [\#(tests)]}}}"#))
        let costly = try #require(large.flags["flag"]).reasoning(for: [:])
        #expect(costly.steps.count < 20 && costly.steps.dropLast().last?.text == "There is more than is shown here.")
        let wide = (0..<2000).map { #"{"==": [{"var": "a"}, \#($0)]}"# }.joined(separator: ", ")
        let long = try self.reasoning(#"{"if": [{"or": [\#(wide)]}, "b"]}"#, [:])
        #expect(long.steps.allSatisfy { $0.text.unicodeScalars.count <= 401 })
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
            try #require(document.flags[key]).reasoning(for: [:]).steps.map(\.text).joined(separator: " | ")
        }
        #expect(try last("off") == "The flag is disabled, so the next provider is asked.")
        #expect(try last("plain") == "It has no rule, and gives its default variant, a.")
        #expect(try last("silent") == "false | It gives no variant, so the next provider is asked.")
        #expect(
            try last("needing")
                == "It needs off to be a, which is without a variant. | It gives no variant, so the next provider is asked."
        )
    }
}
