import Synchronization

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

    func wake() { marks.signal.wake() }
}
