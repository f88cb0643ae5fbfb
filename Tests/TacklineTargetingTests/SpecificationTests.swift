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

    @Test("an empty rule is none, with and without a default variant")
    func emptyTargeting() throws {
        #expect(try evaluate("{}").reason == .static)
        #expect(try evaluate("{}", #", "defaultVariant": null"#).reason == .default)
        #expect(try evaluate("{}", "").value == nil)
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

    @Test("a split may give booleans and numbers, which name variants")
    func splitOfOtherTypes() throws {
        let named = #""true": "a", "2": "b", "0.5": "c""#
        #expect(try evaluate(#"{"fractional": [[true, 1]]}"#, variants: named, "").value == "a")
        #expect(try evaluate(#"{"fractional": [[2, 1]]}"#, variants: named, "").value == "b")
        #expect(try evaluate(#"{"fractional": [[0.5, 1]]}"#, variants: named, "").value == "c")
        #expect(try evaluate(#"{"fractional": [[2.0, 1]]}"#, variants: named, "").reason == .split)
        #expect(try evaluate(#"{"fractional": [["gone", 1]]}"#, variants: named, "").errorCode == .general)
    }

    @Test("the first argument of a split is evaluated before it is looked at")
    func firstArgument() throws {
        let cases: [(String, String)] = [
            (#"{"var": "tier"}"#, "text"), (#"{"var": "nothing"}"#, "null"), (#"{"if": [true, ""]}"#, "text"),
            (#"{"+": [1, 1]}"#, "refused"), (#"{"!": []}"#, "refused"), (#"{"var": "pair"}"#, "share"),
        ]
        for (argument, kind) in cases {
            var context = user
            context["pair"] = ["off", 1]
            for rest in [#"["on", 1]"#, #"["on", {"+": [1]}]"#] {
                let evaluation = try evaluate("{\"fractional\": [\(argument), \(rest)]}", for: context)
                switch kind {
                case "refused": #expect(evaluation.reason == .default, "\(argument)")
                case "share":
                    let position = FractionalReference.position(of: "flaguser-1", weights: [1, 1])
                    #expect(evaluation.variant == (position == 0 ? "off" : "on"), "\(argument)")
                default: #expect(evaluation.variant == "on" && evaluation.reason == .split, "\(argument)")
                }
            }
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

    @Test("the flag's key and the targeting key, joined, are what a split without a key buckets by")
    func joinedKey() throws {
        for number in 0..<200 {
            let context = EvaluationContext(targetingKey: "user-\(number)")
            let rules = [
                #"{"fractional": [["on", 3], ["off", 7]]}"#, #"{"fractional": [null, ["on", 3], ["off", 7]]}"#,
                #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["on", 3], ["off", 7]]}"#,
                #"{"fractional": [{"cat": ["flag", {"var": ["targetingKey"]}]}, ["on", 30], ["off", 70]]}"#,
                #"{"fractional": [["on", {"+": [1, 2]}], ["off", 7]]}"#,
            ]
            let position = FractionalReference.position(of: "flaguser-\(number)", weights: [3, 7])
            for rule in rules { #expect(try evaluate(rule, for: context).variant == (position == 0 ? "on" : "off")) }
        }
    }

    @Test("what an evaluation adds to the context overwrites attributes of those names")
    func reserved() throws {
        let rule =
            #"{"cat": [{"var": "$flagd.flagKey"}, "/", {"var": "$flagd.timestamp"}, "/", {"var": "$flagd.other"}]}"#
        var context = user
        context["$flagd"] = ["flagKey": "forged", "timestamp": 1, "other": "forged"]
        #expect(try evaluate(rule, variants: #""flag/1700000000/": 1"#, "", for: context).value == 1)
        let typed = #"{"===": [{"var": "$flagd.timestamp"}, 1700000000]}"#
        #expect(try evaluate(typed, variants: #""true": 1"#, "", for: context).value == 1)
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
