import Synchronization

/// A timer that calls a closure at a moment. Only the moment that was set last counts.
final class MomentTimer: Sendable {
    private struct State {
        /// The version for which the moment was computed.
        var version = 0
        var wait: Task<Void, Never>?
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    deinit {
        state.withLock { $0.wait?.cancel() }
    }

    /// Waits for another moment in place of the one before, unless that one belongs to a later version.
    ///
    /// - Parameters:
    ///   - delay: The time to wait; `nil` to wait for nothing.
    ///   - version: A number that grows with each change of the data from which the moment was computed.
    ///   - action: The closure to call once, from a task of its own, unless another moment replaces this one.
    func set(_ delay: Duration?, version: Int, action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard version >= state.version else { return }
            state.version = version
            state.wait?.cancel()
            state.wait = nil
            guard let delay else { return }
            state.wait = wait(delay, with: clock, action)
        }
    }

    /// Starts a task that waits. The delay counts from the call, not from the start of the task.
    private func wait<C: Clock<Duration>>(
        _ delay: Duration, with clock: C, _ action: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        let deadline = clock.now.advanced(by: delay)
        return Task {
            do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
            guard !Task.isCancelled else { return }
            action()
        }
    }
}
