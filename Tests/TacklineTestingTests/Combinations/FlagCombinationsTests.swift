import TacklineCore
import TacklineTargeting
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("Combinations of flag values")
struct FlagCombinationsTests {
    let flags = FlagsLoader(AppFlags.self, providers: [])

    @Test("are all there, each once, the last flag varying fastest")
    func all() {
        let all = FlagCombinations.all {
            $0.vary(\AppFlags.newCheckout)
            $0.vary(\AppFlags.theme)
            $0.vary(\AppFlags.limit, over: [1, 2])
        }
        #expect(all.count == 12)
        #expect(Set(all.map(\.description)).count == 12)
        #expect(all[1].description == "newCheckout = false, theme = light, limit = 2")
        #expect(all[11].description == "newCheckout = true, theme = system, limit = 2")
        // Each runs in its scope.
        let both = FlagCombinations.all {
            $0.vary(\AppFlags.newCheckout)
            $0.vary(\AppFlags.secrets.boomFeature)
        }
        for overrides in both {
            withFlags(overrides) {
                #expect(flags.boomCheckout == (flags.newCheckout && flags.secrets.boomFeature))
                #expect("\(overrides)".hasPrefix("newCheckout = \(flags.newCheckout)"))
            }
        }
    }

    @Test("of no flags are one that sets nothing")
    func none() {
        #expect(FlagCombinations.all { _ in }.map(\.description) == [""])
        #expect(FlagCombinations.pairwise { _ in }.map(\.description) == [""])
        #expect(FlagCombinations.pairwise { $0.vary(\AppFlags.theme) }.count == 3)
    }

    @Test("taken pairwise hold every pair of values and few rows")
    func pairwise() {
        let cases: [[Int]] = [
            [2, 2], [3, 1, 2], [5, 4, 3, 2], Array(repeating: 2, count: 20), Array(repeating: 4, count: 12),
        ]
        for counts in cases {
            let overrides = FlagCombinations.pairwise { variations in
                // One flag stands for all: what is read back is the text of the overrides.
                for (factor, count) in counts.enumerated() {
                    variations.vary(\AppFlags.limit, over: (0..<count).map { UInt8(factor * 10 + $0) })
                }
            }
            let rows = overrides.map { row in
                row.description.split(separator: ", ").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            }
            for first in counts.indices {
                for second in counts.indices where second > first {
                    let pairs = Set(rows.map { $0[first] * 1000 + $0[second] })
                    #expect(pairs.count == counts[first] * counts[second], "\(counts)")
                }
            }
            let most = counts.sorted().suffix(2).reduce(1, *)
            #expect(rows.count >= most, "\(counts)")
            #expect(rows.count <= most * 3, "\(rows.count) rows for \(counts)")
        }
    }
}

@Suite("Combinations of flag values under constraints")
struct ConstrainedCombinationsTests {
    /// Enough flags of several kinds to have constraints between them.
    struct Shop: FlagCollectionProtocol {
        enum Pay: String, FlagValue, CaseIterable { case card, bill, cash }

        @Flag(default: false, description: "The new cart") var newCart: Bool
        @Flag(default: false, description: "The new checkout") var newCheckout: Bool
        @Flag(default: .card, description: "How to pay") var pay: Pay
        @Flag(default: 1, description: "How often to try") var attempts: Int
        @Flag(default: false, description: "Without a basket") var express: Bool
        @FlagCollection(description: "Not yet announced") var secrets: Secrets

        struct Secrets: FlagCollectionProtocol {
            @Flag(default: false, description: "Points for each order") var points: Bool
        }
    }

    private static let cart = FlagConstraint.require("the new checkout needs the new cart") {
        .flag("new_checkout").implies(.flag("new_cart"))
    }
    private static let payment = FlagConstraint.require("express goes without a card") {
        !(.flag("pay", is: "card") && .flag("express"))
    }
    private static let points = FlagConstraint.require("points need a second attempt or the new checkout") {
        .flag("secrets/points").implies(.flag("attempts", is: 2) || .flag("new_checkout"))
    }

    private func vary(_ variations: inout FlagVariations) {
        variations.vary(\Shop.newCart)
        variations.vary(\Shop.newCheckout)
        variations.vary(\Shop.pay)
        variations.vary(\Shop.attempts, over: [0, 1, 2])
        variations.vary(\Shop.express)
        variations.vary(\Shop.secrets.points)
    }

    /// What is set, as "flag = value".
    private func settings(_ values: ScopedFlagValues) -> [String] {
        values.description.split(separator: ", ").map(String.init)
    }

    private func pairs(_ rows: [ScopedFlagValues]) -> Set<String> {
        var pairs: Set<String> = []
        for row in rows {
            let settings = settings(row)
            for (position, setting) in settings.enumerated() {
                for other in settings.dropFirst(position + 1) { pairs.insert("\(setting), \(other)") }
            }
        }
        return pairs
    }

    @Test("break none of them, and hold every pair of values that some allowed combination holds, in few rows")
    func pairwise() throws {
        let constraints = [Self.cart, Self.payment, Self.points]
        let flags = FlagsLoader(Shop.self, providers: [])
        let all = FlagCombinations.all(vary)
        let allowed = FlagCombinations.all(under: constraints, vary)
        let rows = FlagCombinations.pairwise(under: constraints, vary)
        // Which of all keep the constraints is decided by the check of an app's own flags, not by what made them.
        let kept = all.filter { row in
            withFlags(row) { (try? flags.validate(constraints)) != nil }
        }
        #expect(all.count == 144 && kept.count > 40 && kept.count < 144)
        #expect(allowed.map(\.description) == kept.map(\.description))
        #expect(Set(rows.map(\.description)).isSubset(of: kept.map(\.description)))
        #expect(pairs(rows) == pairs(kept))
        #expect(pairs(kept).count < pairs(all).count)
        #expect(rows.count < 20, "\(rows.count) rows")
        // The same each time, and without constraints as ever.
        #expect(rows.map(\.description) == FlagCombinations.pairwise(under: constraints, vary).map(\.description))
        #expect(pairs(FlagCombinations.pairwise(vary)) == pairs(all))
    }

    @Test("hold every allowed pair for random constraints that leave hardly anything, or rule a value out alone")
    func random() {
        var generator = SeededGenerator(seed: 17)
        let keys: [(key: String, values: [EncodedFlagValue])] = [
            ("new_cart", [true, false]), ("new_checkout", [true, false]), ("pay", ["card", "bill", "cash"]),
            ("attempts", [0, 1, 2]), ("express", [true, false]), ("secrets/points", [true, false]),
        ]
        func condition(_ generator: inout SeededGenerator) -> FlagCondition {
            let flag = keys[Int.random(in: 0..<keys.count, using: &generator)]
            return .flag(flag.key, is: flag.values[Int.random(in: 0..<flag.values.count, using: &generator)])
        }
        var tried = 0
        for _ in 0..<60 {
            let constraints = (0..<Int.random(in: 1...7, using: &generator)).map { number in
                let (left, middle, right) = (
                    condition(&generator), condition(&generator), condition(&generator)
                )
                let isAlone = Int.random(in: 0..<8, using: &generator) == 0
                return FlagConstraint.require("\(number)") { isAlone ? !left : (left && middle).implies(!right) }
            }
            // Where nothing is left there is nothing to be made.
            guard Self.isPossible(constraints, keys) else { continue }
            tried += 1
            let allowed = FlagCombinations.all(under: constraints, vary)
            let rows = FlagCombinations.pairwise(under: constraints, vary)
            #expect(Set(rows.map(\.description)).isSubset(of: allowed.map(\.description)))
            #expect(pairs(rows) == pairs(allowed))
        }
        #expect(tried > 40)
    }

    private static func isPossible(
        _ constraints: [FlagConstraint], _ keys: [(key: String, values: [EncodedFlagValue])]
    ) -> Bool {
        var rows: [[String: EncodedFlagValue]] = [[:]]
        for (key, values) in keys { rows = rows.flatMap { row in values.map { row.merging([key: $0]) { $1 } } } }
        return rows.contains { row in constraints.allSatisfy { $0.holds(for: row) } }
    }

    @Test("may be of one's own type")
    func ownType() {
        struct Needs: FlagValueConstraint {
            let name: String
            let flagKeys: Set<String>
            func holds(for values: [String: EncodedFlagValue]) -> Bool { values.values.contains(true) }
        }
        // No two of four may both be off.
        let names = ["new_cart", "new_checkout", "express", "secrets/points"]
        let constraints = names.flatMap { left in
            names.filter { $0 > left }.map { Needs(name: "\(left) or \($0)", flagKeys: [left, $0]) }
        }
        let rows = FlagCombinations.pairwise(under: constraints, vary)
        for row in rows {
            let off = settings(row).filter { $0.hasSuffix("= false") }
            #expect(off.count <= 1, "\(row)")
        }
        #expect(rows.contains { settings($0).contains("express = false") })
    }

    @Test("take flags that are not varied by their defaults, and leave constraints alone that are about others")
    func defaults() {
        // The cart is off by default, so the checkout cannot be on.
        let rows = FlagCombinations.all(under: [Self.cart]) { $0.vary(\Shop.newCheckout) }
        #expect(rows.map(\.description) == ["newCheckout = false"])
        #expect(FlagCombinations.pairwise(under: [Self.cart]) { $0.vary(\Shop.newCheckout) }.count == 1)
        let elsewhere = FlagConstraint.require("elsewhere") { .flag("no_such").implies(.flag("nor_this")) }
        #expect(FlagCombinations.all(under: [elsewhere, Self.payment]) { $0.vary(\Shop.newCart) }.count == 2)
    }

    @Test("go by keys as the loader makes them")
    func keys() {
        let configuration = KeyConfiguration(prefix: "shop", pathSeparator: ".", keyTransform: .kebabCase)
        let cart = FlagConstraint.require("no new checkout") { !.flag("shop.new-checkout") }
        let rows = FlagCombinations.pairwise(under: [cart], keys: configuration) {
            $0.vary(\Shop.newCheckout)
            $0.vary(\Shop.pay)
        }
        #expect(rows.count == 3)
        #expect(rows.allSatisfy { settings($0).contains("newCheckout = false") })
    }

    @Test("end with advice where a flag is misspelt, or nothing is left")
    func mistakes() async throws {
        let misspelt = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let typo = FlagConstraint.require("typo") { .flag("new_checkout").implies(.flag("new_crat")) }
            _ = FlagCombinations.pairwise(under: [typo]) { $0.vary(\ConstrainedCombinationsTests.Shop.newCheckout) }
        }
        let text = String(decoding: misspelt?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(#"The constraint "typo" is about "new_crat", which no collection has"#), "\(text)")
        let impossible = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let never = FlagConstraint.require("never") { .flag("new_cart") && !.flag("new_cart") }
            _ = FlagCombinations.all(under: [never]) { $0.vary(\ConstrainedCombinationsTests.Shop.newCart) }
        }
        let advice = String(decoding: impossible?.standardErrorContent ?? [], as: UTF8.self)
        #expect(advice.contains(#"No combination of the values meets every constraint of "never""#), "\(advice)")
    }
}
