import TacklineCore
import TacklineTargeting
import Testing

@Suite("A rollout in code")
struct RolloutTests {
    @Test("equals the document it says it equals")
    func equality() throws {
        let cases: [Int] = [0, 1, 10, 33, 50, 99, 100]
        for percentage in cases {
            let rollout = PercentageRollout(Double(percentage), of: "reservations")
            let text = """
                {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
                "defaultVariant": "off", "targeting": {"fractional": [["on", \(percentage)], ["off", \(100 - percentage)]]}}}}
                """
            let document = try json(text)
            #expect(
                EncodedFlagValue.object(["flags": ["reservations": rollout.definition]]) == document, "\(percentage)")
            let definitions = try FlagDefinitions(document)
            var contexts = Array(syntheticUsers(2_000))
            contexts += [EvaluationContext(), EvaluationContext(targetingKey: "", attributes: [:])]
            for context in contexts {
                #expect(
                    rollout.evaluate(for: context) == definitions.evaluate("reservations", for: context),
                    "\(percentage)")
                #expect(
                    rollout.includes(context) == (definitions.evaluate("reservations", for: context).value == true),
                    "\(percentage)")
            }
        }
    }

    /// With the attribute as a text, a number, empty, null, of another type, and without it.
    private var accounts: [EvaluationContext] {
        var contexts = (0..<2_000).map { number in
            EvaluationContext(targetingKey: "user-\(number)", attributes: ["email": .string("\(number)@example.com")])
        }
        for email: EncodedFlagValue in [5, 2.5, "", .null, true, false, ["a", 1], ["a": 1], [], 0] {
            contexts.append(EvaluationContext(targetingKey: "user", attributes: ["email": email]))
        }
        return contexts + [EvaluationContext(), EvaluationContext(targetingKey: "user")]
    }

    @Test("by an attribute moves nobody when it goes to its own definition")
    func byAttribute() throws {
        for generation in FractionalVersion.allCases {
            try byAttribute(generation: generation)
        }
    }

    private func byAttribute(generation: FractionalVersion) throws {
        let rollout = PercentageRollout(50, of: "f", by: "email", fractional: generation)
        let theme = WeightedVariants(
            of: "t", by: "email", [.init("a", weight: 30, value: 1), .init("b", weight: 70, value: 2)],
            fractional: generation)
        let definitions = try FlagDefinitions(
            ["flags": ["f": rollout.definition, "t": try theme.definition()]], fractional: generation)
        #expect(definitions.validate().isEmpty)
        for context in accounts {
            #expect(rollout.evaluate(for: context) == definitions.evaluate("f", for: context))
            #expect(rollout.includes(context) == (definitions.evaluate("f", for: context).value == true))
            #expect(theme.evaluate(for: context) == definitions.evaluate("t", for: context))
        }
        let keys = PercentageRollout(50, of: "f", fractional: generation)
        #expect(accounts.contains { keys.includes($0) != rollout.includes($0) })
        #expect(accounts.suffix(2).allSatisfy { !rollout.includes($0) })
    }

    @Test("takes percentages with fractions, exactly")
    func fractions() throws {
        for (percentage, weights) in [
            (12.5, [125, 875]), (0.1, [1, 999]), (33.3, [333, 667]), (0.001, [1, 99_999]), (99.99, [9_999, 1]),
            (29.1, [291, 709]), (.nan, [0, 100]), (1e-9, [0, 10_000_000]),
        ] {
            let rollout = PercentageRollout(percentage, of: "f")
            let shares = zip(["on", "off"], weights).map {
                EncodedFlagValue.array([.string($0), .integer(Int128($1))])
            }
            guard case .object(let members) = rollout.definition else { throw CancellationError() }
            #expect(members["targeting"] == ["fractional": .array(shares)])
        }
        let (ten, more) = (PercentageRollout(10, of: "f"), PercentageRollout(10.25, of: "f"))
        for user in syntheticUsers(5_000) where ten.includes(user) { #expect(more.includes(user)) }
    }
}
