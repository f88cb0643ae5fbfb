import CAllocationCounter
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("Many consumers and writers at once", .needsTheMachine)
struct ChangesConcurrencyTests {
    /// A sanitizer has an allocator of its own, so allocations can't be counted under it. It also makes the tests slow.
    static let consumers = tackline_allocation_count() < 0 ? 20 : 100
    static let writes = 4_000
    static let writers = 8

    let memory = MemoryProvider()
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [memory])
    }

    @Test("see changes that each begin at the value before, up to the last value")
    func all() async {
        await withTaskGroup(of: Void.self) { group in
            for consumer in 0..<Self.consumers {
                var changes = loader.$number.changes.makeAsyncIterator()
                var values = loader.$number.values.makeAsyncIterator()
                group.addTask { await Self.expectChain(&changes, consumer) }
                group.addTask {
                    var value = -1
                    while value <= Self.writes, let next = await values.next(isolation: #isolation) { value = next }
                    #expect(value == Self.writes + 1)
                }
            }
            await write()
            // The last value is greater than the numbers of all writers.
            memory.setValue(.integer(Int128(Self.writes + 1)), for: "number")
        }
        #expect(loader.number == Self.writes + 1)
    }

    /// Writes from several threads. Each of them writes its own numbers in ascending order.
    private func write() async {
        await withTaskGroup(of: Void.self) { writers in
            for writer in 0..<Self.writers {
                writers.addTask { [memory] in
                    for step in 0..<(Self.writes / Self.writers) {
                        let number = writer * (Self.writes / Self.writers) + step + 1
                        memory.setValue(.integer(Int128(number)), for: "number")
                        if step % 32 == 0 { await Task.yield() }
                    }
                }
            }
        }
    }

    private static func expectChain(
        _ iterator: inout some AsyncIteratorProtocol<FlagChange<Int>, Never>, _ consumer: Int
    ) async {
        var previous = 0
        var isChain = true
        // Each writer counts upwards, so its numbers come in this order.
        var newest = [Int](repeating: 0, count: writers + 1)
        while let change = await iterator.next(isolation: #isolation) {
            isChain = isChain && change.old == previous && change.new != previous
            previous = change.new
            if change.new > writes { break }
            let writer = (change.new - 1) / (writes / writers)
            isChain = isChain && change.new > newest[writer]
            newest[writer] = change.new
        }
        #expect(isChain, "consumer \(consumer) saw changes that do not follow each other")
        #expect(previous == writes + 1, "consumer \(consumer)")
    }
}
