import Synchronization

/// Calls back when a moment has come; the last one that was set, and nothing before it.
final class MomentTimer: Sendable {
    private struct State {
        /// Of which version of what is waited for the moment was worked out.
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

    /// Waits for another moment, or for none, unless a later version did already.
    ///
    /// - Parameter action: Called once, from a task of its own.
    func set(_ delay: Duration?, version: Int, action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard version >= state.version else { return }
            state.version = version
            state.wait?.cancel()
            state.wait = nil
            guard let delay else { return }
            let clock = clock
            state.wait = Task {
                do { try await clock.sleep(for: delay) } catch { return }
                guard !Task.isCancelled else { return }
                action()
            }
        }
    }
}
