import TacklineCore
import TacklineTargeting
import Testing

@Suite("A rollout in code")
struct RolloutTests {
    @Test("equals the document it says it equals", arguments: [0, 1, 10, 33, 50, 99, 100])
    func equality(percentage: Int) throws {
        let rollout = PercentageRollout(percentage, of: "reservations", by: \.targetingKey)
        let text = """
            {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
            "defaultVariant": "off", "targeting": {"fractional": [["on", \(percentage)], ["off", \(100 - percentage)]]}}}}
            """
        let document = try json(text)
        #expect(EncodedFlagValue.object(["flags": ["reservations": rollout.definition]]) == document)
        let definitions = try FlagDefinitions(document)
        var contexts = Array(RolloutSimulation.syntheticUsers(2_000))
        contexts += [EvaluationContext(), EvaluationContext(targetingKey: "", attributes: [:])]
        for context in contexts {
            #expect(rollout.evaluate(for: context) == definitions.evaluate("reservations", for: context))
            #expect(
                rollout.includes(context) == (definitions.evaluate("reservations", for: context).value == true))
        }
    }

    @Test("by an attribute equals the document that joins flag key and attribute")
    func byAttribute() throws {
        let rollout = PercentageRollout(30, of: "reservations") { context in
            if case .string(let account)? = context["account"] { account } else { nil }
        }
        let rule = try TargetingRule(
            json(
                #"""
                {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "account"}]}, [true, 30], [false, 70]]}
                """#))
        for number in 0..<2_000 {
            let account = EncodedFlagValue.string("account-\(number)")
            let data: EncodedFlagValue = ["account": account, "$flagd": ["flagKey": "reservations"]]
            #expect(try rule.evaluate(data) == .bool(rollout.includes(["account": account])))
        }
    }

    @Test("takes a percentage beyond its range for the nearest within")
    func clamping() {
        #expect(PercentageRollout(-5, of: "f", by: \.targetingKey).percentage == 0)
        #expect(PercentageRollout(500, of: "f", by: \.targetingKey).percentage == 100)
    }

    @Test("with weights equals the document with the same weights")
    func weighted() throws {
        let variants = WeightedVariants(
            of: "theme", by: \.targetingKey,
            [.init("a", weight: 20, value: 1), .init("b", weight: -3, value: 2), .init("c", weight: 13, value: 3)])
        let rule = try TargetingRule(json(#"{"fractional": [["a", 20], ["b", -3], ["c", 13]]}"#))
        for number in 0..<2_000 {
            let key = "user-\(number)"
            let context = EvaluationContext(targetingKey: key, attributes: [:])
            let expected = try rule.evaluate(["targetingKey": .string(key), "$flagd": ["flagKey": "theme"]])
            #expect(variants.variant(for: context).map { .string($0.name) } == expected)
        }
    }

    @Test("with weights beyond the limit, or none, places nobody")
    func impossibleWeights() {
        let user = EvaluationContext(targetingKey: "user", attributes: [:])
        for weights in [[], [0, 0], [-1], [2_147_483_648], [2_147_483_647, 1], [Int.max, Int.max]] {
            let variants = WeightedVariants(
                of: "f", by: \.targetingKey, weights.map { .init("v", weight: $0, value: $0) })
            #expect(variants.value(for: user) == nil)
        }
    }
}
