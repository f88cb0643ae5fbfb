import Synchronization

/// A consumer of changes: where its changes wait, and the loaders that they come from.
///
/// It counts as a listener for as long as it lives.
final class FlagChangeSubscription: Sendable {
    let buffer: FlagChangeBuffer
    private let sources = Mutex<[Source]>([])

    private struct Source {
        let loaded: LoadedFlags
        let interest: FlagChangeQueue.Interest
    }

    init(buffer: FlagChangeBuffer) {
        self.buffer = buffer
    }

    deinit {
        for source in sources.withLock({ $0 }) { end(source) }
    }

    private func end(_ source: Source) {
        let isLast = source.loaded.invalidator.queue.remove(buffer.signal, for: source.interest, follows: true)
        if isLast { source.loaded.changes.forget(source.loaded.invalidator.queue) }
    }

    /// Takes changes from a loader too; once is enough.
    ///
    /// It gets what happens after this call, and nothing of what happened before.
    func follow(
        _ loaded: LoadedFlags, _ ordinals: [Int], interest: FlagChangeQueue.Interest,
        place: FlagChangeConsumer.Place
    ) {
        let isNew = sources.withLock { sources in
            guard !sources.contains(where: { $0.loaded === loaded }) else { return false }
            sources.append(Source(loaded: loaded, interest: interest))
            return true
        }
        guard isNew else { return }
        loaded.invalidator.queue.add(buffer.signal, for: interest, follows: true)
        loaded.attach(ordinals, FlagChangeConsumer(buffer: buffer, place: place))
    }

    /// Stops taking changes from a loader.
    func leave(_ loaded: LoadedFlags) {
        let left = sources.withLock { sources in
            let left = sources.filter { $0.loaded === loaded }
            sources.removeAll { $0.loaded === loaded }
            return left
        }
        for source in left { end(source) }
    }

    /// Has what happened looked at.
    func drain() {
        let loaders = sources.withLock { $0.map { $0.loaded } }
        for loaded in loaders { loaded.drainChanges(rounds: 1) }
    }

    /// Waits for changes.
    ///
    /// - Returns: Batches with at least one change; `nil` once the task is cancelled, or if there is no loader.
    func next() async -> [[TrackedFlagChange]]? {
        while !Task.isCancelled {
            buffer.signal.clear()
            drain()
            let batches = buffer.take()
            if !batches.isEmpty { return batches }
            await buffer.signal.wait()
        }
        return nil
    }
}
