import Synchronization
import TacklineCore
import TacklineTestSupport
import Testing

@testable import TacklineUserDefaults

@Suite("The board of known user defaults")
struct DefaultsBoardTests {
    @Test("releases old values outside of the lock that a read takes")
    func released() {
        let (board, releases) = (DefaultsBoard(), Counter())
        func value() -> EncodedFlagValue {
            .released {
                _ = board.read("other") { nil }
                _ = releases.next()
            }
        }
        #expect(board.learn("number") { value() })
        #expect(board.read("number") { 2 } == 2)
        board.update { _ in value() }
        board.update { _ in 3 }
        #expect(releases.count == 2)
    }

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
