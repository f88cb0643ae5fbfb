package import Dispatch
import Synchronization

/// A watcher that reports possible changes of a file while it exists.
///
/// It watches every folder in which a name of the path is looked up, through every symbolic link, as far as these
/// folders exist. If one of them can't be watched, it polls.
package final class FileWatcher: Sendable {
    private struct State {
        var watched: FollowedPath?
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

    /// Creates a watcher, which is inactive until ``start()`` is called.
    ///
    /// - Parameters:
    ///   - path: The path of the file. It may contain symbolic links, and nothing on it needs to exist.
    ///   - usesEvents: Whether to use the operating system's events, if they are available.
    ///   - interval: The interval for polling if they are not.
    ///   - onChange: Called on a serial queue, possibly without a change. It may block.
    package init(path: String, usesEvents: Bool, interval: Duration, onChange: @escaping @Sendable () -> Void) {
        self.path = path
        self.usesEvents = usesEvents
        // A shorter interval would keep a processor busy.
        self.interval = max(interval, .milliseconds(10))
        self.onChange = onChange
    }

    /// Starts watching. Changes from now on are reported.
    package func start() {
        if !connect() { poll() }
    }

    /// Checks that the watched folders match the path, after the file was read or written.
    ///
    /// Events do the same. This covers changes without an event, such as a file system that is mounted over a folder.
    package func follow() {
        guard usesEvents else { return }
        let path = FollowedPath(path)
        if state.withLock({ $0.events != nil && $0.watched != path }) { schedule() }
    }

    /// Watches the folders and the file that the path leads to now.
    ///
    /// - Returns: `false` if they can't be watched.
    private func connect() -> Bool {
        guard usesEvents else { return false }
        // The path may change before it is watched, so it is followed again.
        for _ in 0..<100 {
            let path = FollowedPath(path)
            let (watched, events) = state.withLock { ($0.watched, $0.events) }
            if let events, watched == path, events.isIntact { return true }
            let isReliable =
                events != nil && watched?.devices == path.devices || FolderEvents.areReliable(for: path)
            let new = isReliable ? FolderEvents(path) { [weak self] in self?.schedule() } : nil
            // The old events are released outside the lock, after the new ones are active, so that nothing is missed in
            // between.
            let old = state.withLock { state in
                let old = state.events
                (state.watched, state.events) = (path, new)
                return old
            }
            withExtendedLifetime(old) {}
            if new == nil { return false }
        }
        return false
    }

    /// Schedules one check of the file for any number of events.
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

    /// Schedules a check after the interval, unless one is already scheduled.
    private func poll() {
        guard !isPolling.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.asyncAfter(deadline: .now() + interval.timeInterval) { [weak self] in
            guard let self else { return }
            isPolling.store(false, ordering: .sequentiallyConsistent)
            look()
        }
    }
}

extension FollowedPath {
    /// The devices of the folders on the path.
    fileprivate var devices: [UInt64] { folders.map(\.place.device) }
}

extension Duration {
    /// The duration for Dispatch: zero if it is negative, and at most 2³⁰ seconds (34 years).
    package var timeInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 30 else { return .seconds(1 << 30) }
        guard seconds >= 0, attoseconds >= 0 else { return .nanoseconds(0) }
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
