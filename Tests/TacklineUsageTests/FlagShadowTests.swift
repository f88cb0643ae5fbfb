import Foundation
import Synchronization
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import TacklineTesting
import TacklineUsage
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: "", description: "A text") var text: String
    @Flag(default: 0.5, description: "A ratio") var ratio: Double
    @Flag(default: "", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
}

@Suite("A shadow", .hangLimit) struct FlagShadowTests {
    private let old = MemoryProvider(name: "old", values: ["number": 1, "text": "a"])
    private let new = MemoryProvider(name: "new", values: ["number": 1, "text": "b"])

    private func flags(_ providers: any FlagProvider..., by shadow: FlagShadow) -> FlagsLoader<Flags> {
        FlagsLoader(
            Flags.self, providers: providers, issueReporter: FlagIssueReporter { _ in },
            observers: [shadow])
    }

    @Test("is compared when a value is read for the first time, never used, and costs later reads nothing")
    func compares() {
        let shadow = FlagShadow(of: old, by: new)
        let flags = flags(old, by: shadow)
        for _ in 0..<100 {
            #expect(flags.number == 1)
            #expect(flags.text == "a")
        }
        #expect(shadow.report.comparisons == 2)
        #expect(shadow.report.disagreements.map(\.key.text) == ["text"])
        #expect(
            shadow.report.description == """
                text: "a", the shadow says "b" (1 of 1)
                1 of 2 flags differ, in 2 comparisons
                """)
        old.setValue(nil, for: "text")
        #expect(flags.text == "")
        #expect(shadow.report.entries["text"]?.believed == nil)
        #expect(shadow.report.entries["text"]?.shadow == "\"b\"")
    }

    @Test("leaves what it stands beside as it is: overrides keep their type, and writes and notices go to the provider")
    func beside() throws {
        let overrides = FlagOverrides(storage: MemoryProvider(name: "overrides"))
        let flags = flags(overrides, old, by: FlagShadow(of: overrides, by: new))
        try overrides.setValue(5, for: "number")
        #expect(flags.number == 5)
        #expect(flags.$number.flagValue(from: FlagOverrides.self) == 5)
        #expect(new.value(for: "number") == 1)
    }

    @Test("leaves overrides as they are: one with an end keeps it through reset, undo and a bundle")
    func overrides() async throws {
        let now = Date(timeIntervalSinceReferenceDate: 0)
        let overrides = FlagOverrides(
            storage: MemoryProvider(name: "overrides"), environment: .nonProduction, now: { now })
        let shadow = FlagShadow(of: overrides, by: new)
        let flags = FlagsLoader(
            Flags.self, environment: .nonProduction, providers: [overrides, old],
            issueReporter: .silent, observers: [shadow])
        try flags.$number.setValue(3, providers: [FlagOverrides.self])
        #expect(flags.number == 3)
        let ending = FlagOverrides.Entry(key: "number", value: 8, expires: now + 5000)
        try overrides.setValue(8, for: flags.$number, expires: now + 5000)
        #expect(flags.number == 8)
        var configuration = FlagsBrowserConfiguration()
        configuration.now = { now }
        let browser = FlagsBrowser(flags, configuration: configuration)
        try await browser.perform(.reset(flag: "Flags:number"))
        #expect(overrides.overrides.isEmpty && flags.number == 1)
        try await browser.perform(.undo())
        #expect(overrides.overrides == [ending] && flags.number == 8)
        let bundle = try #require(try await browser.perform(.exportBundle()).bundle)
        try await browser.perform(.resetAll())
        try await browser.perform(.importBundle(bundle))
        #expect(overrides.overrides == [ending])
        #expect(shadow.report.comparisons > 0)
    }

    @Test("inspects both providers, and uses neither")
    func inspects() {
        let (believed, counted) = (CountingProvider("old", 1), CountingProvider("new", 2))
        let plain = FlagsLoader(Flags.self, providers: [believed], observers: [Silent()])
        #expect(plain.number == 1)
        let (uses, inspections) = (believed.uses.count, believed.inspections.count)
        let shadow = FlagShadow(of: believed, by: counted)
        let flags = flags(believed, by: shadow)
        #expect(flags.number == 1)
        #expect(shadow.report.comparisons == 1)
        // The shadow adds no question to the provider that has answered.
        #expect(believed.uses.count == 2 * uses && believed.inspections.count == 2 * inspections)
        #expect(counted.uses.count == 0 && counted.inspections.count == 1)
    }

    @Test("is compared again when it changes, and agreement is told apart from never having differed")
    func changes() async {
        let shadow = FlagShadow(of: old, by: new)
        let flags = flags(old, by: shadow)
        #expect(flags.text == "a")
        new.setValue("a", for: "text")
        while shadow.report.entries["text"]?.disagrees != false { await Task.yield() }
        #expect(shadow.report.entries["text"]?.disagreements == 1)
        #expect(shadow.report.description.contains("not any more"))
        shadow.resetReport()
        #expect(shadow.report == ShadowReport())
    }

    @Test("that was not ready is compared for the flags that were read meanwhile, once it is")
    func becomesReady() async {
        let late = LateProvider()
        let shadow = FlagShadow(of: old, by: late)
        let flags = flags(old, by: shadow)
        #expect(flags.number == 1 && flags.text == "a")
        #expect(shadow.report.waiting == 2 && shadow.report.comparisons == 0)
        late.becomeReady(["number": 1, "text": "x"])
        #expect(shadow.report.waiting == 0)
        #expect(shadow.report.disagreements.map(\.key.text) == ["text"])
        #expect(shadow.report.entries.count == 2)
    }

    @Test("is compared in the context of the task that reads, or not at all, and the report names it")
    func contexts() async throws {
        func provider(_ name: String, _ cases: [String: Int]) -> TaskProvider { TaskProvider(name, cases) }
        let (believed, other) = (provider("old", ["a": 1, "b": 2]), provider("new", ["a": 1, "b": 3]))
        let shadow = FlagShadow(of: believed, by: other)
        let flags = flags(believed, by: shadow)
        await withTaskGroup(of: Void.self) { group in
            for user in ["a", "b", "a", "a"] {
                group.addTask { TaskProvider.$user.withValue(user) { _ = flags.number } }
            }
        }
        let entry = try #require(shadow.report.entries["number"])
        #expect(entry.comparisons == 4 && entry.disagreements == 1)
        #expect(entry.subject == "b" && entry.believed == "2" && entry.shadow == "3")
        #expect(shadow.report.description.contains("for \"b\""))
        shadow.compareAll()
        #expect(shadow.report.entries["number"]?.comparisons == 4)
        other.isReady.withLock { $0 = false }
        TaskProvider.$user.withValue("b") { _ = flags.number }
        #expect(shadow.report.uncompared == 1 && shadow.report.waiting == 0)
    }

    @Test("agrees where the flag would have an equal value, and differs elsewhere")
    func kinds() {
        for (left, right, agrees) in [
            (1, 1.0, true), (1, 1.5, false), (1, .unparsed("1"), true), (1, true, false), (nil, .null, true),
            (nil, nil, true), (nil, 2, false), (nil, "x", true), (1, "x", false),
        ] as [(EncodedFlagValue?, EncodedFlagValue?, Bool)] {
            let (one, two) = (MemoryProvider(name: "one"), MemoryProvider(name: "two"))
            one.setValue(left, for: "ratio")
            two.setValue(right, for: "ratio")
            for (believed, other) in [(one, two), (two, one)] {
                let shadow = FlagShadow(of: believed, by: other)
                _ = flags(believed, by: shadow).ratio
                #expect(shadow.report.disagreements.isEmpty == agrees, "\(left as Any), \(right as Any)")
            }
        }
    }

    @Test("is compared with what its provider says, also where an override answers for the flag")
    func overridden() {
        let override = MemoryProvider(name: "override", values: ["text": "c"])
        let shadow = FlagShadow(of: old, by: new)
        #expect(flags(override, old, by: shadow).text == "c")
        #expect(shadow.report.entries["text"]?.believed == "\"a\"")
    }

    @Test("keeps secrets out of its report")
    func secrets() {
        old.setValue("s3cret", for: "token")
        new.setValue("s3cret2", for: "token")
        let shadow = FlagShadow(of: old, by: new)
        #expect(flags(old, by: shadow).token == "s3cret")
        #expect(shadow.report.disagreements.count == 1)
        #expect(!"\(shadow.report)".contains("s3cret"))
    }

    @Test("is sampled and bounded, and what was left out is counted")
    func bounds() {
        let counter = Counter()
        let sampled = FlagShadow(
            of: old, by: new, sampling: 0.25, randomNumber: { Double(counter.next() % 4) / 4 })
        for number in 0..<100 {
            sampled.flagWasResolved(
                FlagResolution(key: "text", value: .integer(Int128(number)), source: .provider("old")))
        }
        #expect(sampled.report.comparisons == 25)
        #expect(sampled.report.unsampled == 75)
        let bounded = FlagShadow(of: old, by: new, maximumFlags: 10)
        for number in 0..<100 {
            bounded.flagWasResolved(FlagResolution(key: FlagKeyPath("k\(number)"), value: 1, source: .provider("old")))
        }
        #expect(bounded.report.entries.count == 10)
        #expect(bounded.report.leftOut == 90)
    }

    @Test("releases values outside of the lock that a read takes")
    func released() {
        let releases = Counter()
        let shadow = FlagShadow(of: old, by: new)
        for _ in 0..<2 {
            let value = EncodedFlagValue.released {
                _ = shadow.report
                _ = releases.next()
            }
            shadow.flagWasResolved(FlagResolution(key: "other", value: value, source: .provider("old")))
        }
        shadow.resetReport()
        #expect(releases.count == 2)
    }

    @Test("compares no inspections")
    func inspections() {
        let shadow = FlagShadow(of: old, by: new)
        let flags = flags(old, by: shadow)
        #expect(flags.$text.explain().value == "a" && flags.$text.resolution().value == "a")
        #expect(shadow.report.comparisons == 0)
    }
}

private struct Silent: FlagResolutionObserver {
    func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {}
}

/// Counts its questions.
private final class CountingProvider: FlagProvider {
    let name: String
    let uses = Counter()
    let inspections = Counter()
    private let number: EncodedFlagValue

    init(_ name: String, _ number: EncodedFlagValue) { (self.name, self.number) = (name, number) }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        _ = uses.next()
        return key == "number" ? number : nil
    }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        _ = inspections.next()
        return FlagEvaluation(value: key == "number" ? number : nil)
    }

    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}

/// Is ready late, and then says nothing about it.
private final class LateProvider: FlagProvider {
    private let values = Mutex<[FlagKeyPath: EncodedFlagValue]?>(nil)
    let name = "new"
    var status: FlagProviderStatus { values.withLock { $0 == nil } ? .notReady : .ready }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { values.withLock { $0?[key] } }
    func becomeReady(_ new: [FlagKeyPath: EncodedFlagValue]) { values.withLock { $0 = new } }
}

/// Answers for the user of the current task.
private final class TaskProvider: FlagProvider {
    @TaskLocal static var user = ""
    let name: String
    private let numbers: [String: Int]
    let isReady = Mutex(true)

    init(_ name: String, _ numbers: [String: Int]) { (self.name, self.numbers) = (name, numbers) }

    var traits: FlagProviderTraits { .taskDependent }
    var status: FlagProviderStatus { isReady.withLock { $0 } ? .ready : .notReady }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { evaluation(for: key).value }
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        var evaluation = FlagEvaluation(
            value: numbers[Self.user].map { .integer(Int128($0)) }, reason: .targetingMatch)
        evaluation.subject = Self.user
        return evaluation
    }
}
