import TacklineCore
import TacklineTargeting
import Testing

/// Expectations that OpenFeature's flagd-testbed states for every evaluator (Apache-2.0), restated.
@Suite("flagd's evaluators agree that")
struct TestbedTests {
    private func evaluate(
        _ targeting: String, variants: [String], key: String = "flag", _ context: EvaluationContext
    ) throws -> FlagEvaluation {
        let values = variants.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
        let text = """
            {"flags": {"\(key)": {"state": "ENABLED", "variants": {\(values), "fallback": "fallback"},
            "defaultVariant": "fallback", "targeting": \(targeting)}},
            "$evaluators": {"is_ballmer": {"==": ["ballmer@macrosoft.com", {"var": ["email"]}]}}}
            """
        return try FlagDefinitions(json: text).evaluate(key, for: context)
    }

    @Test("a split by flag key and user name gives these cards")
    func cards() throws {
        let cases: [(String, String)] = [
            ("jack", "hearts"), ("queen", "spades"), ("ten", "clubs"), ("nine", "diamonds"), ("3", "clubs"),
        ]
        for (name, card) in cases {
            let evaluation = try evaluate(
                #"""
                {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "user.name"}]},
                ["clubs", 25], ["diamonds", 25], ["hearts", 25], ["spades", 25]]}
                """#, variants: ["clubs", "diamonds", "hearts", "spades"], key: "fractional-flag",
                ["user": ["name": .string(name)]])
            #expect(evaluation.variant == card, "\(name)")
            #expect(evaluation.reason == .split, "\(name)")
        }
    }

    @Test(
        "the short form buckets by flag key and targeting key",
        arguments: [("jon@company.com", "heads"), ("jane@company.com", "tails")])
    func shorthand(key: String, variant: String) throws {
        let evaluation = try evaluate(
            #"{"fractional": [["heads"], ["tails", 1]]}"#, variants: ["heads", "tails"],
            key: "fractional-flag-shorthand", EvaluationContext(targetingKey: key, attributes: [:]))
        #expect(evaluation.variant == variant)
    }

    @Test("variants and weights of a split may be expressions")
    func nestedWeight() throws {
        let cases: [(String, String, String)] = [
            ("jon@company.com", "premium", "red"), ("jon@company.com", "basic", "blue"), ("user1", "premium", "red"),
            ("user1", "basic", "blue"),
        ]
        for (key, tier, variant) in cases {
            let context = EvaluationContext(targetingKey: key, attributes: ["tier": .string(tier)])
            let weights = try evaluate(
                #"""
                {"fractional": [{"var": "targetingKey"},
                ["red", {"if": [{"==": [{"var": "tier"}, "premium"]}, 100, 0]}], ["blue", 10]]}
                """#, variants: ["red", "blue"], context)
            #expect(weights.variant == variant, "\(key)")
            let names = try evaluate(
                #"""
                {"fractional": [{"var": "targetingKey"},
                [{"if": [{"==": [{"var": "tier"}, "premium"]}, "red", "blue"]}, 50], ["blue", 50]]}
                """#, variants: ["red", "blue"], context)
            #expect(names.variant == (key == "jon@company.com" && tier == "premium" ? "red" : "blue"), "\(key)")
        }
    }

    @Test("versions compare like this")
    func versions() throws {
        let cases: [(String, String, String, Bool?)] =
            [
                ("2.0.0", "=", "2.0.0", true), ("2.1.0", ">", "2.0.0", true), ("1.9.0", "<", "2.0.0", true),
                ("2.0.0-alpha", "<", "2.0.0", true), ("2.0.0.0", "=", "2.0.0", nil), ("3.0.1", "~", "3.0.0", true),
                ("3.1.0", "~", "3.0.0", false), ("3.1.0", "^", "3.0.0", true), ("4.0.0", "^", "3.0.0", false),
                ("v1.0.0", "=", "v1.0.0", true), ("V1.0.0", "=", "1.0.0", true), ("vv1.0.0", "=", "1.0.0", nil),
                ("1.5.0", "^", "1", true), ("2.0.0", "^", "1", false), ("1.0.0+other", "=", "1.0.0+build", true),
                ("not-a-version", "=", "1.0.0", nil), ("1.0.0", "===", "1.0.0", nil), ("1.2", "=", "1.2.0", true),
                ("01.2.3", "=", "1.2.3", nil), ("1.0.0-01", "=", "1.0.0-1", nil), ("", "=", "1.0.0", nil),
                ("1.0.0-alpha.1", "<", "1.0.0-alpha.beta", true), ("1.0.0-beta.11", ">", "1.0.0-beta.2", true),
                ("1.0.0-rc.1", "!=", "1.0.0", true), ("1.0.0-alpha", "<", "1.0.0-alpha.1", true),
                ("99999999999999999999.0.0", ">", "99999999999999999998.0.0", true), ("1.0.0", ">=", "1.0.0", true),
                ("1.0.0", "<=", "0.9.9", false), ("1.0.0+", "=", "1.0.0", nil), (" 1.0.0", "=", "1.0.0", nil),
            ]
        for (value, comparison, target, expected) in cases {
            let wanted = expected.map { EncodedFlagValue.bool($0) } ?? .null
            let data: EncodedFlagValue = ["value": .string(value), "target": .string(target)]
            let constant: EncodedFlagValue = ["sem_ver": [["var": "value"], .string(comparison), .string(target)]]
            #expect(try TargetingRule(constant).evaluate(data) == wanted, "\(value)")
            let computed: EncodedFlagValue = ["sem_ver": [["var": "value"], .string(comparison), ["var": "target"]]]
            #expect(try TargetingRule(computed).evaluate(data) == wanted, "\(value)")
        }
    }

    @Test("references are replaced, and those to nothing are a parse error")
    func references() throws {
        let hit = try evaluate(
            #"{"if": [{"$ref": "is_ballmer"}, "hi", "bye"]}"#, variants: ["hi", "bye"],
            ["email": "ballmer@macrosoft.com"])
        #expect(hit.variant == "hi")
        #expect(hit.reason == .targetingMatch)
        let error = try evaluate(
            #"{"if": [{"$ref": "nonexistent_evaluator"}, "hi", "bye"]}"#, variants: ["hi", "bye"], [:])
        #expect(error.errorCode == .parseError)
    }
}
