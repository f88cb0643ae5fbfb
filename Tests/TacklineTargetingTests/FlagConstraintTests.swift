import Foundation
import TacklineCore
import TacklineLocal
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("Constraints between flags")
struct FlagConstraintTests {
    private let cart = FlagConstraint.require("the new checkout needs the new cart") {
        .flag("new_checkout").implies(.flag("new_cart"))
    }
    private let payment = FlagConstraint.require("express goes without a card") {
        !(.flag("pay", is: "card") && .flag("express"))
    }

    @Test("hold or not for values by key")
    func values() {
        #expect(cart.holds(for: ["new_checkout": true, "new_cart": true]))
        #expect(cart.holds(for: ["new_checkout": false, "new_cart": false]) && cart.holds(for: [:]))
        #expect(!cart.holds(for: ["new_checkout": true, "new_cart": false]))
        #expect(!payment.holds(for: ["pay": "card", "express": true]))
        #expect(payment.holds(for: ["pay": "bill", "express": true]))
    }

    @Test("are checked against a document, with for how many they do not hold, and for whom")
    func document() throws {
        func flag(_ on: Int) -> EncodedFlagValue {
            let share: EncodedFlagValue = ["on", .integer(Int128(on))]
            return [
                "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
                "targeting": [
                    "fractional": [
                        ["cat": ["shared", ["var": "targetingKey"]]], share, ["off", .integer(Int128(100 - on))],
                    ]
                ],
            ]
        }
        // Split by the same text, so users in the smaller share has the larger one as well.
        let good = try FlagDefinitions(["flags": ["new_checkout": flag(10), "new_cart": flag(30)]])
        let bad = try FlagDefinitions(["flags": ["new_checkout": flag(30), "new_cart": flag(10)]])
        let users = Array(RolloutSimulation.syntheticUsers(10_000))
        #expect(good.validate([cart], contexts: users).isEmpty)
        let message = try #require(bad.validate([cart], contexts: users).first).message
        #expect(message.hasPrefix(#""the new checkout needs the new cart" does not hold for "#))
        #expect(message.contains(#" of 10000 subjects, such as user-"#))
        #expect(message.contains(#" ("new_cart": off, "new_checkout": on); "#))
        #expect(message.hasSuffix(#"change the rules of "new_cart" and "new_checkout""#))
    }

    @Test("are checked at the moments at which the time alone changes something, and the first of them is named")
    func moments() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let checkout = ProgressiveRollout(of: "new_checkout", to: 100, from: start, until: start + 1_000)
        func fixed(_ variant: EncodedFlagValue) -> EncodedFlagValue {
            ["state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": variant]
        }
        func definitions(_ cart: EncodedFlagValue) throws -> FlagDefinitions {
            try FlagDefinitions(
                ["flags": ["new_checkout": checkout.definition, "new_cart": cart]], timestamp: { 1_799_999_000 })
        }
        let users = Array(RolloutSimulation.syntheticUsers(100))
        let problem = try #require(definitions(fixed("off")).validate([cart], contexts: users).first)
        let first = try #require(checkout.nextChange(for: users[0], after: start))
        #expect(problem.message.contains(" for 100 of 100 subjects, such as "), "\(problem)")
        #expect(problem.message.contains(" at \(first.formatted(.iso8601)) ("), "\(problem)")
        #expect(try definitions(fixed("on")).validate([cart], contexts: users).isEmpty)
    }

    @Test("that name a flag which there is not, or are no rules, are problems themselves")
    func typos() throws {
        let definitions = try FlagDefinitions(json: #"{"flags": {"new_card": {}, "new_checkout": {}}}"#)
        let wrong = FlagConstraint("wrong", rule: ["implies": []])
        #expect(
            definitions.validate([cart, wrong], contexts: []).map(\.message) == [
                """
                "the new checkout needs the new cart" is about the flag "new_cart", which does not exist; did you mean "new_card"?
                """,
                """
                "wrong" has an invalid rule: PARSE_ERROR at /implies: there is no operator "implies"; correct its name or remove the rule
                """,
            ])
    }

    private static let carrying = """
        {"metadata": {"tackline.constraint.the new checkout needs the new cart": "cart_first"},
        "$evaluators": {"cart_first": {"or": [{"!": [{"var": "new_checkout"}]}, {"var": "new_cart"}]}},
        "flags": {
        "new_checkout": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"if": [{"and": [{"==": [{"var": "country"}, "DE"]}, {">=": [{"var": "account.age"}, 3]}]}, "on"]}},
        "new_cart": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"if": [{"in": [{"var": "country"}, ["DE", "AT"]]}, "on"]}}}}
        """

    @Test("that a document carries are checked for contexts which its rules tell apart")
    func carried() throws {
        let good = try FlagDefinitions(json: Self.carrying)
        #expect(good.constraints.map(\.name) == ["the new checkout needs the new cart"] && good.validate().isEmpty)
        let contexts = good.exampleContexts()
        #expect(contexts.count == 10_000 && Set(contexts.map(\.targetingKey)).count == 10_000)
        #expect(good.validate(good.constraints, contexts: contexts).isEmpty)
        #expect(contexts.count { good.evaluate("new_checkout", for: $0).variant == "on" } > 500)

        let bad = try FlagDefinitions(json: Self.carrying.replacing(#"["DE", "AT"]"#, with: #"["AT", "CH"]"#))
        let problem = try #require(bad.validate(bad.constraints, contexts: bad.exampleContexts()).first)
        #expect(problem.path == "/$evaluators/cart_first" && problem.line == 2 && problem.column == 17)
        #expect(problem.message.hasPrefix(#""the new checkout needs the new cart" does not hold for "#))
        let example = #" with account: {"age": 3}, country: "DE" ("new_cart": off, "new_checkout": on); "#
        #expect(problem.message.contains(example), "\(problem.message)")
    }

    @Test("that a document carries wrongly are errors of it, with their places")
    func carriedWrongly() throws {
        let definitions = try FlagDefinitions(
            json: Self.carrying.replacing(
                #"cart": "cart_first"}"#, with: #"cart": "cart_frist", "tackline.constraint.b": 5}"#)
        )
        #expect(definitions.constraints.isEmpty)
        #expect(
            definitions.validate().map { "\($0.line ?? 0):\($0.column ?? 0) \($0.message)" } == [
                #"1:88 there is no evaluator 5; name the rule in "$evaluators" that has to hold"#,
                #"1:15 there is no evaluator "cart_frist"; did you mean "cart_first"?"#,
            ])
        let typo = try FlagDefinitions(
            json: Self.carrying.replacing(#"{"var": "new_cart"}]}}"#, with: #"{"var": "new_crat"}]}}"#))
        #expect(
            typo.validate().map(\.message) == [
                """
                "the new checkout needs the new cart" is about the flag "new_crat", which does not exist; did you mean "new_cart"?
                """
            ])
        #expect(typo.validate(typo.constraints, contexts: []) == typo.validate())
    }

    @Test("that code declares are checked by its loader, for the values now and by default")
    func loader() throws {
        struct Shop: FlagCollectionProtocol {
            @Flag(default: false, description: "The new cart") var newCart: Bool
            @Flag(default: false, description: "The new checkout") var newCheckout: Bool
        }
        let folder = try TemporaryFolder()
        let values = LocalProvider(localURL: folder.url.appending(path: "values.json"))
        let flags = FlagsLoader(Shop.self, providers: [values])
        try flags.validate([cart])
        try flags.$newCheckout.setValue(true, providers: [values])
        let error = #expect(throws: FlagConstraintError.self) {
            try flags.validate([
                cart, .require("no such") { .flag("new_crat") }, .require("on") { .flag("new_checkout") },
            ])
        }
        #expect(
            error?.problems == [
                """
                "the new checkout needs the new cart" does not hold: "new_cart" is false, "new_checkout" is true; change one of \
                them
                """,
                #""no such" is about the flag "new_crat", which does not exist; did you mean "new_cart"?"#,
                #""on" does not hold by default: "new_checkout" is false; change one of them"#,
            ])
        try flags.$newCart.setValue(true, providers: [values])
        try flags.validate([cart])
    }

    @Test("look into flags that are objects, and find keys with points in them")
    func points() throws {
        let rule = FlagConstraint.require("points") { .flag("shop.cart").implies(.flag("theme.dark")) }
        #expect(rule.holds(for: ["shop.cart": true, "theme": ["dark": true]]))
        #expect(!rule.holds(for: ["shop.cart": true, "theme": ["dark": false]]))
        #expect(!rule.holds(for: ["shop.cart": true, "shop": 1, "theme": [:]]) == false)
    }

    @Test("leave every pair of values in the rows that they allow, in few rows")
    func combinations() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<30 {
            let keys = (0..<Int.random(in: 1...6, using: &generator)).map { "f\($0)" }
            var values: [String: [EncodedFlagValue]] = [:]
            for key in keys {
                values[key] = [true, false, "x", 2].prefix(Int.random(in: 1...4, using: &generator)).map { $0 }
            }
            let constraints = (0..<Int.random(in: 0...4, using: &generator)).map { number in
                let (left, right) = (
                    keys.randomElement(using: &generator) ?? "", keys.randomElement(using: &generator) ?? ""
                )
                let value: EncodedFlagValue = Bool.random(using: &generator) ? true : "x"
                return FlagConstraint.require("\(number)") { FlagCondition.flag(left, is: value).implies(.flag(right)) }
            }
            let rows = FlagConstraint.combinations(of: values, under: constraints)
            #expect(rows.allSatisfy { row in constraints.allSatisfy { $0.holds(for: row) } && row.count == keys.count })
            // Every combination, to see which pairs can be.
            var all: [[String: EncodedFlagValue]] = [[:]]
            for key in keys {
                all = all.flatMap { row in (values[key] ?? []).map { row.merging([key: $0]) { $1 } } }
            }
            let allowed = all.filter { row in constraints.allSatisfy { $0.holds(for: row) } }
            func pairs(_ rows: [[String: EncodedFlagValue]]) -> Set<[EncodedFlagValue]> {
                var pairs: Set<[EncodedFlagValue]> = []
                for row in rows {
                    for left in keys {
                        for right in keys {
                            pairs.insert([.string(left), row[left] ?? .null, .string(right), row[right] ?? .null])
                        }
                    }
                }
                return pairs
            }
            #expect(pairs(rows) == pairs(allowed))
        }
        let many = Dictionary(uniqueKeysWithValues: (0..<30).map { ("f\($0)", [EncodedFlagValue.bool(true), false]) })
        let rows = FlagConstraint.combinations(
            of: many, under: [.require("f1 needs f2") { .flag("f1").implies(.flag("f2")) }])
        #expect(rows.count < 30, "\(rows.count) rows for 2^30 combinations")
    }
}
