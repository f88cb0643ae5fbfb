import TacklineFoundation
import Synchronization

/// A value that a flag keeps until a new session begins, or for as long as its loader exists (``FlagUpdatePolicy``).
package struct PinnedFlagValue: Sendable {
    package let value: ErasedFlagValue
    /// The source of the value at the time when it was pinned.
    let source: FlagSource
    let evaluation: FlagEvaluation?
    /// Whether the value was made of that of a secret flag.
    let isSecret: Bool
    /// The number of the session or launch that the value is pinned for.
    let session: UInt64
    let since = Date()
}

/// Values of some flags by their ordinals. An array, since a launch needs longer to make a new type of dictionary.
struct FlagTable<Value: Sendable>: Sendable {
    private var values: [Value?] = []

    subscript(ordinal: Int) -> Value? { ordinal < values.count ? values[ordinal] : nil }

    /// Sets or removes a value and returns the former one.
    mutating func replace(_ ordinal: Int, by value: Value?) -> Value? {
        while values.count <= ordinal { values.append(nil) }
        defer { values[ordinal] = value }
        return values[ordinal]
    }
}

/// The pinned values of a loader. Call the methods from any thread.
package final class PinnedFlagValues: Sendable {
    private struct State {
        /// The numbers of the current session and launch.
        var session: UInt64 = 0
        var launch: UInt64 = 0
        /// Also values of earlier sessions, because no value may be released under the locks of providers.
        var values = FlagTable<PinnedFlagValue>()

        func session(for policy: FlagUpdatePolicy) -> UInt64 { policy == .session ? session : launch }
    }

    private let state = Mutex(State())

    /// Returns the value that is pinned for the current session or launch, or `nil`.
    package func value(of ordinal: Int, _ policy: FlagUpdatePolicy) -> PinnedFlagValue? {
        state.withLock { state in
            guard let pinned = state.values[ordinal] else { return nil }
            return pinned.session == state.session(for: policy) ? pinned : nil
        }
    }

    /// Pins a value, unless the flag is pinned already.
    ///
    /// - Returns: Whether the flag is pinned now. It isn't if the session of the new value is over.
    func pin(_ new: PinnedFlagValue, of ordinal: Int, _ policy: FlagUpdatePolicy) -> Bool {
        let (isPinned, replaced) = state.withLock { state -> (Bool, PinnedFlagValue?) in
            let session = state.session(for: policy)
            if state.values[ordinal]?.session == session { return (true, nil) }
            return new.session == session ? (true, state.values.replace(ordinal, by: new)) : (false, nil)
        }
        // Released outside the lock, because a value may own an object whose deinitializer reads flags.
        withExtendedLifetime(replaced) {}
        return isPinned
    }

    /// Removes the pinned value of a flag. The next read pins it again.
    ///
    /// - Parameter invalidate: Invalidates the flag, under the lock.
    func remove(_ ordinal: Int, invalidate: () -> Void) {
        let removed = state.withLock { state in
            invalidate()
            return state.values.replace(ordinal, by: nil)
        }
        withExtendedLifetime(removed) {}
    }

    func session(for policy: FlagUpdatePolicy) -> UInt64 { state.withLock { $0.session(for: policy) } }

    /// Ends the values that are pinned for a session and, because the subject has changed, those for a launch.
    ///
    /// - Parameter invalidate: Invalidates their flags, under the lock. So a thread that sees the new session never reads
    ///   a value of an earlier one.
    func endSession(andLaunch: Bool = false, invalidate: () -> Void) {
        state.withLock {
            $0.session += 1
            if andLaunch { $0.launch += 1 }
            invalidate()
        }
    }
}
