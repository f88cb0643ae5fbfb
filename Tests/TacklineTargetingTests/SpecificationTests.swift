import TacklineCore
import TacklineTargeting
import Testing

/// Where the wording of the specification has an edge that no public case touches.
@Suite("The specification says that")
struct SpecificationTests {
    private let user: EvaluationContext = ["targetingKey": "user-1", "tier": "gold"]

    private func evaluate(
        _ targeting: String, variants: String = #""on": true, "off": false"#,
        _ rest: String = #", "defaultVariant": "off""#,
        state: String = "ENABLED", for context: EvaluationContext? = nil
    ) throws -> FlagEvaluation {
        let text = """
            {"flags": {"flag": {"state": "\(state)", "variants": {\(variants)}, "targeting": \(targeting)\(rest)}},
            "$evaluators": {"gold": {"==": [{"var": "tier"}, "gold"]}}}
            """
        return try FlagDefinitions(json: text, timestamp: { 1_700_000_000 }).evaluate("flag", for: context ?? user)
    }

    @Test("a disabled flag has no opinion, whatever its rule is")
    func disabled() throws {
        let cases: [String] = ["{}", #"{"if": [true, "on"]}"#, #"{"$ref": "nothing"}"#, #"{"no_operator": 1}"#]
        for targeting in cases {
            let evaluation = try evaluate(targeting, state: "DISABLED")
            #expect(evaluation.value == nil && evaluation.reason == .disabled, "\(targeting)")
            #expect(evaluation.errorCode == nil && evaluation.variant == nil, "\(targeting)")
        }
    }

    @Test("a rule may name a variant where there is no default, or one that no variant has")
    func matchWithoutDefault() throws {
        for rest in ["", #", "defaultVariant": null"#, #", "defaultVariant": "gone""#] {
            let evaluation = try evaluate(#"{"if": [{"$ref": "gold"}, "on"]}"#, rest)
            #expect(evaluation.value == true && evaluation.reason == .targetingMatch)
        }
        #expect(try evaluate(#"{"if": [false, "on"]}"#, #", "defaultVariant": "gone""#).errorCode == .general)
    }

    @Test("true and false name the variants of these names, and no others")
    func booleans() throws {
        #expect(try evaluate(#"{"$ref": "gold"}"#).errorCode == .general)
        let named = #""true": 1, "false": 0"#
        #expect(try evaluate(#"{"$ref": "gold"}"#, variants: named, "").value == 1)
        #expect(try evaluate(#"{"!": {"$ref": "gold"}}"#, variants: named, "").value == 0)
    }

    @Test("a rule that comes to null gives the default variant, also when a split gave the null")
    func splitOfNull() throws {
        for rule in [
            #"{"fractional": [[null, 1]]}"#, #"{"fractional": [["on", 0]]}"#, #"{"fractional": []}"#,
            #"{"fractional": [["on", 1.5]]}"#, #"{"fractional": [["on", -1], ["off", 0]]}"#, #"{"var": "nothing"}"#,
        ] {
            let evaluation = try evaluate(rule)
            #expect(evaluation.variant == "off" && evaluation.reason == .default, "\(rule)")
        }
    }

    @Test("a split without a key of its own needs a targeting key, and one with a key does not")
    func targetingKey() throws {
        let without: [EvaluationContext] = [
            [:], ["targetingKey": ""], ["targetingKey": .null], ["targetingKey": 5],
            EvaluationContext(targetingKey: ""),
        ]
        for context in without {
            for rule in [#"{"fractional": [["on", 1]]}"#, #"{"fractional": [null, ["on", 1]]}"#] {
                #expect(try evaluate(rule, for: context).reason == .default)
            }
            for rule in [
                #"{"fractional": ["seed", ["on", 1]]}"#,
                #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["on", 1]]}"#,
            ] {
                #expect(try evaluate(rule, for: context).reason == .split)
            }
        }
    }

    @Test("a flag's metadata wins by name over that of the set, also for a flag that fails or is disabled")
    func metadata() throws {
        let text = """
            {"metadata": {"a": 1, "b": 1}, "flags": {
            "off": {"state": "DISABLED", "variants": {"on": true}, "metadata": {"b": 2}},
            "lost": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "gone", "metadata": {"b": 3}}}}
            """
        let definitions = try FlagDefinitions(json: text)
        #expect(definitions.evaluate("off", for: user).metadata == ["a": 1, "b": 2])
        #expect(definitions.evaluate("lost", for: user).metadata == ["a": 1, "b": 3])
        #expect(definitions.evaluate("none", for: user).metadata == ["a": 1, "b": 1])
    }
}
