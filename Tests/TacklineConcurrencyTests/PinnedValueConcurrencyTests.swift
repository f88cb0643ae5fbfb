import Synchronization
import TacklineClosure
import TacklineCore
import TacklineTestSupport
import Testing

private struct PinnedFlags: FlagCollectionProtocol {
    @Flag(default: 0, updatePolicy: .session, description: "Pinned for a session")
    var session: Int
}

private struct Account: FlagProvider {
    let store = FlagProviderStore()
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}

@Suite("A pinned value on many threads", .needsTheMachine)
struct PinnedValueConcurrencyTests {
    @Test("is the same for all readers of a session, although the provider has another value each time")
    func oneValue() async {
        let last = Mutex(0)
        let provider = ClosureProvider { _ in
            last.withLock { last in
                last += 1
                return .integer(Int128(last))
            }
        }
        let flags = FlagsLoader(PinnedFlags.self, providers: [provider])
        for _ in 0..<200 {
            flags.beginSession()
            let values = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { flags.session } }
                return await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(values == [flags.session])
        }
    }

    @Test(
        "is never one of an earlier session or of another subject for a read after these have changed",
        arguments: [false, true])
    func newSession(isSubject: Bool) async {
        let provider = Account()
        let flags = FlagsLoader(PinnedFlags.self, providers: [provider])
        let isDone = Atomic<Bool>(false)
        let wrong = Counter()
        let reader: @Sendable () -> Void = {
            var newest = 0
            while !isDone.load(ordering: .acquiring) {
                let value = flags.session
                if value < newest { _ = wrong.next() }
                newest = max(newest, value)
            }
        }
        await onThreads([
            reader, reader,
            {
                for number in 1...500 {
                    let document = FlagDocument(["session": .integer(Int128(number))])
                    provider.store.replaceDocument(with: document)
                    if isSubject { provider.store.announceSubjectChange() } else { flags.beginSession() }
                    if flags.session != number { _ = wrong.next() }
                }
                isDone.store(true, ordering: .releasing)
            },
        ])
        #expect(wrong.count == 0)
    }
}
