import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct SearchFlags: FlagCollectionProtocol {
    @Flag(default: 1) var limit: Int
    @Flag(default: 2) var depth: Int
}

private struct CartFlags: FlagCollectionProtocol {
    @Flag(default: 1) var limit: Int
}

private struct OrderFlags: FlagCollectionProtocol {
    @Flag(default: 1) var limit: Int
}

private struct LoopFlags: FlagCollectionProtocol {
    @Flag var first: Int
    static let isLooping = Mutex(true)

    init() {
        _first = Flag(
            default: 1,
            computed: { (flags: LoopFlags) in
                LoopFlags.isLooping.withLock { $0 } ? flags.first : 5
            })
    }
}

/// A provider that hands issues to its loaders.
private struct FailingProvider: FlagProvider {
    let store = FlagProviderStore()
    let name = "failing"

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}

@Suite("An issue", .hangLimit)
struct FlagIssueLogTests {
    private let recorder = IssueRecorder()

    private func issue(_ message: String = "A test.", value: EncodedFlagValue? = nil) -> FlagError {
        FlagError(.unknownFlag, message, key: "a", value: value)
    }

    @Test("is reported once to each reporter, and again after it was resolved")
    func onceEach() {
        let (log, other) = (FlagIssueLog(), IssueRecorder())
        let (reporter, second) = (recorder.reporter, other.reporter)
        for _ in 0..<3 { log.report(issue(), to: [reporter, reporter]) }
        #expect(recorder.issues == [issue()] && !log.isEmpty && log.issues == [issue()])
        log.report(issue(), to: [reporter, second])
        #expect(recorder.issues.count == 1 && other.issues.count == 1)
        log.resolve(.unknownFlag, key: "a")
        #expect(log.isEmpty)
        log.report(issue(), to: [reporter])
        #expect(recorder.issues.count == 2 && other.issues.count == 1)
    }

    @Test("is reported again if it is another one of the same cause, and apart from one with another detail")
    func causes() {
        let (log, reporter) = (FlagIssueLog(), recorder.reporter)
        log.report(issue("One."), to: [reporter])
        log.report(issue("Two."), to: [reporter])
        log.report(issue("One."), to: [reporter])
        log.report(issue("Three."), detail: "3", to: [reporter])
        log.report(issue("One."), to: [reporter])
        #expect(recorder.issues.map(\.message) == ["One.", "Two.", "One.", "Three."])
        log.replace([.unknownFlag], with: [issue("Four.")], to: [reporter])
        #expect(log.issues == [issue("Four.")])
        log.replace([.unknownFlag], with: [issue("Four.")], to: [reporter])
        #expect(recorder.issues.count == 5)
        log.resolveAll([.unknownFlag])
        #expect(log.isEmpty)
    }

    @Test("of two sources is reported once, and again only after both are without it")
    func sources() {
        let reporter = recorder.reporter
        let first = FlagIssueLog()
        do {
            let second = FlagIssueLog()
            first.report(issue(), to: [reporter])
            second.report(issue(), to: [reporter])
            #expect(recorder.issues.count == 1)
            first.resolve(.unknownFlag, key: "a")
            first.report(issue(), to: [reporter])
            #expect(recorder.issues.count == 1)
            first.resolve(.unknownFlag, key: "a")
            withExtendedLifetime(second) {}
        }
        // The second log is gone, and its issue with it.
        first.report(issue(), to: [reporter])
        #expect(recorder.issues.count == 2)
    }

    @Test("keeps no reporter whose loader is gone")
    func reporters() {
        final class Owner: Sendable {}
        let provider = FailingProvider()
        weak var owner: Owner?
        func use() {
            let present = Owner()
            owner = present
            let reporter = FlagIssueReporter { _ in withExtendedLifetime(present) {} }
            let flags = FlagsLoader(SearchFlags.self, providers: [provider], issueReporter: reporter)
            provider.store.report(issue())
            #expect(flags.limit == 1)
        }
        use()
        #expect(owner == nil)
        let flags = FlagsLoader(SearchFlags.self, providers: [provider], issueReporter: recorder.reporter)
        provider.store.report(issue())
        #expect(recorder.issues == [issue()] && flags.limit == 1)
    }

    @Test("about a refused value is reported once to the reporter of two loaders, and again when the value comes back")
    func refusedValue() {
        let provider = MemoryProvider(values: ["limit": "many"])
        let reporter = recorder.reporter
        let loaders = (0..<2).map { _ in
            FlagsLoader(SearchFlags.self, providers: [provider], issueReporter: reporter)
        }
        func readAll() { for loader in loaders { _ = loader.limit } }
        readAll()
        #expect(recorder.codes == [.refusedValue])
        provider.setValue(3, for: "limit")
        readAll()
        provider.setValue("many", for: "limit")
        readAll()
        #expect(recorder.codes == [.refusedValue, .refusedValue])
        provider.setValue("more", for: "limit")
        readAll()
        #expect(recorder.codes == [.refusedValue, .refusedValue, .refusedValue])
    }

    @Test("of a provider is reported once to the reporter of a manager, whose loaders share the provider")
    func manager() {
        let provider = FailingProvider()
        let manager = FlagsManager(providers: [provider], issueReporter: recorder.reporter)
        manager.addCollection(SearchFlags.self, keyConfiguration: .init(prefix: "search"))
        manager.addCollection(CartFlags.self, keyConfiguration: .init(prefix: "cart"))
        provider.store.report(issue())
        provider.store.report(issue())
        #expect(recorder.issues == [issue()])
        provider.store.resolve(issue())
        provider.store.report(issue())
        #expect(recorder.issues.count == 2)
    }

    @Test("about a key that collections of a manager share is reported once, and again when one is added again")
    func sharedKeys() {
        let manager = FlagsManager(providers: [], issueReporter: recorder.reporter)
        manager.addCollection(SearchFlags.self)
        manager.addCollection(CartFlags.self)
        manager.addCollection(OrderFlags.self)
        #expect(recorder.codes == [.duplicateKey])
        manager.removeCollection(CartFlags.self)
        manager.removeCollection(OrderFlags.self)
        manager.addCollection(OrderFlags.self)
        #expect(recorder.codes == [.duplicateKey, .duplicateKey])
    }

    @Test("about a flag without a loader is reported once for each loader that is gone")
    func goneLoaders() {
        func copy() -> CartFlags { FlagsLoader(CartFlags.self, providers: []).flags }
        FlagIssueReporter.withReporter(recorder.reporter) {
            for count in 1...3 {
                let stray = copy()
                for _ in 0..<3 { #expect(stray.limit == 1) }
                #expect(recorder.codes == Array(repeating: .loaderGone, count: count))
            }
        }
    }

    @Test("about a cycle is reported once, and again after the flag could be computed")
    func cycle() {
        let flags = FlagsLoader(LoopFlags.self, providers: [], issueReporter: recorder.reporter)
        func set(_ isLooping: Bool) {
            LoopFlags.isLooping.withLock { $0 = isLooping }
            flags.providers = []
        }
        for _ in 0..<3 {
            set(true)
            #expect(flags.first == 1)
        }
        #expect(recorder.codes == [.cycle])
        set(false)
        #expect(flags.first == 5)
        set(true)
        #expect(flags.first == 1)
        #expect(recorder.codes == [.cycle, .cycle])
    }

    @Test("of a configuration is reported once to the reporter of two loaders")
    func configuration() {
        enum Shortened: String, FlagFeature {
            case listed, omitted
            static let allCases: [Shortened] = [.listed]
        }
        let configuration = FlagConfiguration(Shortened.self) { $0.enable(.omitted) }
        let (reporter, other) = (recorder.reporter, IssueRecorder())
        for reporter in [reporter, reporter, other.reporter] {
            _ = FlagsLoader(Shortened.self, providers: [configuration], issueReporter: reporter)
        }
        #expect(recorder.issues.count == 1 && other.issues.count == 1)
    }
}
