import Synchronization
import TacklineClosure
import TacklineCore
import TacklineTestSupport
import Testing

@Suite("A provider made of closures that can be written to", .hangLimit)
struct WritableClosureProviderTests {
    private struct Full: Error {}

    /// Returns a provider whose source is memory that refuses 9, and announces nothing by itself.
    private func provider(
        _ source: FakeSource, isObserved: Bool, whileSetting: @escaping @Sendable () -> Void = {}
    ) -> WritableClosureProvider {
        WritableClosureProvider(
            value: { source.value(for: $0) },
            set: { value, key in
                if value == 9 { throw Full() }
                whileSetting()
                source.setSilently([key: value])
            },
            observe: isObserved ? source.observe : nil)
    }

    @Test("has what was written at the next read, and says why its source refused a value")
    func written() throws {
        for isObserved in [true, false] {
            let source = FakeSource()
            let flags = FlagsLoader(NumberFlags.self, providers: [provider(source, isObserved: isObserved)])
            #expect(flags.number == 0)
            try flags.$number.setValue(1)
            #expect(flags.number == 1 && source.values == ["number": 1])
            source.set(["number": 2])
            #expect(flags.number == 2)
            let error = #expect(throws: FlagError.self) { try flags.$number.setValue(9) }
            #expect(error?.description.contains("it threw Full().") == true)
            try flags.$number.resetValue()
            #expect(flags.number == 0)
        }
    }

    @Test("announces a write, and none that changed nothing or failed")
    func announced() async throws {
        let provider = provider(FakeSource(), isObserved: true)
        var (observer, notices): (FlagProviderObserver?, _) = FlagProviderObserver.makeStream()
        if let observer { #expect(provider.observe(observer)) }
        try provider.setValue(1, for: "number")
        try provider.setValue(1, for: "number")
        #expect(throws: Full.self) { try provider.setValue(9, for: "number") }
        observer = nil
        var seen: [FlagProviderNotice] = []
        for await notice in notices { seen.append(notice) }
        #expect(seen == [.reset])
    }

    @Test("announces a write beside another one, though the value is the same before and after")
    func overlapping() async throws {
        let whileSetting = Mutex<(@Sendable () -> Void)?>(nil)
        let provider = provider(
            FakeSource(["number": 1]), isObserved: true, whileSetting: { whileSetting.withLock { $0.take() }?() })
        let flags = FlagsLoader(NumberFlags.self, providers: [provider])
        #expect(flags.number == 1)
        whileSetting.withLock { action in
            action = {
                #expect(throws: Never.self) { try provider.setValue(2, for: "number") }
                #expect(flags.number == 2)
            }
        }
        try provider.setValue(1, for: "number")
        #expect(flags.number == 1)
    }
}
