import Dispatch
import Synchronization

/// Tells that a file may have changed, by whatever means there are, for as long as it lives.
///
/// Where the folder of the file is not there yet, or cannot be watched, it asks again and again.
package final class LocalFileWatcher: Sendable {
    private struct State {
        var places: WatchedPlaces?
        var events: FolderEvents?
    }

    private let path: String
    private let interval: Duration
    private let usesEvents: Bool
    private let onChange: @Sendable () -> Void
    private let queue = DispatchQueue(label: "tackline.local-file")
    private let state = Mutex(State())
    private let isScheduled = Atomic<Bool>(false)
    private let isPolling = Atomic<Bool>(false)

    /// Makes a watcher; ``start()`` sets it to work.
    ///
    /// - Parameters:
    ///   - path: The file; it may be a symbolic link, and need not exist.
    ///   - usesEvents: Whether to use what the operating system tells, where it does.
    ///   - interval: How often to look where it does not.
    ///   - onChange: Called on a serial queue, also without cause. It may take its time.
    package init(path: String, usesEvents: Bool, interval: Duration, onChange: @escaping @Sendable () -> Void) {
        self.path = path
        self.usesEvents = usesEvents
        // A shorter interval would keep a processor busy.
        self.interval = max(interval, .milliseconds(10))
        self.onChange = onChange
    }

    /// Starts watching. What changes from now on is told.
    package func start() {
        if !connect() { poll() }
    }

    /// Watches the places where a change can show now.
    ///
    /// - Returns: `false` if they cannot be watched.
    private func connect() -> Bool {
        guard usesEvents else { return false }
        let places = WatchedPlaces(of: path)
        let isReliable = places?.folders.allSatisfy { FolderEvents.areReliable(for: $0) } ?? false
        let old: FolderEvents?
        let isConnected: Bool
        (old, isConnected) = state.withLock { state in
            if isReliable, places == state.places { return (nil, state.events != nil) }
            let old = state.events
            state.places = places
            state.events = isReliable ? places.flatMap { FolderEvents($0) { [weak self] in self?.schedule() } } : nil
            return (old, state.events != nil)
        }
        // Let go outside of the lock, after the new ones are in force, so that nothing is missed between them.
        withExtendedLifetime(old) {}
        return isConnected
    }

    /// Looks at the file soon, and once for many events.
    private func schedule() {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [weak self] in self?.look() }
    }

    private func look() {
        isScheduled.store(false, ordering: .sequentiallyConsistent)
        let isConnected = connect()
        onChange()
        if !isConnected { poll() }
    }

    /// Looks again after the interval, unless that is arranged already.
    private func poll() {
        guard !isPolling.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.asyncAfter(deadline: .now() + interval.timeInterval) { [weak self] in
            guard let self else { return }
            isPolling.store(false, ordering: .sequentiallyConsistent)
            look()
        }
    }
}

extension Duration {
    /// The duration for Dispatch: zero if it is negative, and at most 2³⁰ seconds (34 years).
    var timeInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 30 else { return .seconds(1 << 30) }
        guard seconds >= 0, attoseconds >= 0 else { return .nanoseconds(0) }
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
