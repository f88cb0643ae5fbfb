import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

/// A value whose halves are equal, so that a mixture of two values is recognized.
private struct Pair: Codable, FlagValue, Equatable {
    var number = 0
    var text = "number 0 in a text beyond fifteen bytes"

    init() {}

    init(_ number: Int) {
        self.number = number
        text = "number \(number) in a text beyond fifteen bytes"
    }

    var isWhole: Bool { self == Pair(number) }
}

private struct InnerFlags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A nested word") var deep: Int
}

private struct SharedFlags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A payload") var small: UInt16
    @Flag(default: 0, description: "A word") var word: Int
    @Flag(default: Pair(), description: "A node") var pair: Pair
    @Flag(default: "", description: "A node that outlives its loader's slot") var text: String
    @FlagCollection(description: "Nested") var inner: InnerFlags
}

/// `.ci/run` runs these tests under Thread Sanitizer and Address Sanitizer. They check the same without them.
@Suite("Flags used by many threads at once", .needsTheMachine) struct ConcurrencyTests {
    private let memory = MemoryProvider()
    private let steps = 2000

    private func makeLoader(_ providers: [any FlagProvider]) -> FlagsLoader<SharedFlags> {
        FlagsLoader(SharedFlags.self, providers: providers, issueReporter: .silent)
    }

    @Test("give each reader whole values in the order in which they were written")
    func monotonic() async throws {
        let loader = makeLoader([MemoryProvider(), memory])
        let isDone = Atomic<Bool>(false)
        let wrong = Mutex<[String]>([])
        let reader: @Sendable () -> Void = {
            var last = (small: UInt16(0), word: 0, pair: 0, deep: 0)
            let handle = loader.$word
            while !isDone.load(ordering: .acquiring) {
                let (small, word, pair) = (loader.small, loader.word, loader.pair)
                let (again, deep) = (handle.value, loader.inner.deep)
                if small < last.small || word < last.word || again < word || pair.number < last.pair || deep < last.deep
                    || !pair.isWhole
                {
                    wrong.withLock { $0.append("\(last) then \(small) \(word) \(again) \(pair) \(deep)") }
                }
                last = (small, again, pair.number, deep)
            }
        }
        await onThreads([
            reader, reader, reader,
            {
                for step in 1...steps {
                    let number = EncodedFlagValue.integer(Int128(step))
                    memory.setValue(number, for: "small")
                    memory.setValue(number, for: "word")
                    memory.setValue(number, for: "inner/deep")
                    // A few values that recur, which the slot keeps, and then values that are always new.
                    guard let pair = try? Pair(step / 40).encoded else { continue }
                    memory.setValue(pair, for: "pair")
                }
                isDone.store(true, ordering: .releasing)
            },
        ])
        #expect(wrong.withLock { $0 } == [])
        #expect(loader.word == steps && loader.small == UInt16(steps) && loader.inner.deep == steps)
        #expect(loader.pair == Pair(steps / 40))
    }

    @Test("give no value that is older than one whose write had returned")
    func nothingStale() async {
        let loader = makeLoader([memory])
        let written = Atomic<Int>(0)
        let stale = Atomic<Int>(0)
        let reader: @Sendable () -> Void = {
            var known = 0
            while known < steps {
                known = written.load(ordering: .acquiring)
                if loader.word < known { stale.add(1, ordering: .relaxed) }
                if loader.text.utf8.count < known { stale.add(1, ordering: .relaxed) }
            }
        }
        await onThreads([
            reader, reader,
            {
                var text = ""
                for step in 1...steps {
                    text.append("x")
                    memory.setValues(["word": .integer(Int128(step)), "text": .string(text)])
                    written.store(step, ordering: .releasing)
                }
            },
        ])
        #expect(stale.load(ordering: .relaxed) == 0)
    }

    @Test("show each writer its own write at once")
    func readYourWrite() async {
        let loader = makeLoader([memory])
        let missed = Atomic<Int>(0)
        @Sendable func text(_ step: Int) -> String { "text \(step) that takes more than fifteen bytes" }
        let writers: [@Sendable (Int) throws -> Bool] = [
            { step in
                try loader.$word.setValue(step)
                return loader.word == step
            },
            { step in
                try loader.$text.setValue(text(step))
                return loader.$text.value == text(step)
            },
            { step in
                loader.inner.$deep.setDefault(step)
                return loader.inner.deep == step
            },
            { step in
                memory.setValue(step.isMultiple(of: 2) ? nil : .integer(Int128(step)), for: "small")
                return Int(loader.small) == (step.isMultiple(of: 2) ? 0 : step)
            },
        ]
        await onThreads(
            writers.map { isSeen in
                { for step in 1...steps where (try? isSeen(step)) != true { missed.add(1, ordering: .relaxed) } }
            })
        #expect(missed.load(ordering: .relaxed) == 0)
    }

    @Test("take whole chains while the chain changes during reads")
    func chainChanges() async {
        let low = MemoryProvider(name: "low", values: ["word": 1, "text": "the low provider's text"])
        let high = MemoryProvider(name: "high", values: ["word": 2, "text": "the high provider's text"])
        let loader = makeLoader([low])
        let isDone = Atomic<Bool>(false)
        let wrong = Atomic<Int>(0)
        let reader: @Sendable () -> Void = {
            let texts: Set = ["", "the low provider's text", "the high provider's text"]
            while !isDone.load(ordering: .acquiring) {
                if !(0...2).contains(loader.word) || !texts.contains(loader.text) { wrong.add(1, ordering: .relaxed) }
                if loader.providers.count > 2 { wrong.add(1, ordering: .relaxed) }
                _ = loader.$word.explain()
            }
        }
        await onThreads([
            reader, reader,
            {
                for _ in 0..<(steps / 4) {
                    loader.providers = [high, low]
                    if loader.word != 2 || !loader.text.contains("high") { wrong.add(1, ordering: .relaxed) }
                    loader.providers = [low]
                    if loader.word != 1 || !loader.text.contains("low") { wrong.add(1, ordering: .relaxed) }
                    loader.providers = []
                    if loader.word != 0 || loader.text != "" { wrong.add(1, ordering: .relaxed) }
                }
                isDone.store(true, ordering: .releasing)
            },
            {
                while !isDone.load(ordering: .acquiring) { low.setValue("another key", for: "somewhere/else") }
            },
        ])
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test("appear in snapshots with all values of one commit")
    func snapshots() async {
        let loader = makeLoader([MemoryProvider(), memory])
        let isDone = Atomic<Bool>(false)
        let torn = Atomic<Int>(0)
        let reader: @Sendable () -> Void = {
            while !isDone.load(ordering: .acquiring) {
                let snapshot = loader.snapshot()
                if snapshot.value(for: "word") != snapshot.value(for: "inner/deep") { torn.add(1, ordering: .relaxed) }
            }
        }
        await onThreads([
            reader, reader,
            {
                for step in 1...steps {
                    let number = EncodedFlagValue.integer(Int128(step))
                    memory.setValues(["word": number, "inner/deep": number])
                }
                isDone.store(true, ordering: .releasing)
            },
        ])
        #expect(torn.load(ordering: .relaxed) == 0)
        #expect(loader.snapshot().value(for: "word") == .integer(Int128(steps)))
    }
}
