import Synchronization
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
struct FlagIssueReporterTests {
    private let recorder = IssueRecorder()

    private func issue(_ message: String = "A test.") -> FlagError { FlagError(.unknownFlag, message, key: "a") }

    @Test("is reported once, whoever reports it, and again after it was resolved, and remembered in bounded memory")
    func once() {
        let reporter = recorder.reporter
        for message in ["One.", "Two.", "One.", "Two."] { reporter.report(issue(message)) }
        #expect(recorder.issues == [issue("One."), issue("Two.")])
        reporter.resolve(.unknownFlag)
        reporter.report(issue("One."))
        #expect(recorder.issues.count == 2, "another key has another cause")
        reporter.resolve(.unknownFlag, key: "a")
        reporter.report(issue("One."))
        #expect(recorder.issues.last == issue("One.") && recorder.issues.count == 3)
        for number in 0..<1500 { reporter.report(issue("\(number)")) }
        #expect(recorder.issues.count == 1503 && reporter.issues(.unknownFlag, key: "a").count <= 1000)
    }

    @Test("may be reported and resolved by the closure that receives one")
    func reentrancy() {
        let current = Mutex<FlagIssueReporter?>(nil)
        let calls = Counter()
        let reporter = FlagIssueReporter { _ in
            let reporter = current.withLock { $0 }
            reporter?.report(issue("\(calls.next())"))
            reporter?.resolve(.unknownFlag, key: "a")
        }
        current.withLock { $0 = reporter }
        reporter.report(issue())
        #expect(calls.count == 4, "deeper ones are dropped")
        current.withLock { $0 = nil }
    }

    @Test("about a refused value is reported once by many loaders, and again when the value or the provider comes back")
    func refusedValue() {
        let (provider, reporter) = (MemoryProvider(values: ["limit": "many"]), recorder.reporter)
        let flags = FlagsLoader(SearchFlags.self, providers: [provider], issueReporter: reporter)
        func read(expecting count: Int) {
            for _ in 0..<100 { _ = FlagsLoader(SearchFlags.self, providers: [provider], issueReporter: reporter).limit }
            #expect(flags.limit == 1 && recorder.codes == Array(repeating: .refusedValue, count: count))
        }
        read(expecting: 1)
        provider.setValue(3, for: "limit")
        #expect(flags.limit == 3)
        provider.setValue("many", for: "limit")
        read(expecting: 2)
        provider.setValue("more", for: "limit")
        read(expecting: 3)
        flags.providers = []
        flags.providers = [provider]
        read(expecting: 4)
    }

    @Test("of a provider is reported to each reporter that observes it, once to a manager whose loaders share it")
    func manager() {
        let provider = FailingProvider()
        let manager = FlagsManager(providers: [provider], issueReporter: recorder.reporter)
        manager.addCollection(SearchFlags.self, keyConfiguration: .init(prefix: "search"))
        manager.addCollection(CartFlags.self, keyConfiguration: .init(prefix: "cart"))
        let other = IssueRecorder()
        let loader = FlagsLoader(CartFlags.self, providers: [provider], issueReporter: other.reporter)
        for _ in 0..<2 { provider.store.report(issue()) }
        #expect(recorder.issues == [issue()] && other.issues == [issue()])
        provider.store.resolve(.unknownFlag, key: "a")
        provider.store.report(issue())
        #expect(recorder.issues.count == 2 && other.issues.count == 2)
        withExtendedLifetime(loader) {}
    }

    @Test("about a key that collections of a manager share is reported once, and again when one is added again")
    func sharedKeys() {
        let manager = FlagsManager(providers: [], issueReporter: recorder.reporter)
        manager.addCollection(SearchFlags.self)
        #expect(recorder.issues.isEmpty)
        let cart = manager.addCollection(CartFlags.self)
        manager.addCollection(OrderFlags.self)
        #expect(recorder.codes == [.duplicateKey])
        manager.providers = [MemoryProvider(values: ["limit": 5])]
        #expect(cart.limit == 5 && manager.loader(for: SearchFlags.self)?.limit == 5)
        manager.removeCollection(CartFlags.self)
        manager.removeCollection(OrderFlags.self)
        manager.addCollection(OrderFlags.self)
        #expect(recorder.codes == [.duplicateKey, .duplicateKey])
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
        #expect(flags.first == 1 && recorder.codes == [.cycle, .cycle])
    }
}
