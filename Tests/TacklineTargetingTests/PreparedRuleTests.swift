import TacklineCore
import TacklineTargeting
import Testing

/// What is prepared when a rule is compiled has to give what the plain evaluation gives.
@Suite("A prepared rule")
struct PreparedRuleTests {
    private func definitions(
        _ targeting: String, fractional: FractionalGeneration = .v2
    ) throws -> FlagDefinitions {
        let text = """
            {"flags": {"flag": {"state": "ENABLED", "variants": {"a": 1, "b": 2, "true": 3, "7": 4}, "defaultVariant": "a",
            "targeting": \(targeting)}}}
            """
        return try FlagDefinitions(json(text), fractional: fractional)
    }

    static let contexts: [EvaluationContext] = [
        EvaluationContext(), EvaluationContext(targetingKey: "", attributes: [:]),
        ["targetingKey": "user-1", "email": "ada@example.com"],
        EvaluationContext(attributes: ["targetingKey": 5, "email": "x"]),
        ["targetingKey": "user-2", "email": 12], ["targetingKey": "é🎈", "email": .null, "list": .array(["a", 1])],
        EvaluationContext(targetingKey: "user-3", attributes: ["targetingKey": "hidden", "email": ["a", "b"]]),
        ["email": "grace@example.com", "list": .array([["a", 1]])],
    ]

    @Test("splits as one whose weights are computed")
    func split() throws {
        let cases: [String] = [
            "", "null, ", #"{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, "#,
            #"{"cat": ["seed", {"var": "email"}]}, "#,
            #"{"cat": [{"var": "targetingKey"}, "-", {"var": "email"}, 5]}, "#,
            #"{"var": "email"}, "#, #"{"var": "targetingKey"}, "#, #""text", "#, #"{"var": "list"}, "#, "5, ", "true, ",
            #"{"var": "list.0"}, "#, #"{"cat": []}, "#, #"{"cat": {"var": "email"}}, "#,
        ]
        for key in cases {
            for generation in FractionalGeneration.allCases {
                let prepared = try definitions(
                    #"{"fractional": [\#(key)["a", 3], [true, 5], [7, 4], ["b", 1]]}"#, fractional: generation)
                let plain = try definitions(
                    #"{"fractional": [\#(key)["a", {"+": 3}], [true, {"+": 5}], [7, {"+": 4}], ["b", {"+": 1}]]}"#,
                    fractional: generation)
                for context in Self.contexts {
                    #expect(
                        prepared.evaluate("flag", for: context) == plain.evaluate("flag", for: context), "\(context)")
                }
            }
        }
    }

    @Test("in the scope of a list splits as one whose weights are computed")
    func scoped() throws {
        for key in ["", #"{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, "#, #"{"var": "name"}, "#] {
            let texts = [#"["x", 1], ["y", 1]"#, #"["x", {"+": 1}], ["y", {"+": 1}]"#].map {
                #"{"map": [{"var": "people"}, {"fractional": [\#(key)\#($0)]}]}"#
            }
            let data: EncodedFlagValue = [
                "targetingKey": "user-1", "$flagd": ["flagKey": "flag"],
                "people": [["name": "n", "targetingKey": "t"], ["name": "m"], 5],
            ]
            for generation in FractionalGeneration.allCases {
                let results = try texts.map { try TargetingRule(json($0), fractional: generation).evaluate(data) }
                #expect(results[0] == results[1], "\(key)")
            }
        }
    }

    @Test("tests texts as one whose text is computed")
    func affix() throws {
        let cases: [String] = [
            #"{"var": "email"}"#, #"{"var": ["email", "x@example.com"]}"#, #"{"var": "targetingKey"}"#, "5",
        ]
        for value in cases {
            for name in ["starts_with", "ends_with"] {
                for affix in ["ada", "@example.com", "", "x"] {
                    let prepared = try definitions(#"{"if": [{"\#(name)": [\#(value), "\#(affix)"]}, "b", "a"]}"#)
                    let plain = try definitions(#"{"if": [{"\#(name)": [\#(value), {"cat": "\#(affix)"}]}, "b", "a"]}"#)
                    for context in Self.contexts {
                        #expect(
                            prepared.evaluate("flag", for: context) == plain.evaluate("flag", for: context), "\(value)")
                    }
                }
            }
        }
    }

    @Test("searches a list of texts as one that is computed")
    func membership() throws {
        let list = #""a", "b", "ada@example.com", "x", "12", "é🎈""#
        let prepared = try definitions(#"{"if": [{"in": [{"var": "email"}, [\#(list)]]}, "b", "a"]}"#)
        let plain = try definitions(#"{"if": [{"in": [{"var": "email"}, [\#(list), {"cat": "y"}]]}, "b", "a"]}"#)
        for context in Self.contexts {
            #expect(prepared.evaluate("flag", for: context) == plain.evaluate("flag", for: context))
        }
    }

    @Test("finds a variant among many")
    func manyVariants() throws {
        let variants = (0..<40).map { "\"v\($0)\": \($0)" }.joined(separator: ", ")
        let text = """
            {"flags": {"flag": {"state": "ENABLED", "variants": {\(variants)}, "targeting": {"var": "name"}}}}
            """
        let definitions = try FlagDefinitions(json(text))
        for number in 0..<40 {
            let evaluation = definitions.evaluate("flag", for: ["name": .string("v\(number)")])
            #expect(evaluation.value == .integer(Int128(number)))
        }
        #expect(definitions.evaluate("flag", for: ["name": "v40"]).errorCode == .general)
    }
}
