import Synchronization

/// A consumer of the changes of some flags: what it saw last of each, and which ones it has to look at again.
///
/// Nothing is recorded of what happens in between. A marked flag is read when its change is handed out, and compared with
/// what was seen last.
package final class FlagsFollower: Sendable {
    /// A change, without the flag's type.
    struct Change {
        let flag: FlagReference
        let old: Seen
        let new: Seen
        let source: FlagSource
    }

    struct Seen {
        let value: ErasedFlagValue
        /// What values are compared by; `nil` where a hand-written `encode(to:)` throws.
        let encoded: EncodedFlagValue?
    }

    private struct Source {
        let core: LoaderCore
        let listener: FlagMarksListener
        /// The flag for which the board tells the listener; `nil` for all.
        let place: Int?
        /// What was seen last, by ordinal.
        var seen: [Int: Seen]
    }

    private let marks = FlagMarks()
    /// By the number that marks carry.
    private let sources = Mutex([Int: Source]())
    private let lastNumber = Atomic<Int>(0)

    package init() {}

    /// Follows one flag; `nil` if there is none.
    convenience init?(of flag: FlagReference?) {
        guard let flag else { return nil }
        self.init()
        follow(flag.core, [flag.ordinal])
    }

    deinit {
        for source in sources.withLock({ Array($0.values) }) {
            source.core.board.remove(source.listener, for: source.place)
        }
    }

    // MARK: What it follows

    /// Follows a loader too; once is enough. What happened before this call is not told.
    ///
    /// - Parameter ordinals: The flags to follow; `nil` for all.
    package func follow(_ core: LoaderCore, _ ordinals: Set<Int>? = nil) {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let followed = ordinals.map { Array($0).inOrder { $0 } } ?? Array(core.ordinals)
        let computed = followed.filter { core.declaration(of: $0).isComputed }
        let listener = FlagMarksListener(marks, source: number, followed: ordinals, computed: computed)
        let place = followed.count == 1 && computed.isEmpty ? followed[0] : nil
        core.board.add(listener, for: place)
        let before = core.board.changeCount
        let looks = followed.map { ($0, FlagsFollower.look(at: FlagReference(core: core, ordinal: $0)).0) }
        let source = Source(
            core: core, listener: listener, place: place, seen: Dictionary(uniqueKeysWithValues: looks))
        let isNew = sources.withLock { sources in
            let isNew = !sources.values.contains { $0.core === core }
            if isNew { sources[number] = source }
            return isNew
        }
        guard isNew else { return core.board.remove(listener, for: place) }
        guard core.board.changeCount != before else { return }
        // The mark of a change during the look may have been passed over.
        var wakes = FlagWakes()
        for ordinal in followed { listener.mark(ordinal, waking: &wakes) }
        wakes.wake()
    }

    /// Stops following a loader.
    package func leave(_ core: LoaderCore) {
        let left = sources.withLock { sources in
            sources.first { $0.value.core === core }.flatMap { sources.removeValue(forKey: $0.key) }
        }
        if let left { core.board.remove(left.listener, for: left.place) }
    }

    // MARK: What it hands out

    /// Waits for a change. For one task at a time.
    ///
    /// - Returns: `nil` once the task is cancelled.
    func next() async -> Change? {
        while !Task.isCancelled {
            marks.signal.clear()
            if let change = nextMarked() { return change }
            await marks.signal.wait()
        }
        return nil
    }

    /// Waits until a flag is marked, or the task is cancelled. For one task at a time.
    package func wait() async { await marks.signal.wait() }

    /// Forgets that something was marked, so that the next wait is for what comes from now on. Look for changes after it.
    ///
    /// - Returns: Whether something was marked.
    @discardableResult
    package func clear() -> Bool { marks.signal.clear() }

    /// Whether a flag waits to be looked at.
    package var hasMarks: Bool { !marks.isEmpty }

    /// Returns the next change that is there already. It runs code of providers and flags' types, so call it outside of
    /// every lock, from one thread at a time.
    package func nextIfMarked() -> FlagReferenceChange? { nextMarked().map { FlagReferenceChange($0) } }

    private func nextMarked() -> Change? {
        // A writer that never pauses may overtake each look; then order yields to progress.
        var patience = 100
        while let place = marks.take() {
            guard let core = sources.withLock({ $0[place.source]?.core }) else { continue }
            let flag = FlagReference(core: core, ordinal: place.ordinal)
            let (new, source) = FlagsFollower.look(at: flag)
            if patience > 0, marks.isOvertaken(place) {
                patience -= 1
                continue
            }
            let old = sources.withLock { $0[place.source]?.seen.updateValue(new, forKey: place.ordinal) }
            // Values that have no neutral form cannot be compared, so each mark counts.
            guard let old, new.encoded == nil || old.encoded != new.encoded else { continue }
            return Change(flag: flag, old: old, new: new, source: source)
        }
        return nil
    }

    /// Returns the value that is in force outside of every scope, and where it comes from.
    private static func look(at flag: FlagReference) -> (Seen, FlagSource) {
        let found = FlagScope.withoutScope { flag.core.resolver.finding(flag.declaration, flag.ordinal) }
        return (Seen(value: found.value, encoded: flag.declaration.encode(found.value)), found.step.source)
    }
}

// MARK: What it has not looked at

/// The flags that one consumer has not looked at since they were marked, in the order of their last marks.
///
/// It keeps places and no values, so it is bounded by the number of flags, and filling it runs nobody's code. Safe from
/// any thread.
final class FlagMarks: Sendable {
    /// A flag of one of the consumer's loaders.
    struct Place: Hashable, Sendable {
        /// The consumer's number for the loader.
        let source: Int
        let ordinal: Int
    }

    private struct State {
        /// Marks in the order of their numbers; those that are not the last of their flag do not count any more.
        var marks: [(place: Place, number: UInt64)] = []
        /// Where the marks begin that were not taken yet.
        var head = 0
        /// The number of each waiting flag's last mark.
        var last: [Place: UInt64] = [:]
        var count: UInt64 = 0

        mutating func add(_ place: Place) {
            count += 1
            last[place] = count
            marks.append((place, count))
            guard marks.count > 2 * last.count + 32 else { return }
            marks = marks[head...].filter { last[$0.place] == $0.number }
            head = 0
        }

        /// The flag that was marked before all others that wait.
        mutating func first() -> Place? {
            while head < marks.count {
                let mark = marks[head]
                if last[mark.place] == mark.number { return mark.place }
                head += 1
            }
            marks.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
    }

    /// Raised by each mark.
    let signal = FlagSignal()
    private let state = Mutex(State())

    func add(_ place: Place, waking wakes: inout FlagWakes) {
        state.withLock { $0.add(place) }
        signal.mark(waking: &wakes)
    }

    /// Takes the flag that was marked before all others that wait; `nil` if none waits.
    func take() -> Place? {
        state.withLock { state in
            guard let place = state.first() else { return nil }
            state.last[place] = nil
            return place
        }
    }

    var isEmpty: Bool { state.withLock { $0.last.isEmpty } }

    /// Whether a flag that was taken has been marked again, and another one before that.
    ///
    /// What was read of it then may be newer than what waits before it, and is left for its new mark: that keeps the
    /// changes of different flags in the order in which they were made.
    func isOvertaken(_ place: Place) -> Bool {
        state.withLock { state in state.last[place] != nil && state.first() != place }
    }
}

/// Tells a consumer the marks of one of its loaders.
final class FlagMarksListener: FlagListener {
    private let marks: FlagMarks
    private let source: Int
    /// The flags that the consumer follows; `nil` for all.
    private let followed: Set<Int>?
    /// The computed ones among them: what they read may have changed with any mark.
    private let computed: [Int]

    init(_ marks: FlagMarks, source: Int, followed: Set<Int>?, computed: [Int]) {
        self.marks = marks
        self.source = source
        self.followed = followed
        self.computed = computed
    }

    func mark(_ ordinal: Int, waking wakes: inout FlagWakes) {
        if followed?.contains(ordinal) ?? true {
            marks.add(FlagMarks.Place(source: source, ordinal: ordinal), waking: &wakes)
        }
        for other in computed where other != ordinal {
            marks.add(FlagMarks.Place(source: source, ordinal: other), waking: &wakes)
        }
    }
}

/// Wakes one consumer, who then looks for what has happened; being woken for nothing does no harm.
///
/// A signal that is raised while nobody waits is kept, once.
final class FlagSignal: FlagWaking {
    private struct State {
        var isRaised = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Raises the signal, without waking a consumer that sleeps.
    ///
    /// - Parameter wakes: Takes the signal if the consumer sleeps and nobody is about to wake it.
    func mark(waking wakes: inout FlagWakes) {
        let isSleeping = state.withLock { state in
            defer { state.isRaised = true }
            return !state.isRaised && state.continuation != nil
        }
        if isSleeping { wakes.add(self) }
    }

    /// Wakes the consumer if it sleeps.
    func wake() {
        let continuation = state.withLock { $0.continuation.take() }
        continuation?.resume()
    }

    /// Forgets that the signal was raised. The consumer calls it before it looks at what has happened, so that what happens
    /// after the look is not slept through.
    ///
    /// - Returns: Whether it was raised.
    @discardableResult
    func clear() -> Bool {
        state.withLock { state in
            defer { state.isRaised = false }
            return state.isRaised
        }
    }

    /// Waits until the signal is raised or the task is cancelled. For one consumer at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRaised = state.withLock { state in
                    if !state.isRaised { state.continuation = continuation }
                    return state.isRaised
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.isRaised = true }
            wake()
        }
    }
}
