import Synchronization

/// The changes that one consumer has not read yet, and the signal that wakes it.
final class FlagChangeBuffer: Sendable {
    private struct State {
        /// Batches share their storage with the buffers of other consumers.
        var batches: [[TrackedFlagChange]] = []
        var count = 0
        /// How many there are at least before it is worth merging again.
        var mergeAt: Int
    }

    let signal = FlagSignal()
    private let state: Mutex<State>
    private let limit: Int
    private let isIncluded: (@Sendable (TrackedFlagChange) -> Bool)?

    /// - Parameters:
    ///   - limit: How many changes wait at most before they are merged.
    ///   - isIncluded: Which changes the consumer is for; `nil` for all.
    init(limit: Int, isIncluded: (@Sendable (TrackedFlagChange) -> Bool)? = nil) {
        self.limit = max(limit, 1)
        self.isIncluded = isIncluded
        state = Mutex(State(mergeAt: max(limit, 1)))
    }

    /// Adds changes and wakes the consumer.
    func publish(_ changes: [TrackedFlagChange]) {
        let batch = isIncluded.map { changes.filter($0) } ?? changes
        guard !batch.isEmpty else { return }
        let replaced = state.withLock { state in
            state.batches.append(batch)
            state.count += batch.count
            guard state.count > state.mergeAt else { return [[TrackedFlagChange]]() }
            let replaced = state.batches
            let merged = FlagChangeBuffer.merged(replaced)
            state.batches = [merged]
            state.count = merged.count
            // More flags than the limit cannot be merged below their number.
            state.mergeAt = max(limit, merged.count * 2)
            return replaced
        }
        // Values may own anything, so they go outside of the lock.
        withExtendedLifetime(replaced) {}
        var wakes = FlagWakes()
        signal.mark(waking: &wakes)
        wakes.wake()
    }

    /// Takes everything, in order.
    func take() -> [[TrackedFlagChange]] {
        state.withLock { state in
            defer {
                state.batches = []
                state.count = 0
                state.mergeAt = limit
            }
            return state.batches
        }
    }

    /// One change for each flag, from the oldest value to the newest, in the order of the newest. Flags that are back
    /// at their old value have none.
    private static func merged(_ batches: [[TrackedFlagChange]]) -> [TrackedFlagChange] {
        var merged: [TrackedFlagChange.Identity: (position: Int, change: TrackedFlagChange)] = [:]
        var position = 0
        for change in batches.joined() {
            position += 1
            guard var known = merged[change.identity] else {
                merged[change.identity] = (position, change)
                continue
            }
            known.change.merge(change)
            merged[change.identity] = (position, known.change)
        }
        return merged.values.filter { !$0.change.isEmpty }.sorted { $0.position < $1.position }.map { $0.change }
    }
}
