import Foundation
import Testing

/// Mistakes that a sanitizer has to find. `.ci/run` runs each in a test process of its own and wants it to fail, so that
/// a sanitizer which finds nothing in the other tests is known to look.
@Suite("A sanitizer finds") struct PlantedMistakes {
    private static let planted = ProcessInfo.processInfo.environment["TACKLINE_PLANT"]

    /// Unprotected on purpose.
    private final class Unprotected: @unchecked Sendable {
        var count = 0
    }

    @Test("a race between two threads", .enabled(if: planted == "race", "runs only when asked for"))
    func race() {
        let unprotected = Unprotected()
        let work: @Sendable () -> Void = { for _ in 0..<1_000_000 { unprotected.count += 1 } }
        onThreads([work, work])
        #expect(unprotected.count > 0)
    }

    @Test("a use after free", .enabled(if: planted == "use-after-free", "runs only when asked for"))
    func useAfterFree() {
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: 4)
        memory.initialize(repeating: 1, count: 4)
        memory.deallocate()
        #expect(memory[2] != 5)
    }
}
