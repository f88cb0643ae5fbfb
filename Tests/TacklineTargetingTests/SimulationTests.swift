import Foundation
import TacklineCore
import TacklineTargeting
import Testing

@Suite("A simulation")
struct SimulationTests {
    private func definitions(_ targeting: String) throws -> FlagDefinitions {
        try FlagDefinitions(
            json(
                """
                {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
                "defaultVariant": "off", "targeting": \(targeting)}}}
                """))
    }

    @Test("shows the split beside the expected one, in columns")
    func table() {
        let simulation = RolloutSimulation(
            of: PercentageRollout(10, of: "reservations"), users: 10_000)
        let counted: Int = simulation.shares.map(\.count).reduce(0, +)
        #expect(counted == 10_000)
        let lines = simulation.table.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0] == "reservations, 10000 subjects")
        #expect(lines[1] == "variant  subjects    share  expected")
        #expect(lines[2].hasPrefix("off") && lines[2].hasSuffix("90.00 %"))
        #expect(lines[3].hasPrefix("on ") && lines[3].hasSuffix("10.00 %"))
        #expect(Set(lines[1...].map(\.count)).count == 1)
    }

    @Test("of a document agrees with that of the equal rollout")
    func document() throws {
        let document = RolloutSimulation(
            of: "reservations", in: try definitions(#"{"fractional": [["on", 10], ["off", 90]]}"#), users: 3_000)
        let rollout = RolloutSimulation(of: PercentageRollout(10, of: "reservations"), users: 3_000)
        #expect(document.shares.map(\.count) == rollout.shares.map(\.count))
        for (left, right) in zip(document.shares, rollout.shares) {
            #expect(abs(left.expectedCount - right.expectedCount) < 1e-6)
        }
        try splitsAlone()
    }

    /// Subjects are counted and compared as they are evaluated one by one, also where only a split differs.
    private func splitsAlone() throws {
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
            try FractionalGeneration.allCases.map { generation in
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
            for share in RolloutSimulation(of: "f", in: old, contexts: contexts).shares {
                #expect(share.count == before.count { $0 == share.variant })
            }
            for new in documents {
                let moves = zip(before, names(new)).filter { $0 != $1 }
                let found = RolloutComparison(of: "f", from: old, to: new, contexts: contexts).moves
                #expect(found.reduce(0) { $0 + $1.count } == moves.count)
                for move in found { #expect(move.count == moves.count { $0 == (move.from, move.to) }) }
            }
        }
    }

    @Test("expects what conditions, splits in splits and computed weights make of each subject")
    func expectation() throws {
        let definitions = try definitions(
            """
            {"if": [{"==": [{"var": "staff"}, true]}, "on",
            {"fractional": [[{"fractional": [{"cat": ["inner", {"var": "targetingKey"}]}, ["on", 1], ["off", 1]]}, 50],
            ["off", {"if": [true, 50]}]]}]}
            """)
        let contexts = (0..<4_000).map { number in
            EvaluationContext(targetingKey: "user-\(number)", attributes: ["staff": .bool(number % 4 == 0)])
        }
        let simulation = RolloutSimulation(of: "reservations", in: definitions, contexts: contexts)
        let on = try #require(simulation.shares.first { $0.variant == "on" })
        let expected: Double = 1_000 + 3_000 * 0.25
        let deviation: Double = (3_000 * 0.25 * 0.75).squareRoot()
        let missed = abs(Double(on.count) - on.expectedCount)
        #expect(abs(on.expectedCount - expected) < 1e-6)
        #expect(missed < 4 * deviation)
    }

    @Test("expects the right shares of more than 64 variants, and of more ways than can be tried")
    func manyVariants() throws {
        let variants = (0..<200).map { WeightedVariants<Int>.Variant("v\($0)", weight: 1, value: $0) }
        let simulation = RolloutSimulation(of: WeightedVariants(of: "f", variants), users: 100)
        #expect(abs(simulation.shares.reduce(0) { $0 + $1.expectedCount } - 100) < 1e-6)
        #expect(simulation.shares.allSatisfy { abs($0.expectedCount - 0.5) < 1e-9 })
        // Sixteen coins in one rule have 65,536 ways.
        let coins = (0..<16).map { #"{"fractional": ["\#($0)", [0, 1], [1, 3]]}"# }.joined(separator: ", ")
        let definitions = try definitions(#"{"if": [{">=": [{"+": [\#(coins)]}, 12]}, "on", "off"]}"#)
        let shares = RolloutSimulation(of: "reservations", in: definitions, users: 2).shares
        // A binomial distribution: 12 or more of 16 at three quarters.
        let expected = try #require(shares.first { $0.variant == "on" }).expectedCount / 2
        #expect(abs(expected - 0.63019) < 0.03, "\(expected)")
    }

    @Test("counts those without a value apart")
    func withoutValue() throws {
        let definitions = try definitions(#"{"cat": "maybe"}"#)
        let failing = RolloutSimulation(of: "reservations", in: definitions, users: 10)
        #expect(failing.shares.map(\.variant) == ["(error)"])
        let unknown = RolloutSimulation(of: "unknown", in: definitions, users: 10)
        #expect(unknown.shares.map(\.variant) == ["(no opinion)"])
        #expect(unknown.shares.map(\.expectedCount) == [10])
        let nobody = RolloutSimulation(of: "reservations", in: definitions, users: 0)
        #expect(nobody.shares.isEmpty)
        #expect(nobody.table == "reservations, 0 subjects\nvariant  subjects  share  expected\n")
    }

    @Test("draws a picture whose text is escaped")
    func picture() {
        let variants = WeightedVariants(
            of: "<b>\"&'\u{1}", [.init("</text><script>", weight: 1, value: 1)])
        let picture = RolloutSimulation(of: variants, contexts: RolloutSimulation.syntheticUsers(10)).svg
        #expect(picture.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(picture.contains("&lt;b&gt;&quot;&amp;&#39;\u{fffd}, 10 subjects"))
        #expect(picture.contains("&lt;/text&gt;&lt;script&gt;"))
        #expect(!picture.contains("<script>"))
        #expect(picture.contains("width=\"300.00\" height=\"22\""))
        #expect(picture.contains("prefers-color-scheme: dark"))
    }

    @Test("of a growing rollout shows who joins, and that nobody leaves")
    func growth() {
        let change = RolloutComparison(
            from: PercentageRollout(10, of: "reservations"),
            to: PercentageRollout(50, of: "reservations"), users: 5_000)
        #expect(change.leaving("on") == 0)
        #expect(change.moves.count == 1)
        #expect(change.joining("on") == change.moves[0].count)
        #expect(change.moves[0].examples.count == RolloutComparison.exampleCount)
        #expect(change.unchangedCount + change.joining("on") == 5_000)
        #expect(change.table.hasPrefix("change"))
        let back = RolloutComparison(
            from: PercentageRollout(50, of: "reservations"),
            to: PercentageRollout(0, of: "reservations"), users: 5_000)
        #expect(back.joining("on") == 0)
        #expect(back.moves.map(\.to) == ["off"])
    }

    @Test("of two documents names what a reversed order does")
    func order() throws {
        let change = RolloutComparison(
            of: "reservations", from: try definitions(#"{"fractional": [["on", 50], ["off", 50]]}"#),
            to: try definitions(#"{"fractional": [["off", 50], ["on", 50]]}"#), users: 1_000)
        #expect(change.unchangedCount == 0)
        #expect(change.joining("on") + change.joining("off") == 1_000)
        #expect(change.joining("on") == change.leaving("off"))
    }

    private func themes(_ bold: Int) -> WeightedVariants<String> {
        WeightedVariants(
            of: "checkout_theme",
            [.init("bold", weight: bold, value: "B"), .init("plain", weight: 100 - bold, value: "P")])
    }

    @Test("of weighted variants in code shows their split for synthetic users, as table and picture")
    func weightedVariants() throws {
        let simulation = RolloutSimulation(of: themes(30), users: 10_000)
        #expect(simulation.shares.map(\.variant) == ["bold", "plain"])
        #expect(zip(simulation.shares, [3_000.0, 7_000]).allSatisfy { abs($0.expectedCount - $1) < 1e-6 })
        let deviation = (10_000 * 0.3 * 0.7).squareRoot()
        #expect(abs(Double(simulation.shares[0].count) - 3_000) < 4 * deviation)
        #expect(
            simulation.table.hasPrefix("checkout_theme, 10000 subjects\nvariant  subjects    share  expected\nbold"))
        #expect(simulation.svg.contains("checkout_theme, 10000 subjects") && simulation.svg.contains("30.00 %"))
        let nobody = WeightedVariants(of: "none", [.init("a", weight: 0, value: 1)])
        #expect(RolloutSimulation(of: nobody, users: 10).shares.map(\.variant) == ["(no opinion)"])
    }

    @Test("of weighted variants agrees with the document that equals them, and growing the first moves nobody out")
    func weightedDefinition() throws {
        let document = try FlagDefinitions(
            .object(["flags": .object(["checkout_theme": try themes(30).definition()])]))
        #expect(document.errors.isEmpty && document.validate().isEmpty)
        for context in RolloutSimulation.syntheticUsers(500) {
            #expect(document.evaluate("checkout_theme", for: context) == themes(30).evaluate(for: context))
        }
        #expect(themes(30).evaluate(for: EvaluationContext()).outcome == .noOpinion)
        let change = RolloutComparison(from: themes(30), to: themes(60), users: 5_000)
        #expect(change.leaving("bold") == 0 && change.joining("bold") > 1_000)
        #expect(RolloutComparison(from: themes(0), to: themes(30), users: 100).joining("plain") == 0)
    }

    @Test(
        "of a rollout that grows shows the split of each moment, in code as in a document that knows no time of its own"
    )
    func moments() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let rollout = ProgressiveRollout(of: "reservations", at: 10, to: 90, from: start, until: start + 8_000)
        let document = try FlagDefinitions(["flags": ["reservations": rollout.definition]], timestamp: { 0 })
        for (seconds, percentage) in [(-100, 10), (0, 10), (1_000, 20), (4_000.9, 50), (8_000, 90), (1e6, 90.0)] {
            let date = start + seconds
            let simulation = RolloutSimulation(of: rollout, at: date, users: 5_000)
            let same = RolloutSimulation(of: "reservations", in: document, at: date, users: 5_000)
            #expect(simulation.shares.map(\.count) == same.shares.map(\.count) && simulation.table == same.table)
            let on = try #require(simulation.shares.first { $0.variant == "on" })
            #expect(abs(on.expectedCount - 50 * percentage) < 1e-6, "\(seconds)")
            let deviation = (5_000 * percentage / 100 * (1 - percentage / 100)).squareRoot()
            #expect(abs(Double(on.count) - 50 * percentage) < 4 * deviation, "\(seconds)")
            #expect(simulation.date == date)
        }
        let simulation = RolloutSimulation(of: rollout, at: start + 0.5, users: 10)
        #expect(simulation.table.hasPrefix("reservations, 10 subjects at 2027-01-15T08:00:00Z\nvariant"))
        #expect(simulation.svg.contains("<title>reservations, 10 subjects at 2027-01-15T08:00:00Z</title>"))
        // Without a moment the document's own time holds, which is long before.
        let early = RolloutSimulation(of: "reservations", in: document, users: 5_000)
        let off = try #require(early.shares.first { $0.variant == "off" })
        #expect(early.date == nil && abs(off.expectedCount - 4_500) < 1e-6)
    }

    @Test("as of a moment sees what other flags give then, which a flag needs")
    func momentsOfPrerequisites() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let cart = ProgressiveRollout(of: "cart", to: 100, from: start, until: start + 1_000)
        let checkout: EncodedFlagValue = [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
            "targeting": ["if": [true, "on"]], "metadata": ["tackline.requires": "cart=on"],
        ]
        let definitions = try FlagDefinitions(
            ["flags": ["cart": cart.definition, "checkout": checkout]], timestamp: { 0 })
        for (seconds, variants) in [(-1, ["off"]), (500, ["off", "on"]), (1_000, ["on"])] as [(Double, [String])] {
            let simulation = RolloutSimulation(of: "checkout", in: definitions, at: start + seconds, users: 1_000)
            #expect(simulation.shares.map(\.variant) == variants)
            #expect(simulation.shares.allSatisfy { Double($0.count) == $0.expectedCount })
        }
    }
}
