import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("An observer of resolved values", .hangLimit)
struct ResolutionObserverTests {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 1) var number: Int
        @Flag(default: 2) var missing: Int
        @Flag(default: "a", updatePolicy: .session) var pinned: String
        @Flag(default: 0, computed: { (flags: Flags) in flags.number + 1 }) var next: Int
    }

    final class Recorder: FlagResolutionObserver {
        let repeatInterval: Duration?
        private let resolved = Mutex<[(flag: FlagResolution<EncodedFlagValue>?, line: String)]>([])
        private let onFlag = Mutex<(@Sendable () -> Void)?>(nil)

        init(repeatInterval: Duration? = nil) { self.repeatInterval = repeatInterval }

        var all: [FlagResolution<EncodedFlagValue>] { resolved.withLock { $0.compactMap(\.flag) } }

        /// Returns what was received since the last call.
        func takeLines() -> [String] {
            resolved.withLock { resolved in
                defer { resolved = [] }
                return resolved.map(\.line)
            }
        }

        func whenCalled(_ action: (@Sendable () -> Void)?) { onFlag.withLock { $0 = action } }

        func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
            resolved.withLock { $0.append((flag, "\(flag.key) \(flag.value) \(flag.source)")) }
            onFlag.withLock { $0 }?()
        }

        func sessionBegan() { resolved.withLock { $0.append((nil, "session")) } }
    }

    private let recorder = Recorder()
    private let memory = MemoryProvider(name: "memory", values: ["number": 5])

    private func loader(_ providers: [any FlagProvider]) -> FlagsLoader<Flags> {
        FlagsLoader(Flags.self, providers: providers, issueReporter: .silent, observers: [recorder])
    }

    @Test("receives each value once and not at each read, also a default and a computed value")
    func once() {
        let flags = loader([memory])
        for _ in 0..<3 { #expect(flags.number == 5 && flags.missing == 2 && flags.next == 6) }
        #expect(recorder.takeLines() == ["number 5 provider \"memory\"", "missing 2 default", "next 6 computed"])
        memory.setValue(6, for: "number")
        #expect(flags.number == 6 && flags.next == 7)
        memory.setValue(7, for: "number")
        memory.setValue(6, for: "number")
        #expect(flags.number == 6)
        #expect(recorder.takeLines() == ["number 6 provider \"memory\"", "next 7 computed"])
        memory.setValue("six", for: "number")
        #expect(flags.number == 1)
        #expect(recorder.takeLines() == ["number 1 default"], "the value that the read is given, not the refused one")
    }

    @Test("receives each value once of a provider that is asked at each read, with its reasons")
    func uncached() {
        struct Untold: FlagProvider {
            let memory: MemoryProvider
            let uses = Counter()
            func value(for key: FlagKeyPath) -> EncodedFlagValue? {
                _ = uses.next()
                return memory.value(for: key)
            }
            func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
                FlagEvaluation(value: memory.value(for: key), variant: "v", reason: .static)
            }
        }
        let untold = Untold(memory: memory)
        let flags = loader([untold])
        for _ in 0..<3 { #expect(flags.number == 5) }
        #expect(recorder.all.map(\.variant) == ["v"] && untold.uses.count == 3, "each read is one use")
        memory.setValue(6, for: "number")
        for _ in 0..<3 { #expect(flags.number == 6) }
        #expect(recorder.all.map(\.value) == [5, 6])
    }

    @Test("receives nothing for inspections and questions to one provider, and the values of a sequence")
    func inspections() async {
        let flags = loader([memory])
        _ = (flags.$number.resolution(), flags.$next.resolution(), flags.$number.explain(), flags.$next.explain())
        _ = (flags.snapshot(), "\(flags)")
        _ = (flags.$number.flagValue(from: memory), flags.$number.resolution(from: memory))
        #expect(recorder.all.isEmpty)
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next(isolation: nil) == 5)
        #expect(recorder.takeLines() == ["number 5 provider \"memory\""])
    }

    @Test("receives each value again in a new session, of which it is notified before")
    func session() {
        memory.setValue("b", for: "pinned")
        let flags = loader([memory])
        for _ in 0..<3 { #expect(flags.number == 5 && flags.pinned == "b") }
        memory.setValue("c", for: "pinned")
        #expect(flags.pinned == "b")
        #expect(recorder.takeLines() == ["number 5 provider \"memory\"", "pinned \"b\" provider \"memory\""])
        flags.beginSession()
        for _ in 0..<3 { #expect(flags.number == 5 && flags.pinned == "c") }
        #expect(
            recorder.takeLines() == ["session", "number 5 provider \"memory\"", "pinned \"c\" provider \"memory\""])
    }

    @Test("with an interval receives each value again that is still read after it, and others receive nothing")
    func interval() async throws {
        let clock = ManualClock()
        let hourly = Recorder(repeatInterval: .seconds(3600))
        var flags: FlagsLoader? = ResolutionObservers.$clock.withValue(clock) {
            FlagsLoader(Flags.self, providers: [memory], issueReporter: .silent, observers: [recorder, hourly])
        }
        for _ in 0..<3 { #expect(flags?.number == 5 && flags?.pinned == "a") }
        memory.setValue("b", for: "pinned")
        #expect(hourly.takeLines() == ["number 5 provider \"memory\"", "pinned \"a\" default"])
        for _ in 0..<2 {
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(3600))
            try await clock.waitForSleepers(count: 1)
            for _ in 0..<3 { #expect(flags?.pinned == "a" && flags?.number == 5) }
            #expect(hourly.takeLines() == ["pinned \"a\" default", "number 5 provider \"memory\""], "pins stay")
        }
        #expect(recorder.all.count == 2)
        flags = nil
        // The loader's data ends the interval.
        try await clock.waitForSleepers { $0.isEmpty }
    }

    @Test("receives an equal value again for another subject, and each answer of a provider that depends on the task")
    func subjects() {
        struct ForTask: FlagProvider {
            @TaskLocal static var user = 0
            let traits = FlagProviderTraits.taskDependent
            func value(for key: FlagKeyPath) -> EncodedFlagValue? {
                key == "number" ? .integer(Int128(Self.user)) : nil
            }
        }
        struct StoreProvider: FlagProvider {
            let store = FlagProviderStore(FlagDocument(["number": 5]))
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
            func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        }
        let provider = StoreProvider()
        var flags = loader([provider])
        #expect(flags.number == 5)
        provider.store.announceSubjectChange()
        for _ in 0..<3 { #expect(flags.number == 5) }
        #expect(recorder.all.map(\.value) == [5, 5])
        flags = loader([ForTask()])
        for user in [1, 2, 2, 1] { ForTask.$user.withValue(user) { #expect(flags.number == user) } }
        #expect(recorder.all.map(\.value) == [5, 5, 1, 2, 2, 1])
    }

    @Test("may read flags, of which no observer is notified and which the next read still reports")
    func nested() {
        let flags = loader([memory])
        let reads = Counter()
        recorder.whenCalled { [unowned flags] in
            _ = reads.next()
            _ = (flags.missing, flags.number)
        }
        #expect(flags.number == 5 && reads.count == 1)
        recorder.whenCalled(nil)
        #expect(flags.missing == 2)
        #expect(recorder.takeLines() == ["number 5 provider \"memory\"", "missing 2 default"])
    }

    @Test("receives a value once when many threads read it for the first time")
    func threads() async {
        for _ in 0..<50 {
            let recorder = Recorder()
            let flags = FlagsLoader(Flags.self, providers: [memory], observers: [recorder])
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { #expect(flags.number == 5) } }
            }
            #expect(recorder.all.count == 1)
        }
    }
}
