import Foundation
import Synchronization
import TacklineCore
import TacklineLocal
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

private func flag(_ targeting: EncodedFlagValue = [:], metadata: EncodedFlagValue = [:]) -> EncodedFlagValue {
    [
        "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off", "targeting": targeting,
        "metadata": metadata,
    ]
}

private let half: EncodedFlagValue = ["fractional": [["on", 50], ["off", 50]]]

@Suite("Flags that need others")
struct PrerequisiteTests {
    private let user = EvaluationContext(targetingKey: "user-1", attributes: ["cart": true])

    private func definitions(_ flags: [String: EncodedFlagValue]) throws -> FlagDefinitions {
        try FlagDefinitions(["flags": .object(flags)])
    }

    @Test("have no value where what they need is not so, whatever their default variant, and are untouched where it is")
    func needs() throws {
        let definitions = try definitions([
            "cart": flag(["if": [["var": "cart"], "on"]]), "on": flag(["if": [true, "on"]]),
            "checkout": flag(["if": [true, "on"]], metadata: ["tackline.requires": "cart=on, on = on"]),
            "pay": flag(["if": [true, "on"]], metadata: ["tackline.requires": "checkout=on"]),
        ])
        #expect(definitions.errors.isEmpty && definitions.validate().isEmpty)
        #expect(definitions.evaluate("pay", for: user).variant == "on")
        let without = definitions.evaluate("pay", for: EvaluationContext(targetingKey: "user-2"))
        #expect(without.value == nil && without.reason == .disabled && without.errorCode == nil)
        let on = try self.definitions([
            "cart": flag(),
            "checkout": [
                "state": "ENABLED", "variants": ["on": true], "defaultVariant": "on",
                "metadata": ["tackline.requires": "cart=on"],
            ],
        ])
        #expect(on.evaluate("checkout", for: user).value == nil, "a flag without a rule as well")
        #expect(definitions.evaluate("on", for: EvaluationContext()).variant == "on")
    }

    @Test("follow them in a list of flags as well, whatever its order, and a circle in it is an error")
    func list() throws {
        func element(_ key: String, _ needs: String?, variant: String = "on") -> EncodedFlagValue {
            [
                "key": .string(key), "state": "ENABLED", "variants": ["on": true, "off": false],
                "defaultVariant": "off", "targeting": ["if": [true, .string(variant)]],
                "metadata": needs.map { ["tackline.requires": .string($0)] } ?? [:],
            ]
        }
        let definitions = try FlagDefinitions([
            "$schema": "https://flagd.dev/schema/v0/flagd.json",
            "flags": [
                element("pay", "checkout=on"), element("checkout", "cart=on"), element("cart", nil, variant: "off"),
                element("free", "gift=on"), element("gift", nil), element("a", "b=on"), element("b", "a=on"),
            ],
        ])
        #expect(definitions.evaluate("checkout", for: user).reason == .disabled)
        #expect(definitions.evaluate("pay", for: user).value == nil)
        #expect(definitions.evaluate("free", for: user).variant == "on")
        #expect(definitions.errors.map(\.path) == [5, 6].map { "/flags/\($0)/metadata/tackline.requires" })
        let twice = try FlagDefinitions([
            "flags": [element("cart", nil), element("checkout", "cart=on"), element("cart", nil)]
        ])
        #expect(twice.evaluate("checkout", for: user).value == nil)
        #expect(twice.evaluate("cart", for: user).errorCode == .parseError)
    }

    @Test("that are no text are an error of the flag, which is not on without them")
    func wrongMembers() throws {
        let cases: [(EncodedFlagValue, String, String)] = [
            (["tackline.requires": true], "tackline.requires", "needs to be a text"),
            (["tackline.requires": .null], "tackline.requires", "needs to be a text"),
            (["tackline.sticky": "yes"], "tackline.sticky", "needs to be true or false"),
        ]
        for (metadata, name, message) in cases {
            let definitions = try definitions(["checkout": flag(["if": [true, "on"]], metadata: metadata)])
            #expect(definitions.evaluate("checkout", for: user).errorCode == .parseError, "\(metadata)")
            #expect(definitions.validate().map(\.path) == ["/flags/checkout/metadata/\(name)"], "\(metadata)")
            #expect(definitions.errors.first?.message.contains(message) == true, "\(definitions.errors)")
        }
    }

    @Test("under a name that nothing goes by are a warning with what was meant")
    func unknownMembers() throws {
        let definitions = try FlagDefinitions([
            "flags": ["checkout": flag(metadata: ["tackline.require": "cart=on", "tackline": "x", "owner": "me"])],
            "metadata": ["tackline.stikcy": true, "tackline.sticky": true, "tackline.requires": "cart=on"],
        ])
        #expect(
            definitions.validate().map { "\($0.path) \($0.message)" } == [
                """
                /flags/checkout/metadata/tackline.require "tackline.require" means nothing here; did you mean \
                "tackline.requires"?
                """,
                #"/metadata/tackline.requires "tackline.requires" means nothing here; correct the name, or remove it"#,
                #"/metadata/tackline.stikcy "tackline.stikcy" means nothing here; did you mean "tackline.sticky"?"#,
            ])
    }

    @Test("in a circle are all errors that name it, and nothing is ever walked in it")
    func circle() throws {
        let definitions = try definitions([
            "a": flag(metadata: ["tackline.requires": "b=on"]), "b": flag(metadata: ["tackline.requires": "c=on"]),
            "c": flag(metadata: ["tackline.requires": "a=on"]),
            "self": flag(metadata: ["tackline.requires": "self=on"]),
            "outside": flag(["if": [true, "on"]], metadata: ["tackline.requires": "a=off"]), "free": flag(),
        ])
        #expect(definitions.errors.map(\.flagKey) == ["a", "b", "c", "outside", "self"])
        #expect(definitions.errors.allSatisfy { $0.path.hasSuffix("/metadata/tackline.requires") })
        #expect(
            definitions.errors.first?.message
                == #""a" needs "b" needs "c" needs "a": a circle; remove one of these requirements"#)
        #expect(definitions.evaluate("a", for: user).errorCode == .parseError)
        #expect(definitions.evaluate("outside", for: user).errorCode == .parseError, "it leads there")
        #expect(definitions.evaluate("free", for: user).variant == "off")
    }

    @Test("in a chain without end or a web without measure cost an error, and no time")
    func hostile() throws {
        var chain: [String: EncodedFlagValue] = ["f0": flag()]
        for number in 1...5_000 {
            chain["f\(number)"] = flag(metadata: ["tackline.requires": .string("f\(number - 1)=off")])
        }
        let long = try definitions(chain)
        #expect(long.evaluate("f31", for: user).variant == "off" && long.evaluate("f5000", for: user).errorCode != nil)
        var web: [String: EncodedFlagValue] = ["f0": flag()]
        for number in 1...31 {
            let need = "f\(number - 1)=off"
            web["f\(number)"] = flag(metadata: ["tackline.requires": .string("\(need),\(need)")])
        }
        #expect(try definitions(web).evaluate("f31", for: user).errorCode == .general)
    }
}

private let manyUsers = Array(syntheticUsers(5_000))

/// How many of the users fewer or more than a share are no matter of chance: four standard deviations.
private func deviation(of share: Double) -> Double { 4 * (Double(manyUsers.count) * share * (1 - share)).squareRoot() }

@Suite("A layer of experiments")
struct ExclusionLayerTests {
    private let users = manyUsers
    private var count: Double { Double(users.count) }

    @Test("lets each user into at most one, as many as it says, and adding one moves nobody")
    func exclusion() throws {
        for generation in FractionalVersion.allCases {
            try exclusion(generation: generation)
        }
    }

    private func exclusion(generation: FractionalVersion) throws {
        let two = ExclusionLayer("checkout", ["one_page": 10, "express": 20.5], fractional: generation)
        let three = ExclusionLayer(
            "checkout", ["one_page": 10, "express": 20.5, "gift": 15], fractional: generation)
        var counts: [String: Int] = [:]
        var moved: [EvaluationContext] = []
        for user in users {
            let before = two.experiment(for: user)
            let after = three.experiment(for: user)
            if before != nil && before != after { moved.append(user) }
            counts[after ?? "none", default: 0] += 1
        }
        #expect(moved.isEmpty)
        for (name, percentage) in [("one_page", 10), ("express", 20.5), ("gift", 15), ("none", 54.5)] {
            let share = percentage / 100
            #expect(abs(Double(counts[name] ?? 0) - count * share) < deviation(of: share), "\(counts)")
        }
        #expect(three.experiment(for: EvaluationContext()) == nil)

        // The same in a document: each flag splits only those of its experiment, in halves.
        let definitions = try FlagDefinitions(
            [
                "flags": [
                    "one_page": flag(three.targeting("one_page", half)), "gift": flag(three.targeting("gift", half)),
                ],
                "$evaluators": ["checkout": three.evaluator],
            ], fractional: generation)
        #expect(definitions.validate().isEmpty)
        var on = 0
        var misplaced: [EvaluationContext] = []
        for user in users {
            let (page, gift) = (definitions.evaluate("one_page", for: user), definitions.evaluate("gift", for: user))
            let experiment = three.experiment(for: user)
            let isPlaced =
                (page.reason == .default) == (experiment != "one_page")
                && (gift.reason == .default) == (experiment != "gift")
            if !isPlaced { misplaced.append(user) }
            if gift.variant == "on" { on += 1 }
        }
        #expect(misplaced.isEmpty)
        // Half of 15 %: the split inside the experiment is independent of the layer's.
        #expect(abs(Double(on) - count * 0.075) < deviation(of: 0.075), "\(on)")
    }

    @Test("as a holdout keeps the same part of all users out of everything")
    func holdout() throws {
        for generation in FractionalVersion.allCases {
            try holdout(generation: generation)
        }
    }

    private func holdout(generation: FractionalVersion) throws {
        let holdout = Holdout("2027-q1", percentage: 5, fractional: generation)
        let larger = Holdout("2027-q1", percentage: 10, fractional: generation)
        let definitions = try FlagDefinitions(
            [
                "flags": ["a": flag(holdout.targeting(half)), "b": flag(holdout.targeting(["if": [true, "on"]]))],
                "$evaluators": ["2027-q1": holdout.evaluator],
            ], fractional: generation)
        #expect(definitions.validate().isEmpty)
        var (held, a, b) = (0, 0, 0)
        var misplaced: [EvaluationContext] = []
        for user in users {
            let isHeld = holdout.includes(user)
            if isHeld { held += 1 }
            let (first, second) = (definitions.evaluate("a", for: user), definitions.evaluate("b", for: user))
            let isPlaced =
                (!isHeld || larger.includes(user)) && (first.reason == .default) == isHeld
                && (second.variant == "off") == isHeld
            if !isPlaced { misplaced.append(user) }
            if first.variant == "on" { a += 1 }
            if second.variant == "on" { b += 1 }
        }
        #expect(misplaced.isEmpty)
        #expect(abs(Double(held) - count * 0.05) < deviation(of: 0.05), "\(held)")
        #expect(b == users.count - held)
        // Half of those who are left.
        #expect(abs(Double(a) - count * 0.475) < deviation(of: 0.475), "\(a)")
    }
}

@Suite("A sticky assignment", .hangLimit)
struct StickyAssignmentTests {
    private func document(_ on: Int, sticky: Bool = true, more: EncodedFlagValue = [:]) throws -> FlagDefinitions {
        var members: [String: EncodedFlagValue] = [:]
        let split: EncodedFlagValue = [
            "fractional": [["on", .integer(Int128(on))], ["off", .integer(Int128(100 - on))]]
        ]
        members["f"] = flag(
            ["if": [["var": "staff"], "on", split]], metadata: sticky ? ["tackline.sticky": true] : [:])
        return try FlagDefinitions(["flags": .object(members)])
    }

    @Test("keeps who got a variant in it while the document changes, over a relaunch, and nobody else")
    func keeping() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "assignments.json")
        let context = CurrentContext(EvaluationContext(targetingKey: "user-1"))
        do {
            let provider = DefinitionsProvider(
                try document(100), context: .current(context),
                sticky: StickyAssignments(in: LocalProvider(file: file)))
            #expect(provider.value(for: "f") == true)
            provider.update(try document(0))
            #expect(provider.value(for: "f") == true && provider.evaluation(for: "f").variant == "on")
            #expect(provider.document?.value(for: "f") == true)
            context.set(EvaluationContext(targetingKey: "user-2"))
            #expect(provider.value(for: "f") == false)
        }
        let again = DefinitionsProvider(
            try document(0), context: .current(context), sticky: StickyAssignments(in: LocalProvider(file: file)))
        #expect(again.value(for: "f") == false)
        context.set(EvaluationContext(targetingKey: "user-1"))
        #expect(again.value(for: "f") == true)
        again.update(try document(0, sticky: false))
        #expect(again.value(for: "f") == false)
    }

    @Test("that cannot be written is reported, and the value is given all the same")
    func broken() throws {
        let log = IssueRecorder()
        let store = MemoryStore(isBroken: true)
        let provider = DefinitionsProvider(
            try document(100), context: .fixed(EvaluationContext(targetingKey: "user-1")),
            issueReporter: log.reporter, sticky: StickyAssignments(in: store))
        #expect(provider.value(for: "f") == true)
        #expect(log.issues.count == 1 && log.issues.first?.message.contains("could not be kept") == true)
    }
}

private final class MemoryStore: WritableFlagProvider {
    let name = "assignments"
    private let isBroken: Bool
    private let values = Mutex<[FlagKeyPath: EncodedFlagValue]>([:])

    init(isBroken: Bool = false) { self.isBroken = isBroken }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { values.withLock { $0[key] } }

    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        guard !isBroken else { throw FlagError(.unreadable, provider: name, key: key, reason: "broken") }
        values.withLock { $0[key] = value }
    }
}
