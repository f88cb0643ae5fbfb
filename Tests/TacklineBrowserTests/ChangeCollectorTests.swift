import Dispatch
import Foundation
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

@Suite("Changes that are looked for", .hangLimit)
struct ChangeCollectorTests {
    /// Has no values, and takes its time to say so where a test wants that.
    private final class SlowProvider: FlagProvider {
        let name = "slow"
        let entered = DispatchSemaphore(value: 0)
        let leave = DispatchSemaphore(value: 0)
        let isSlow = Atomic<Bool>(false)

        func value(for key: FlagKeyPath) -> EncodedFlagValue? {
            if isSlow.exchange(false, ordering: .acquiringAndReleasing) {
                entered.signal()
                leave.wait()
            }
            return nil
        }

        func observe(_ observer: FlagProviderObserver) -> Bool { true }
    }

    @Test("are waited for where another thread is just looking at them")
    func settling() async throws {
        let slow = SlowProvider()
        let memory = MemoryProvider()
        let loader = FlagsLoader(BrowserFlags.self, providers: [slow, memory])
        let collector = ChangeCollector(try #require(loader.root.changeQueue()))
        collector.prepare()
        slow.isSlow.store(true, ordering: .releasing)
        memory.setValue(7, for: "attempts")
        Thread.detachNewThread { collector.prepare() }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                slow.entered.wait()
                continuation.resume()
            }
        }
        // The change is not found yet, and somebody who does not wait takes nothing.
        collector.prepare()
        #expect(collector.isBusy && collector.take().isEmpty)
        let isFree = Mutex(false)
        async let wasFree: Bool = {
            await collector.settle()
            return isFree.withLock { $0 }
        }()
        for _ in 0..<100 { await Task.yield() }
        isFree.withLock { $0 = true }
        slow.leave.signal()
        #expect(await wasFree)
        #expect(collector.take().map(\.new.encoded) == [7])
    }
}
