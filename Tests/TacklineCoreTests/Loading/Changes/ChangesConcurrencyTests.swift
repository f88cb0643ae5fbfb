import CAllocationCounter
import Synchronization
import TacklineCore
import TacklineMemory
import Testing

@Suite("Many consumers and writers at once", .timeLimit(.minutes(5)))
struct ChangesConcurrencyTests {
    /// A sanitizer has its own allocator, so allocations cannot be counted under one; and it makes all of this slow.
    static let isSmall = tackline_allocation_count() < 0
    static let writes = isSmall ? 4_000 : 100_000
    static let consumers = isSmall ? 20 : 100
    static let writers = 8

    let memory = MemoryProvider()
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [memory])
    }

    @Test("see every change in commit order, and end on the last value")
    func all() async {
        // What was committed is what a provider's observer is told.
        let commits = CommitCounter()
        let (observer, notices) = FlagProviderObserver.makeStream()
        _ = memory.observe(observer)
        let last = Self.writes + 1
        await withTaskGroup(of: Void.self) { group in
            for consumer in 0..<Self.consumers {
                let iterator = loader.$number.changes.limit(Self.writes + 1).makeAsyncIterator()
                let values = loader.$number.values.makeAsyncIterator()
                group.addTask { await Self.expectEveryChange(iterator, upTo: last, consumer) }
                group.addTask { await Self.expectLast(values, last) }
            }
            group.addTask {
                for await notice in notices {
                    guard case .changed(let changes) = notice, case .integer(let number)? = changes[0].new else {
                        continue
                    }
                    commits.count.add(1, ordering: .relaxed)
                    if number == last { return }
                }
            }
            await withTaskGroup(of: Void.self) { writers in
                for writer in 0..<Self.writers {
                    writers.addTask { [memory] in
                        for step in 0..<(Self.writes / Self.writers) {
                            let number = writer * (Self.writes / Self.writers) + step + 1
                            memory.setValue(.integer(Int128(number)), for: "number")
                            if step % 64 == 0 { await Task.yield() }
                        }
                    }
                }
            }
            memory.setValue(.integer(Int128(last)), for: "number")
        }
        #expect(commits.count.load(ordering: .relaxed) == Self.writes + 1)
        #expect(loader.number == last)
        withExtendedLifetime(observer) {}
    }

    private static func expectEveryChange(
        _ start: FlagChanges<Int>.AsyncIterator, upTo last: Int, _ consumer: Int
    ) async {
        var iterator = start
        var count = 0
        var previous = 0
        var isChain = true
        // Each writer counts upwards, so its numbers have to come in this order.
        var newest = [Int](repeating: 0, count: writers + 1)
        while let change = await iterator.next(isolation: #isolation) {
            count += change.mergedCount
            isChain = isChain && change.old == previous && change.mergedCount == 1
            previous = change.new
            if change.new == last { break }
            let writer = (change.new - 1) / (writes / writers)
            isChain = isChain && change.new > newest[writer]
            newest[writer] = change.new
        }
        #expect(isChain, "consumer \(consumer) saw changes that do not follow each other")
        #expect(count == writes + 1, "consumer \(consumer) saw \(count) changes")
    }

    private static func expectLast(_ start: FlagValues<Int>.AsyncIterator, _ last: Int) async {
        var iterator = start
        var value = -1
        while value != last, let next = await iterator.next(isolation: #isolation) { value = next }
        #expect(value == last)
    }
}

private final class CommitCounter: Sendable {
    let count = Atomic<Int>(0)
}
