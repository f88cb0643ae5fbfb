import Synchronization
import TacklineClosure
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
        private let flags = Mutex<[ResolvedFlag]>([])
        private let onFlag = Mutex<(@Sendable () -> Void)?>(nil)

        var all: [ResolvedFlag] { flags.withLock { $0 } }
        var lines: [String] { all.map { "\($0.key) \($0.value.map { "\($0)" } ?? "nil") \($0.source)" } }

        func whenCalled(_ action: (@Sendable () -> Void)?) { onFlag.withLock { $0 = action } }

        func flagWasResolved(_ flag: ResolvedFlag) {
            flags.withLock { $0.append(flag) }
            onFlag.withLock { $0 }?()
        }
    }

    /// A provider that can't tell changes and gives details.
    struct Untold: FlagProvider {
        let name = "untold"
        let memory: MemoryProvider
        let uses = Counter()

        func value(for key: FlagKeyPath) -> EncodedFlagValue? {
            _ = uses.next()
            return memory.value(for: key)
        }

        func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
            let value = memory.value(for: key)
            return DetailedFlagValue(
                value: value, details: value.map { _ in FlagResolutionDetails(variant: "v", reason: .static) })
        }
    }

    private let recorder = Recorder()
    private let memory = MemoryProvider(name: "memory", values: ["number": 5])

    private func loader(_ providers: [any FlagProvider]) -> FlagsLoader<Flags> {
        FlagsLoader(Flags.self, providers: ProviderChain(providers), issueReporter: .silent, observers: [recorder])
    }

    @Test("receives each value once and not at each read, also a default and a computed value")
    func once() {
        let flags = loader([memory])
        for _ in 0..<3 { #expect(flags.number == 5 && flags.missing == 2 && flags.next == 6) }
        #expect(
            recorder.lines == [
                "number 5 provider \"memory\"", "missing 2 default", "next 6 computed",
            ])
        memory.setValue(6, for: "number")
        #expect(flags.number == 6 && flags.next == 7)
        #expect(recorder.lines.dropFirst(3) == ["number 6 provider \"memory\"", "next 7 computed"])
        memory.setValue(7, for: "number")
        memory.setValue(6, for: "number")
        #expect(flags.number == 6)
        #expect(recorder.all.count == 5, "the value is the one that it received last")
    }

    @Test("receives each value once of a provider that is asked at each read, with its details")
    func uncached() {
        let untold = Untold(memory: memory)
        let flags = loader([untold])
        for _ in 0..<3 { #expect(flags.number == 5) }
        #expect(recorder.all.count == 1 && recorder.all.first?.details?.variant == "v")
        #expect(untold.uses.count == 3, "each read is one use")
        memory.setValue(6, for: "number")
        for _ in 0..<3 { #expect(flags.number == 6) }
        #expect(recorder.all.map(\.value) == [5, 6])
    }

    @Test("receives nothing for inspections and questions to one provider, and the values of a sequence")
    func inspections() async {
        let flags = loader([memory])
        _ = (flags.$number.resolution(), flags.$next.resolution(), flags.$number.explain(), flags.$next.explain())
        #expect(recorder.all.isEmpty, "resolutions and explanations")
        _ = (flags.snapshot(), "\(flags)")
        #expect(recorder.all.isEmpty, "snapshots and descriptions")
        _ = (flags.$number.flagValue(from: memory), flags.$number.resolution(from: memory))
        #expect(recorder.all.isEmpty, "one provider")
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next(isolation: nil) == 5)
        #expect(recorder.lines == ["number 5 provider \"memory\""], "a sequence gives out values, as a read does")
    }

    @Test("doesn't receive a value that the flag refuses, but the one that the read is given")
    func refused() {
        memory.setValue("five", for: "number")
        let flags = loader([memory])
        #expect(flags.number == 1)
        #expect(recorder.lines == ["number 1 default"])
    }

    @Test("receives each value again in a new session, of which it is notified before, and when it asks for that")
    func session() {
        final class Sessions: FlagResolutionObserver {
            let lines = Mutex<[String]>([])
            let loader = Mutex<ObservedLoader?>(nil)
            func flagWasResolved(_ flag: ResolvedFlag) { lines.withLock { $0.append("\(flag.key)") } }
            func sessionBegan() { lines.withLock { $0.append("session") } }
            func loaderWasMade(_ loader: ObservedLoader) {
                lines.withLock { $0.append("loader \(loader.keys)") }
                self.loader.withLock { $0 = loader }
            }
            func ask() -> Bool? { loader.withLock { $0 }?.passValuesAgain() }
        }
        let sessions = Sessions()
        var flags: FlagsLoader? = FlagsLoader(
            Flags.self, providers: [memory], issueReporter: .silent, observers: [recorder, sessions])
        for _ in 0..<3 { #expect(flags?.number == 5 && flags?.pinned == "a") }
        flags?.beginSession()
        for _ in 0..<3 { #expect(flags?.number == 5 && flags?.pinned == "a") }
        var expected = ["loader [number, missing, pinned, next]", "number", "pinned", "session", "number", "pinned"]
        #expect(sessions.lines.withLock { $0 } == expected)
        memory.setValue("b", for: "pinned")
        for _ in 0..<2 {
            #expect(sessions.ask() == true)
            for _ in 0..<3 { #expect(flags?.pinned == "a" && flags?.number == 5 && flags?.missing == 2) }
            expected += ["pinned", "number", "missing"]
        }
        memory.setValue(6, for: "number")
        #expect(sessions.ask() == true && flags?.number == 6 && flags?.number == 6)
        #expect(sessions.lines.withLock { $0 } == expected + ["number"])
        #expect(recorder.all.map(\.key.text) == ["number", "pinned", "number", "pinned", "missing", "number"])
        flags = nil
        #expect(sessions.ask() == false)
    }

    @Test("receives a pinned value when it is pinned, and the new one in a new session")
    func pinned() {
        memory.setValue("b", for: "pinned")
        let flags = loader([memory])
        for _ in 0..<3 { #expect(flags.pinned == "b") }
        memory.setValue("c", for: "pinned")
        #expect(flags.pinned == "b")
        flags.beginSession()
        for _ in 0..<3 { #expect(flags.pinned == "c") }
        #expect(recorder.lines == ["pinned \"b\" provider \"memory\"", "pinned \"c\" provider \"memory\""])
    }

    @Test("receives an equal value again after the subject of a provider has changed")
    func subject() {
        let store = StoreProvider()
        store.store.setValue(5, for: "number")
        let flags = loader([store])
        #expect(flags.number == 5)
        store.store.announceSubjectChange()
        for _ in 0..<3 { #expect(flags.number == 5) }
        #expect(recorder.all.map(\.value) == [5, 5])
    }

    @Test("receives each answer of a provider whose answers depend on the task")
    func task() {
        struct ForTask: FlagProvider {
            @TaskLocal static var user = 0
            let kind = FlagProviderKind.taskDependent
            func value(for key: FlagKeyPath) -> EncodedFlagValue? {
                key == "number" ? .integer(Int128(Self.user)) : nil
            }
        }
        let flags = loader([ForTask()])
        for user in [1, 2, 2, 1] { ForTask.$user.withValue(user) { #expect(flags.number == user) } }
        #expect(recorder.all.map(\.value) == [1, 2, 2, 1])
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
        #expect(recorder.lines == ["number 5 provider \"memory\"", "missing 2 default"])
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

    @Test("of a manager receives the values of all collections")
    func manager() {
        struct Other: FlagCollectionProtocol { @Flag(default: true) var other: Bool }
        let manager = FlagsManager(providers: [memory], observers: [recorder])
        let (flags, other) = (manager.addCollection(Flags.self), manager.addCollection(Other.self))
        #expect(flags.number == 5 && other.other)
        #expect(recorder.lines == ["number 5 provider \"memory\"", "other true default"])
    }

    private final class StoreProvider: FlagProvider {
        let name = "store"
        let store = FlagProviderStore()
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    }
}
