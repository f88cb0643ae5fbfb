import TacklineCore
import TacklineTestSupport
import Testing

private struct Full: Error {}

@Suite("A provider's store", .hangLimit)
struct FlagProviderStoreTests {
    @Test("announces each change with its old and new value, and no unchanged value")
    func announces() async {
        let store = FlagProviderStore(FlagDocument(["a": 1]))
        let (observer, notices) = FlagProviderObserver.makeStream()
        store.observe(observer)
        store.setValue(1, for: "a")
        store.setValue(2, for: "a")
        store.setValue(nil, for: "b")
        let changes = store.setValues(["b": 3, "a": nil])
        #expect(
            changes == [FlagProviderChange(key: "a", old: 2, new: nil), FlagProviderChange(key: "b", old: nil, new: 3)])
        #expect(store.replaceDocument(with: FlagDocument(["b": 3])).isEmpty)
        withExtendedLifetime(observer) {}
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "a", old: 1, new: 2)]))
        #expect(await iterator.next() == .changed(changes))
        #expect(store.document == FlagDocument(["b": 3]))
    }

    @Test("changes nothing and announces nothing if the document cannot be persisted or is the same")
    func failedUpdate() async {
        let store = FlagProviderStore(FlagDocument(["a": 1]))
        let (observer, notices) = FlagProviderObserver.makeStream()
        store.observe(observer)
        #expect(store.update({ $0.setValue(1, for: "a") }, persist: { _ in Issue.record("unchanged") }).isEmpty)
        #expect(throws: Full.self) {
            try store.update { (document: inout FlagDocument) throws(Full) in
                document.setValue(2, for: "a")
            } persist: { (document: FlagDocument) throws(Full) in
                #expect(document.value(for: "a") == 2)
                throw Full()
            }
        }
        #expect(store.value(for: "a") == 1)
        store.setValue(5, for: "a")
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "a", old: 1, new: 5)]))
        withExtendedLifetime(observer) {}
    }

    @Test("keeps observers weakly, so that the stream of a released one ends")
    func weakObservers() async {
        let store = FlagProviderStore()
        let notices = {
            let (observer, notices) = FlagProviderObserver.makeStream()
            store.observe(observer)
            return notices
        }()
        store.setValue(1, for: "a")
        for await notice in notices { Issue.record("\(notice)") }
    }

    @Test("notifies every observer, also after others have gone")
    func manyObservers() async {
        let store = FlagProviderStore()
        var observers = (0..<4).map { _ in FlagProviderObserver.makeStream() }
        for (observer, _) in observers { store.observe(observer) }
        observers.remove(at: 0)
        observers.remove(at: 1)
        for number in 1...2 as ClosedRange<Int128> { store.setValue(.integer(number), for: "a") }
        for (observer, notices) in observers {
            var iterator = notices.makeAsyncIterator()
            #expect(await iterator.next() == .changed([FlagProviderChange(key: "a", old: nil, new: 1)]))
            #expect(await iterator.next() == .changed([FlagProviderChange(key: "a", old: 1, new: 2)]))
            withExtendedLifetime(observer) {}
        }
    }
}

@Suite("An observer of a provider", .hangLimit)
struct FlagProviderObserverTests {
    @Test("gets no notice of an empty list of changes")
    func noChanges() async {
        let (observer, notices) = FlagProviderObserver.makeStream()
        observer.valuesChanged([])
        observer.valuesMayHaveChanged()
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .reset)
        withExtendedLifetime(observer) {}
    }

    @Test("calls its end handlers once, when it is deallocated")
    func end() {
        let ends = Counter()
        var observer: FlagProviderObserver? = FlagProviderObserver.makeStream().observer
        observer?.onEnd { _ = ends.next() }
        observer?.onEnd { _ = ends.next() }
        #expect(ends.count == 0)
        observer = nil
        #expect(ends.count == 2)
    }
}
