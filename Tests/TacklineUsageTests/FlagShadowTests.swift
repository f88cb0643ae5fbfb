import TacklineCore
import TacklineMemory
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
        let shadow = FlagShadow(comparing: old, with: new)
        let flags = flags(old, by: shadow)
        for _ in 0..<100 {
            #expect(flags.number == 1)
            #expect(flags.text == "a")
        }
        #expect(shadow.report.comparisons == 2)
        #expect(shadow.report.disagreements.map(\.key.text) == ["text"])
        #expect(
            shadow.report.description == """
                text: "a", the candidate says "b" (1 of 1)
                1 of 2 flags differ, in 2 comparisons
                """)
        old.setValue(nil, for: "text")
        #expect(flags.text == "")
        #expect(shadow.report.entries["text"]?.current == nil)
        #expect(shadow.report.entries["text"]?.candidate == "\"b\"")
        // Inspections are not compared.
        #expect(flags.$text.explain().value == "" && shadow.report.comparisons == 3)
        shadow.resetReport()
        #expect(shadow.report.entries.isEmpty)
    }

    @Test("inspects both providers, and uses neither")
    func inspects() {
        let (current, candidate) = (UserProvider("old", ["": 1]), UserProvider("new", ["": 2]))
        #expect(flags(current, by: FlagShadow(comparing: current, with: candidate, sampling: 0)).number == 1)
        let (uses, inspections) = (current.uses.count, current.inspections.count)
        let shadow = FlagShadow(comparing: current, with: candidate)
        #expect(flags(current, by: shadow).number == 1)
        #expect(shadow.report.comparisons == 1)
        // The shadow adds no question to the provider that has answered.
        #expect(current.uses.count == 2 * uses && current.inspections.count == 2 * inspections)
        #expect(candidate.uses.count == 0 && candidate.inspections.count == 1)
    }

    @Test("is compared again after each interval in which a flag is read, also once it is ready or has changed")
    func again() async throws {
        let clock = ManualClock()
        let late = ScriptedProvider(name: "new", canTellChanges: false)
        late.status = .notReady
        let shadow = FlagShadow(comparing: old, with: late, interval: .seconds(60))
        let flags = ResolutionObservers.$clock.withValue(clock) { self.flags(old, by: shadow) }
        #expect(flags.text == "a")
        #expect(shadow.report.comparisons == 0 && shadow.report.uncompared == 1)
        late.status = .ready
        for (text, disagrees) in [("x", true), ("a", false)] {
            late.push(["text": .string(text)])
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(60))
            try await clock.waitForSleepers(count: 1)
            #expect(flags.text == "a" && shadow.report.entries["text"]?.disagrees == disagrees)
        }
        #expect(
            shadow.report.description == """
                text: "a", the candidate says "x" (1 of 2, not any more)
                1 of 1 flags differ, in 2 comparisons; 1 reads came before the candidate was ready
                """)
    }

    @Test("is compared in the context of the task that reads, and the report names it")
    func contexts() async throws {
        let (current, other) = (UserProvider("old", ["a": 1, "b": 2]), UserProvider("new", ["a": 1, "b": 3]))
        let shadow = FlagShadow(comparing: current, with: other)
        let flags = flags(current, by: shadow)
        await withTaskGroup(of: Void.self) { group in
            for user in ["a", "b", "a", "a"] {
                group.addTask { UserProvider.$user.withValue(user) { _ = flags.number } }
            }
        }
        let entry = try #require(shadow.report.entries["number"])
        #expect(entry.comparisons == 4 && entry.disagreements == 1)
        #expect(entry.subject == "b" && entry.current == "2" && entry.candidate == "3")
        #expect(shadow.report.description.contains("for \"b\""))
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
            for (current, candidate) in [(one, two), (two, one)] {
                let shadow = FlagShadow(comparing: current, with: candidate)
                _ = flags(current, by: shadow).ratio
                #expect(shadow.report.disagreements.isEmpty == agrees, "\(left as Any), \(right as Any)")
            }
        }
    }

    @Test("is compared with what its provider says where an override answers, and keeps secrets out of its report")
    func overridden() {
        let override = MemoryProvider(name: "override", values: ["text": "c", "token": "s3cret3"])
        old.setValue("s3cret", for: "token")
        new.setValue("s3cret2", for: "token")
        let shadow = FlagShadow(comparing: old, with: new)
        let flags = flags(override, old, by: shadow)
        #expect(flags.text == "c" && flags.token == "s3cret3")
        #expect(shadow.report.entries["text"]?.current == "\"a\"")
        #expect(shadow.report.disagreements.map(\.key.text) == ["text", "token"])
        #expect(!everyText(of: shadow.report).contains("s3cret"))
    }

    @Test("is sampled and bounded, and what was left out is counted")
    func bounds() {
        let unsampled = FlagShadow(comparing: old, with: new, sampling: 0)
        let bounded = FlagShadow(comparing: old, with: new, maximumFlags: 10)
        for number in 0..<100 {
            let flag = FlagResolution<EncodedFlagValue>(
                key: FlagKeyPath("k\(number)"), value: 1, source: .provider("old"))
            unsampled.flagWasResolved(flag)
            bounded.flagWasResolved(flag)
        }
        #expect(unsampled.report.unsampled == 100 && unsampled.report.comparisons == 0)
        #expect(bounded.report.entries.count == 10 && bounded.report.leftOut == 90)
    }
}

/// Answers for the user of the current task, and counts its questions.
private final class UserProvider: FlagProvider {
    @TaskLocal static var user = ""
    let name: String
    let (uses, inspections) = (Counter(), Counter())
    private let numbers: [String: Int]

    init(_ name: String, _ numbers: [String: Int]) { (self.name, self.numbers) = (name, numbers) }

    var traits: FlagProviderTraits { .taskDependent }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        _ = uses.next()
        return numbers[Self.user].map { .integer(Int128($0)) }
    }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        _ = inspections.next()
        let value = numbers[Self.user].map { EncodedFlagValue.integer(Int128($0)) }
        var evaluation = FlagEvaluation(value: value, reason: .targetingMatch)
        evaluation.subject = Self.user
        return evaluation
    }
}
