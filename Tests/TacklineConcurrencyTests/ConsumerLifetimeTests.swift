import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("Consumers that come and go", .hangLimit)
struct ConsumerLifetimeTests {
    let memory = MemoryProvider(name: "memory")

    @Test("continue when their loader and its manager are released while they wait")
    func loaderGoes() async throws {
        var loader: FlagsLoader? = FlagsLoader(ChangeFlags.self, providers: [memory])
        var manager: FlagsManager? = FlagsManager(providers: [memory])
        manager?.addCollection(ChangeFlags.self)
        var number = try #require(loader).$number.changes.makeAsyncIterator()
        var values = try #require(loader).$number.values.makeAsyncIterator()
        var all = try #require(manager).changes.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 0)
        let waiting = Task { [memory] in
            await Task.yield()
            memory.setValue(1, for: "number")
        }
        loader = nil
        manager = nil
        #expect(await number.next(isolation: #isolation)?.new == 1)
        #expect(await values.next(isolation: #isolation) == 1)
        #expect(await all.next(isolation: #isolation)?.new == 1)
        await waiting.value
        #expect(loader == nil && manager == nil)
    }

    @Test("get their own changes while others come and go, and are cancelled, all the time")
    func churn() async {
        let loader = FlagsLoader(ChangeFlags.self, providers: [memory])
        let cancelled = (0..<200).map { number in
            Task {
                if number.isMultiple(of: 2) {
                    for await _ in loader.$number.values {}
                } else {
                    for await _ in loader.changes {}
                }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for key in ["number", "group/width", "group/inner/depth"] as [FlagKeyPath] {
                group.addTask { [memory] in
                    guard let flag = loader.flag(at: key)?.handle(as: Int.self) else { return }
                    var wrong = 0
                    for step in 1...1_000 {
                        var iterator = flag.changes.makeAsyncIterator()
                        memory.setValue(.integer(Int128(step)), for: key)
                        let change = await iterator.next(isolation: #isolation)
                        if change?.old != step - 1 || change?.new != step { wrong += 1 }
                        if key == "number", step.isMultiple(of: 5) { cancelled[step / 5 - 1].cancel() }
                    }
                    #expect(wrong == 0)
                }
            }
        }
        for task in cancelled { await task.value }
    }
}
