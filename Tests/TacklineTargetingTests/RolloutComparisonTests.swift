import Foundation
import TacklineCore
import TacklineTargeting
import Testing

@Suite("A comparison of two documents")
struct RolloutComparisonTests {
    private func definitions(_ targeting: String) throws -> FlagDefinitions {
        try FlagDefinitions(
            json(
                """
                {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
                "defaultVariant": "off", "targeting": \(targeting)}}}
                """))
    }

    @Test("counts the moves of subjects that are evaluated one by one")
    func moves() throws {
        let rules = [
            #"{"fractional": [["on", 10], ["off", 90]]}"#, #"{"fractional": [["on", 3], ["none", 3], ["off", 3]]}"#,
            #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["on", 1], ["off", 1]]}"#,
            #"{"if": [{"==": [{"var": "staff"}, true]}, {"fractional": [["on", 9], ["off", 1]]}, "off"]}"#,
            #"{"if": [{"fractional": [["", 1], ["x", 1]]}, {"fractional": [["on", 1], ["off", 1]]}, "off"]}"#,
        ]
        let contexts = (0..<300).map { number in
            EvaluationContext(
                targetingKey: number % 7 == 0 ? nil : number % 11 == 0 ? "" : "user-\(number)",
                attributes: number % 3 == 0 ? [:] : ["staff": .bool(number % 2 == 0)])
        }
        let documents = try rules.flatMap { rule in
            try FractionalVersion.allCases.map { generation in
                try FlagDefinitions(
                    json: """
                        {"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false},
                        "defaultVariant": "off", "targeting": \(rule)}}}
                        """, fractional: generation)
            }
        }
        func names(_ definitions: FlagDefinitions) -> [String] {
            contexts.map { definitions.evaluate("f", for: $0).variant ?? "(error)" }
        }
        for old in documents {
            let before = names(old)
            for new in documents {
                let moves = zip(before, names(new)).filter { $0 != $1 }
                let found = RolloutComparison(of: "f", from: old, to: new, contexts: contexts).moves
                #expect(found.reduce(0) { $0 + $1.count } == moves.count)
                for move in found { #expect(move.count == moves.count { $0 == (move.from, move.to) }) }
            }
        }
    }

    @Test("counts those without a value apart")
    func withoutValue() throws {
        let failing = try definitions(#"{"cat": "maybe"}"#)
        let working = try definitions(#"{"if": [true, "on"]}"#)
        let none = try FlagDefinitions(["flags": [:]])
        func ways(_ old: FlagDefinitions, _ new: FlagDefinitions) -> [[String]] {
            RolloutComparison(of: "reservations", from: old, to: new, users: 10).moves.map { [$0.from, $0.to] }
        }
        #expect(ways(failing, working) == [["(error)", "on"]])
        #expect(ways(working, none) == [["on", "(no opinion)"]])
        #expect(ways(none, none).isEmpty)
        let nobody = RolloutComparison(of: "reservations", from: working, to: none, users: 0)
        #expect(nobody.moves.isEmpty && nobody.subjectCount == 0)
    }

    private func themes(_ bold: Int) -> WeightedVariants<String> {
        WeightedVariants(
            of: "checkout_theme",
            [.init("bold", weight: bold, value: "B"), .init("plain", weight: 100 - bold, value: "P")])
    }

    @Test("of weighted variants agrees with the document that equals them, and growing the first moves nobody out")
    func weightedDefinition() throws {
        let document = try FlagDefinitions(
            .object(["flags": .object(["checkout_theme": try themes(30).definition()])]))
        #expect(document.errors.isEmpty && document.validate().isEmpty)
        for context in syntheticUsers(500) {
            #expect(document.evaluate("checkout_theme", for: context) == themes(30).evaluate(for: context))
        }
        #expect(themes(30).evaluate(for: EvaluationContext()).value == nil)
        let more = try FlagDefinitions(["flags": ["checkout_theme": try themes(60).definition()]])
        let change = RolloutComparison(of: "checkout_theme", from: document, to: more, users: 5_000)
        #expect(change.leaving("bold") == 0 && change.joining("bold") > 1_000)
    }
}
