import Foundation
import Synchronization
import TacklineTestSupport
import Testing

/// A mistake that Thread Sanitizer has to find.
///
/// `.ci/run` runs it in a process of its own and expects it to fail. This shows that the sanitizer would also find mistakes in
/// the other tests.
@Suite("Thread Sanitizer finds", .hangLimit) struct PlantedRace {
    private static let planted = ProcessInfo.processInfo.environment["TACKLINE_PLANT"]

    /// A variable without a lock, on purpose.
    private final class Unprotected: @unchecked Sendable {
        var count = 0
    }

    @Test("a race between two threads", .enabled(if: planted == "race", "runs only when asked for"))
    func race() async {
        let unprotected = Unprotected()
        let turn = Atomic<Int>(0)
        // The threads take turns, so that their accesses are close. A relaxed counter orders no accesses.
        let works: [@Sendable () -> Void] = (0..<2).map { number in
            {
                for _ in 0..<50 {
                    while turn.load(ordering: .relaxed) % 2 != number {}
                    unprotected.count += 1
                    turn.add(1, ordering: .relaxed)
                }
            }
        }
        await onThreads(works)
        #expect(unprotected.count > 0)
    }
}
