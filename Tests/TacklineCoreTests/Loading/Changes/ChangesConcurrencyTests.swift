import CAllocationCounter
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("Many consumers and writers at once", .needsTheMachine)
struct ChangesConcurrencyTests {
    /// A sanitizer has its own allocator, so allocations cannot be counted under one; and it makes all of this slow.
    static let consumers = tackline_allocation_count() < 0 ? 20 : 100
    static let writes = 4_000
    static let writers = 8
    /// How many writes come before the writers wait for the consumers: fewer than a consumer's bound, which is 1,024 and
    /// stays as it is here. So who has not yet read what came before still keeps up.
    static let round = 800

    let memory = MemoryProvider()
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [memory])
    }

    @Test("see every change in commit order if they keep up, and end on the last value")
    func all() async {
        let progress = Progress()
        await withTaskGroup(of: Void.self) { group in
            for consumer in 0..<Self.consumers {
                let changes = loader.$number.changes.makeAsyncIterator()
                let values = loader.$number.values.makeAsyncIterator()
                group.addTask { await Self.expectEveryChange(changes, consumer, progress) }
                group.addTask { await Self.expectLast(values) }
            }
            var written = 0
            while written < Self.writes {
                await write(from: written)
                written += Self.round
                await progress.waitForAll(Self.consumers)
            }
            // The last value, which every writer's numbers are below.
            memory.setValue(.integer(Int128(Self.writes + 1)), for: "number")
        }
        #expect(loader.number == Self.writes + 1)
    }

    /// One round: each writer writes the next of its own numbers, all at once.
    private func write(from written: Int) async {
        await withTaskGroup(of: Void.self) { writers in
            for writer in 0..<Self.writers {
                writers.addTask { [memory] in
                    let done = written / Self.writers
                    for step in done..<(done + Self.round / Self.writers) {
                        let number = writer * (Self.writes / Self.writers) + step + 1
                        memory.setValue(.integer(Int128(number)), for: "number")
                        if step % 32 == 0 { await Task.yield() }
                    }
                }
            }
        }
    }

    private static func expectEveryChange(
        _ start: FlagChanges<Int>.AsyncIterator, _ consumer: Int, _ progress: Progress
    ) async {
        var iterator = start
        var count = 0
        var previous = 0
        var isChain = true
        // Each writer counts upwards, so its numbers have to come in this order.
        var newest = [Int](repeating: 0, count: writers + 1)
        while let change = await iterator.next(isolation: #isolation) {
            isChain = isChain && change.old == previous
            previous = change.new
            if change.new > writes { break }
            count += 1
            let writer = (change.new - 1) / (writes / writers)
            isChain = isChain && change.new > newest[writer]
            newest[writer] = change.new
            if count % round == 0 { progress.arrive() }
        }
        #expect(isChain, "consumer \(consumer) saw changes that do not follow each other")
        #expect(count == writes, "consumer \(consumer) saw \(count) changes")
    }

    private static func expectLast(_ start: FlagValues<Int>.AsyncIterator) async {
        var iterator = start
        var value = -1
        while value <= writes, let next = await iterator.next(isolation: #isolation) { value = next }
        #expect(value == writes + 1)
    }

    /// Writers who wait for nobody: who does not keep up gets merged changes that still follow each other.
    @Test("end on the newest value when they do not keep up")
    func behind() async {
        let last = 10_000
        await withTaskGroup(of: Void.self) { group in
            for consumer in 1...4 {
                let start = loader.$number.changes.makeAsyncIterator()
                group.addTask {
                    var iterator = start
                    var previous = 0
                    var isChain = true
                    while previous != last, let change = await iterator.next(isolation: #isolation) {
                        isChain = isChain && change.old == previous && change.new > previous
                        previous = change.new
                    }
                    #expect(isChain, "consumer \(consumer)")
                    #expect(previous == last)
                }
            }
            group.addTask { [memory] in
                for number in 1...last { memory.setValue(.integer(Int128(number)), for: "number") }
            }
        }
    }
}

/// Counts the consumers that have read a round.
private final class Progress: Sendable {
    private let (arrived, continuation) = AsyncStream.makeStream(of: Void.self)

    func arrive() {
        continuation.yield()
    }

    /// Waits until so many have arrived since the last time.
    func waitForAll(_ count: Int) async {
        var iterator = arrived.makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
    }
}
