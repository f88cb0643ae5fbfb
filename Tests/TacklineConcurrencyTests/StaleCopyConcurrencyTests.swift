import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct TakenFlags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A byte") var byte: UInt8
    @Flag(default: 0, description: "A word") var word: Int
    @Flag(default: "", description: "A node") var text: String
}

@Suite("Copies of flags whose slots other loaders take", .needsTheMachine) struct StaleCopyConcurrencyTests {
    @Test("give a value of their own loader or the default, and never one of the loader that took their slots")
    func nothingForeign() async {
        let stray = Mutex((number: 0, flags: TakenFlags()))
        let readCount = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let foreign = Mutex<[String]>([])
        let reader: @Sendable () -> Void = {
            FlagIssueReporter.withReporter(.silent) {
                while !isDone.load(ordering: .acquiring) {
                    let (number, copy) = stray.withLock { $0 }
                    for _ in 0..<20 {
                        let (byte, word, text) = (copy.byte, copy.word, copy.text)
                        let isOwn =
                            (byte == UInt8(number % 200) || byte == 0) && (word == number || word == 0)
                            && (text == "text \(number % 12) of this loader" || text == "")
                        if !isOwn { foreign.withLock { $0.append("\(number): \(byte) \(word) \(text)") } }
                    }
                    readCount.add(1, ordering: .releasing)
                }
            }
        }
        await onThreads([
            reader, reader, reader,
            {
                for number in 1...1000 {
                    let integer = EncodedFlagValue.integer(Int128(number))
                    // Few texts, which the slot keeps in nodes.
                    let provider = MemoryProvider(values: [
                        "byte": .integer(Int128(number % 200)), "word": integer,
                        "text": .string("text \(number % 12) of this loader"),
                    ])
                    let loader = FlagsLoader(TakenFlags.self, providers: [provider], issueReporter: .silent)
                    _ = (loader.byte, loader.word, loader.text)
                    stray.withLock { $0 = (number, loader.flags) }
                    // The slots are invalidated and answered again while others read.
                    provider.setValue(nil, for: "word")
                    provider.setValue(integer, for: "word")
                    _ = (loader.byte, loader.word, loader.text)
                    // Some thread reads the copy. Another one may be suspended between its loads.
                    let count = readCount.load(ordering: .acquiring)
                    while readCount.load(ordering: .acquiring) < count + 2 {}
                }
                isDone.store(true, ordering: .releasing)
            },
        ])
        #expect(foreign.withLock { $0 } == [])
    }

    @Test("whose nodes recur give them again in later loaders")
    func recurringNodes() async {
        let values = (0..<8).map { "one of eight texts, which slots keep: \($0)" }
        let wrong = Atomic<Int>(0)
        await onThreads(
            (0..<3).map { thread in
                {
                    for number in 0..<1000 {
                        let text = values[(number + thread) % 8]
                        let provider = MemoryProvider(values: ["text": .string(text)])
                        let loader = FlagsLoader(TakenFlags.self, providers: [provider], issueReporter: .silent)
                        if loader.text != text || loader.text != text { wrong.add(1, ordering: .relaxed) }
                    }
                }
            })
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
