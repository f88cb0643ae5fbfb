import Observation
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("Observation of flags", .hangLimit)
struct ObservationTests {
    let memory = MemoryProvider()
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [memory], observation: .tracked)
    }

    /// A counter of the calls of `onChange` for one tracked closure, which is called at most once.
    private final class Counter: Sendable {
        private let value = Atomic<Int>(0)
        private let (fired, continuation) = AsyncStream.makeStream(of: Void.self)
        var count: Int { value.load(ordering: .acquiring) }
        func fire() {
            value.add(1, ordering: .acquiringAndReleasing)
            continuation.yield()
        }

        /// Waits for the next call.
        func waitUntilFired() async throws(CancellationError) {
            var iterator = fired.makeAsyncIterator()
            // The stream ends only if the task is cancelled.
            if await iterator.next() == nil { throw CancellationError() }
        }

        /// Waits for a call and expects only one.
        ///
        /// A task that the change resumed may make the call after the write has returned.
        func expectFired(sourceLocation: SourceLocation = #_sourceLocation) async throws(CancellationError) {
            try await waitUntilFired()
            #expect(count == 1, sourceLocation: sourceLocation)
        }
    }

    private func track(_ read: () -> Void) -> Counter {
        let counter = Counter()
        withObservationTracking(read) { counter.fire() }
        return counter
    }

    @Test("fires each time for the flag that was read, also if the value is cached, and for no other")
    func oneFlag() async throws {
        let text = track { _ = loader.text }
        let width = track { _ = loader.group.width }
        for number in 1...5 {
            _ = loader.number
            let counter = track { #expect(loader.number == number - 1) }
            let depth = track { #expect(loader.group.inner.depth == number - 1) }
            try loader.$number.setValue(number)
            try await counter.expectFired()
            try loader.group.inner.$depth.setValue(number)
            try await depth.expectFired()
        }
        #expect(text.count == 0 && width.count == 0)
    }

    @Test(
        "fires for a new default, a new chain and an input of a computed flag, and for no write that changes no value")
    func causes() async throws {
        let below = MemoryProvider(name: "below", values: ["number": 1])
        loader.providers = [memory, below]
        memory.setValues(["number": 5, "is_on": true])
        let (number, text) = (track { _ = loader.number }, track { #expect(loader.text.isEmpty) })
        let doubled = track { #expect(loader.doubled == 0) }
        try loader.$number.setValue(6, in: below)
        try loader.$number.setValue(5)
        #expect(number.count == 0 && doubled.count == 0)
        try loader.group.inner.$depth.setValue(1)
        try await doubled.expectFired()
        try loader.$number.resetValue(in: memory)
        try await number.expectFired()
        let withChain = track { #expect(loader.number == 6) }
        loader.providers = [MemoryProvider(values: ["number": 9])]
        try await withChain.expectFired()
        #expect(text.count == 0)
        loader.$text.setDefault("b")
        try await text.expectFired()
    }

    @Test("misses nothing while another thread writes and readers track")
    func races() async throws {
        let last = 2_000
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [loader] in
                    var value = 0
                    while value != last {
                        let counter = Counter()
                        value = withObservationTracking {
                            loader.number
                        } onChange: {
                            counter.fire()
                        }
                        // withObservationTracking installs its observers after the closure and misses earlier changes, those
                        // of classes with `@Observable` too. swiftlang/swift#86719 corrects it.
                        if value != last, loader.number == value { try await counter.waitUntilFired() }
                    }
                }
            }
            group.addTask { [memory] in
                for number in 1...last {
                    memory.setValue(.integer(Int128(number)), for: "number")
                    if number % 50 == 0 { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("is off if the loader is untracked, and on platforms without views until one is used")
    func modes() async throws {
        let untracked = FlagsLoader(ChangeFlags.self, providers: [memory], observation: .untracked)
        let automatic = FlagsLoader(ChangeFlags.self, providers: [memory])
        untracked.beginObservingForView()
        let never = track { _ = untracked.number }
        #if !canImport(SwiftUI)
            let notYet = track { _ = automatic.number }
        #endif
        try untracked.$number.setValue(1)
        #expect(never.count == 0)
        #if !canImport(SwiftUI)
            #expect(notYet.count == 0)
        #endif
        automatic.beginObservingForView()
        let inView = track { #expect(automatic.number == 1) }
        try automatic.$number.setValue(2)
        try await inView.expectFired()
    }

    /// A provider that waits at a gate before it is inspected.
    private struct GatedProvider: FlagProvider {
        let store = FlagProviderStore()
        let gate = FlagGate()

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
            gate.passBlocking()
            return FlagEvaluation(value: store.value(for: key))
        }
    }

    @Test("fires for a value that is changed back before observers are notified")
    func changedBack() async throws {
        let provider = GatedProvider()
        let loader = FlagsLoader(ChangeFlags.self, providers: [provider], observation: .tracked)
        #expect(loader.number == 0)
        let inspections = provider.gate.arrivals
        provider.gate.close()
        provider.store.setValue(1, for: "number")
        try await provider.gate.waitForArrivals(inspections + 1)
        // A reader sees the change before the task that was about to notify observers does.
        let counter = track { #expect(loader.number == 1) }
        provider.store.setValue(nil, for: "number")
        provider.gate.open()
        try await counter.expectFired()
        #expect(loader.number == 0)
    }

    @Test("fires when the loader is deallocated, and not for readers of the next loader")
    func loaderGoes() async throws {
        var loader: FlagsLoader? = FlagsLoader(ChangeFlags.self, providers: [memory], observation: .tracked)
        let counter = track { _ = loader?.number }
        #expect(counter.count == 0)
        loader = nil
        try await counter.expectFired()
        let next = FlagsLoader(ChangeFlags.self, providers: [memory], observation: .untracked)
        let untracked = track { _ = next.number }
        try next.$number.setValue(3)
        #expect(untracked.count == 0)
    }
}
