import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct TakenFlags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A byte") var byte: UInt8
    @Flag(default: 0, description: "A word") var word: Int
    @Flag(default: "", description: "A node") var text: String
    @Flag(default: "", description: "A value for which the slot has no node left") var unique: String
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
                        let (byte, word, text, unique) = (copy.byte, copy.word, copy.text, copy.unique)
                        let isOwn =
                            (byte == UInt8(number % 200) || byte == 0) && (word == number || word == 0)
                            && (text == "text \(number % 12) of this loader" || text == "")
                            && (unique == "text \(number) of this loader alone" || unique == "")
                        if !isOwn { foreign.withLock { $0.append("\(number): \(byte) \(word) \(text) \(unique)") } }
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
                        "unique": .string("text \(number) of this loader alone"),
                    ])
                    let loader = FlagsLoader(TakenFlags.self, providers: [provider], issueReporter: .silent)
                    _ = (loader.byte, loader.word, loader.text, loader.unique)
                    stray.withLock { $0 = (number, loader.flags) }
                    // The slots are invalidated and answered again while others read.
                    provider.setValue(nil, for: "word")
                    provider.setValue(integer, for: "word")
                    _ = (loader.byte, loader.word, loader.text, loader.unique)
                    // Some thread reads the copy. Another one may be suspended between its loads.
                    let count = readCount.load(ordering: .acquiring)
                    while readCount.load(ordering: .acquiring) < count + 2 {}
                }
                isDone.store(true, ordering: .releasing)
            },
        ])
        #expect(foreign.withLock { $0 } == [])
    }
}
