import Synchronization
import TacklineComputed
import TacklineCore
import TacklineTestSupport
import TacklineTesting

/// A provider that cannot tell changes and holds the next who asks it: so a test stops a thread that looks at changes.
final class HeldAnswer: Sendable {
    private let isHolding = Atomic<Bool>(false)
    private let gate = FlagGate()

    var provider: ComputedProvider {
        ComputedProvider { [self] _ in
            let (isHeld, _) = isHolding.compareExchange(
                expected: true, desired: false, ordering: .acquiringAndReleasing)
            if isHeld { gate.passBlocking() }
            return nil
        }
    }

    /// Runs a body while another thread is held. What makes that thread ask is the other closure.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the thread asks.
    func whileHeld(_ ask: @escaping @Sendable () -> Void, _ body: () -> Void) async throws(CancellationError) {
        gate.close()
        isHolding.store(true, ordering: .releasing)
        let arrivals = gate.arrivals
        async let end: Void = onThreads([ask])
        do {
            defer { gate.open() }
            try await gate.waitForArrivals(arrivals + 1)
            body()
        }
        await end
    }
}
