import Foundation
import Synchronization
import TacklineComputed
import TacklineCore

/// A provider that cannot tell changes and holds the next who asks it: so a test stops a thread that looks at changes.
final class HeldAnswer: Sendable {
    private let isHolding = Atomic<Bool>(false)
    private let arrival = DispatchSemaphore(value: 0)
    private let release = DispatchSemaphore(value: 0)

    var provider: ComputedProvider {
        ComputedProvider { [self] _ in
            let (isHeld, _) = isHolding.compareExchange(
                expected: true, desired: false, ordering: .acquiringAndReleasing)
            if isHeld {
                arrival.signal()
                release.wait()
            }
            return nil
        }
    }

    /// Runs a body while another thread is held. What makes that thread ask is the other closure.
    func whileHeld(_ ask: @escaping @Sendable () -> Void, _ body: () throws -> Void) rethrows {
        isHolding.store(true, ordering: .releasing)
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            ask()
            end.signal()
        }
        thread.start()
        arrival.wait()
        defer {
            release.signal()
            end.wait()
        }
        try body()
    }
}
