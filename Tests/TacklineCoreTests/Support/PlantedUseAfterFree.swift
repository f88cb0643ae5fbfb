import Foundation
import TacklineTestSupport
import Testing

/// A mistake that Address Sanitizer has to find.
///
/// `.ci/run` runs it in a process of its own and expects it to fail. This shows that the sanitizer would also find mistakes in
/// the other tests.
@Suite("Address Sanitizer finds", .hangLimit) struct PlantedUseAfterFree {
    private static let planted = ProcessInfo.processInfo.environment["TACKLINE_PLANT"]

    @Test("a use after free", .enabled(if: planted == "use-after-free", "runs only when asked for"))
    func useAfterFree() {
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: 4)
        memory.initialize(repeating: 1, count: 4)
        memory.deallocate()
        #expect(memory[2] != 5)
    }
}
