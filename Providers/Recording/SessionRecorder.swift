import Synchronization
import TacklineComposition
public import TacklineCore

/// A recorder of the values that an app reads in a session.
///
/// ```swift
/// let recorder = SessionRecorder()
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote], observers: [recorder])
/// try recorder.session.json().write(to: file)          // when somebody reports a fault
/// ```
///
/// It is an observer of a loader. Each value is kept that differs from the one before for the same flag and subject. A read
/// whose value is at hand costs nothing more. Flags whose metadata says that they are secret are left out. Nothing is
/// written by itself. Values may be private: ask before you send them.
public final class SessionRecorder: FlagResolutionObserver {
    private struct Place: Hashable {
        let key: FlagKeyPath
        /// The subject as a value, since texts are compared by their bytes there.
        let subject: EncodedFlagValue?
        /// The value, if it depends on the task and no subject distinguishes the tasks.
        let value: EncodedFlagValue?
    }

    private struct State {
        var recording = SessionRecording()
        /// The size of each step, in bytes.
        var sizes: [Int] = []
        var size = 0
        /// The last steps.
        var last: [Place: SessionRecording.Step] = [:]
    }

    private let maximumSteps: Int
    private let maximumSize: Int
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// Begins a recording.
    ///
    /// - Parameters:
    ///   - maximumSteps: The maximum number of steps. The oldest make room for new ones.
    ///   - maximumSize: The maximum size of the steps in bytes, as they are in a file.
    ///   - clock: The clock for the times of the steps.
    public init(
        maximumSteps: Int = 10_000, maximumSize: Int = 1 << 20, clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.maximumSteps = max(1, maximumSteps)
        self.maximumSize = max(1, maximumSize)
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// The recording so far.
    public var session: SessionRecording { state.withLock { $0.recording } }

    /// Records the value if it is new.
    public func flagWasResolved(_ flag: ResolvedFlag) {
        guard !flag.metadata.isSecret else { return }
        let subject = flag.details?.subject
        let place = Place(
            key: flag.key, subject: subject.map { .string($0) },
            value: flag.isForTask && subject == nil ? flag.value : nil)
        var step = SessionRecording.Step(
            at: elapsed(), key: flag.key, value: flag.value, source: flag.source, subject: subject)
        var size = step.size
        if size > maximumSize {
            step.value = nil
            size = step.size
        }
        // Values are released here, since a read takes the lock.
        var released: [Any] = []
        defer { withExtendedLifetime(released) {} }
        let new = step
        state.withLock { state in
            if let last = state.last[place], last.value == new.value, last.source == new.source { return }
            if state.last.count >= maximumSteps {
                released.append(state.last)
                state.last = [:]
            }
            if let old = state.last.updateValue(new, forKey: place) { released.append(old) }
            state.recording.steps.append(new)
            state.sizes.append(size)
            state.size += size
            // Two threads may come in another order than they looked at the clock.
            let index = state.recording.steps.count - 1
            if index > 0 { state.recording.steps[index].at = max(new.at, state.recording.steps[index - 1].at) }
            released.append(removeOldest(&state))
        }
    }

    /// Removes the oldest steps, some at once, if there are too many.
    private func removeOldest(_ state: inout State) -> [SessionRecording.Step] {
        guard state.sizes.count > maximumSteps || state.size > maximumSize else { return [] }
        var (count, size) = (0, state.size)
        while count < state.sizes.count - 1,
            state.sizes.count - count > maximumSteps - maximumSteps / 8 || size > maximumSize - maximumSize / 8
        {
            size -= state.sizes[count]
            count += 1
        }
        let removed = Array(state.recording.steps[..<count])
        state.recording.steps.removeFirst(count)
        state.recording.droppedSteps += count
        state.sizes.removeFirst(count)
        state.size = size
        return removed
    }
}
