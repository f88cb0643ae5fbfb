import TacklineCore
import TacklineMemory
import TacklineRecording
import TacklineTestSupport
import TacklineTesting
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: "", description: "A text") var text: String
}

@Suite("A shadow", .hangLimit) struct ShadowProviderTests {
    private let old = MemoryProvider(name: "old", values: ["number": 1, "text": "a"])
    private let new = MemoryProvider(name: "new", values: ["number": 1, "text": "b"])

    @Test("is asked and compared and never believed, and costs a read nothing")
    func compares() {
        let provider = ShadowProvider(old, shadow: new)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        for _ in 0..<100 {
            #expect(flags.number == 1)
            #expect(flags.text == "a")
        }
        let report = provider.report
        #expect(report.comparisons == 2)
        #expect(report.disagreements.map(\.key.text) == ["text"])
        #expect(
            report.description == """
                text: "a", the shadow says "b" (1 of 1)
                1 of 2 flags differ, in 2 comparisons
                """)
        #expect(provider.name == "old")
        old.setValue(nil, for: "text")
        #expect(flags.text == "")
        #expect(provider.report.entries["text"]?.believed == nil)
        #expect(provider.report.entries["text"]?.shadow == "\"b\"")
    }

    @Test("that changes is compared again, and agreement is told apart from never having differed")
    func changes() async {
        let provider = ShadowProvider(old, shadow: new)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.text == "a")
        new.setValue("a", for: "text")
        while provider.report.entries["text"]?.disagrees != false { await Task.yield() }
        #expect(flags.text == "a")
        #expect(provider.report.entries["text"]?.disagreements == 1)
        #expect(provider.report.description.contains("not any more"))
        provider.resetReport()
        #expect(provider.report == ShadowReport())
    }

    @Test("agrees where numbers are equal, and differs where kinds are")
    func kinds() {
        for (left, right, agrees) in [
            (1, 1.0, true), (1, 1.5, false), (1, "1", false), (1, true, false), (nil, .null, false), (nil, nil, true),
        ] as [(EncodedFlagValue?, EncodedFlagValue?, Bool)] {
            let (one, two) = (MemoryProvider(), MemoryProvider())
            one.setValue(left, for: "a")
            two.setValue(right, for: "a")
            for (believed, shadow) in [(one, two), (two, one)] {
                let provider = ShadowProvider(believed, shadow: shadow)
                _ = provider.value(for: "a")
                #expect(provider.report.disagreements.isEmpty == agrees)
            }
        }
    }

    @Test("releases values of its report outside of the lock that a read takes")
    func released() {
        let (one, two, releases) = (MemoryProvider(), MemoryProvider(), Counter())
        let provider = ShadowProvider(one, shadow: two)
        func fill(_ key: FlagKeyPath) {
            let value = EncodedFlagValue.released {
                _ = provider.value(for: "other")
                _ = releases.next()
            }
            one.setValue(value, for: key)
            _ = provider.value(for: key)
            one.setValue(nil, for: key)
        }
        fill("a")
        fill("a")
        provider.resetReport()
        #expect(releases.count == 2)
    }

    @Test("is sampled and bounded, and what was left out is counted")
    func bounds() {
        let counter = Counter()
        let sampled = ShadowProvider(
            old, shadow: new, sampling: 0.25, randomNumber: { Double(counter.next() % 4) / 4 })
        for _ in 0..<100 { _ = sampled.value(for: "text") }
        #expect(sampled.report.comparisons == 25)
        #expect(sampled.report.unsampled == 75)
        let bounded = ShadowProvider(old, shadow: new, maximumFlags: 10)
        for number in 0..<100 { _ = bounded.value(for: FlagKeyPath(components: ["k\(number)"])) }
        #expect(bounded.report.entries.count == 10)
        #expect(bounded.report.leftOut == 90)
    }

    @Test("that is not ready does not disagree")
    func notReady() {
        struct Waiting: FlagProvider {
            var status: FlagProviderStatus { .notReady }
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        }
        let provider = ShadowProvider(old, shadow: Waiting())
        #expect(provider.value(for: "text") == "a")
        #expect(provider.report.notReady == 1)
        #expect(provider.report.entries.isEmpty)
    }

    @Test("leaves writes and notices to the provider that is believed")
    func writes() throws {
        let provider = ShadowProvider(old, shadow: new)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        try flags.$number.setValue(5)
        #expect(flags.number == 5)
        #expect(old.value(for: "number") == 5)
        #expect(new.value(for: "number") == 1)
    }

    @Test("passes the durability of a write on")
    func durability() throws {
        let base = DurabilityRecorder()
        let provider = ShadowProvider(base, shadow: new)
        try provider.setValue(1, for: "number")
        try provider.setValue(2, for: "number", durability: .deferred)
        #expect(base.durabilities == [.stored, .deferred])
    }

    @Test("compares no inspections")
    func inspections() {
        let provider = ShadowProvider(old, shadow: new)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.$text.explain().value == "a" && flags.$text.resolution().value == "a")
        #expect(provider.report.comparisons == 0)
    }
}
