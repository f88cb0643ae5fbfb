import Synchronization
import TacklineCore
import Testing

@testable import TacklineUserDefaults

@Suite("The board of known user defaults")
struct DefaultsBoardTests {
    @Test("tells of a value that a reader got and that was changed back before the next look")
    func changedBack() async {
        let board = DefaultsBoard()
        let (observer, notices) = FlagProviderObserver.makeStream()
        board.observe(observer)
        let stored = Mutex<EncodedFlagValue?>(1)
        #expect(board.learn("number") { stored.withLock { $0 } })
        #expect(board.read("number") { stored.withLock { $0 } } == 1)
        stored.withLock { $0 = 2 }
        #expect(board.read("number") { stored.withLock { $0 } } == 2)
        stored.withLock { $0 = 1 }
        board.update { _ in stored.withLock { $0 } }
        var iterator = notices.makeAsyncIterator()
        #expect(
            await iterator.next(isolation: #isolation) == .changed([FlagProviderChange(key: "number", old: 1, new: 2)]))
        #expect(
            await iterator.next(isolation: #isolation) == .changed([FlagProviderChange(key: "number", old: 2, new: 1)]))
    }
}
