import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct NumberFlags: FlagCollectionProtocol {
    @Flag(default: 1) var number: Int
    @Flag(default: 2) var other: Int
}

/// Reads the flags of a loader.
private final class Reader: Sendable {
    private let loader = Mutex<FlagsLoader<NumberFlags>?>(nil)

    func set(_ new: FlagsLoader<NumberFlags>?) { loader.withLock { $0 = new } }

    func read() {
        guard let loader = loader.withLock({ $0 }) else { return }
        _ = loader.number + loader.other
    }
}

@Suite("A value that reads flags when it is released", .hangLimit)
struct ReleasedValueTests {
    /// Changes of a store whose key `group/a` or `a` has a value, and which lets go of it.
    private static let changes: [(name: String, key: FlagKeyPath, change: @Sendable (FlagProviderStore) -> Void)] = [
        ("replaces", "a", { $0.setValue(1, for: "a") }),
        ("removes", "a", { $0.setValue(nil, for: "a") }),
        ("replaces a nested value", "group/a", { $0.setValue(1, for: "group/a") }),
        ("replaces its group", "group/a", { $0.setValue(1, for: "group") }),
        ("sets several", "a", { $0.setValues(["a": 1, "b": 2]) }),
        ("replaces the document", "group/a", { $0.replaceDocument(with: FlagDocument()) }),
        ("edits the document", "a", { $0.update({ $0 = FlagDocument(["a": 1]) }, persist: { _ in }) }),
    ]

    @Test("can be replaced in a store")
    func store() {
        for index in Self.changes.indices {
            let (name, key, change) = Self.changes[index]
            for isWatched in [false, true] {
                let store = FlagProviderStore()
                let releases = Counter()
                let observer = FlagProviderObserver.makeStream()
                if isWatched { store.observe(observer.observer) }
                let nested = FlagKeyPath("group/a") == key
                func fill() {
                    let value = EncodedFlagValue.released {
                        _ = store.value(for: "other")
                        _ = releases.next()
                    }
                    store.replaceDocument(with: FlagDocument(nested ? ["group": ["a": value]] : ["a": value]))
                }
                fill()
                change(store)
                if !isWatched { #expect(releases.count == 1, "\(name)") }
            }
        }
    }

    @Test("can be refused by a flag, and replaced by one that the flag takes")
    func refused() {
        let provider = MemoryProvider()
        let releases = Counter()
        let kept = Reader()
        func fill() {
            let value = EncodedFlagValue.released {
                kept.read()
                _ = releases.next()
            }
            provider.setValue(value, for: "number")
        }
        fill()
        // Of its own: another test may hold the issues of a shared one, and the value in them, for a moment.
        let loader = FlagsLoader(NumberFlags.self, providers: [provider], issueReporter: FlagIssueReporter { _ in })
        kept.set(loader)
        #expect(loader.number == 1)
        provider.setValue(5, for: "number")
        #expect(loader.number == 5)
        #expect(releases.count == 1)
        fill()
        #expect(loader.number == 1)
        loader.providers = []
        #expect(loader.number == 1)
        kept.set(nil)
    }
}
