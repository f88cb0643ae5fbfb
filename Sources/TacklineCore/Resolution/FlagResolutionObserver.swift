import Synchronization

/// An observer of the values that reads are given.
///
/// ```swift
/// import Tackline
///
/// struct Printer: FlagResolutionObserver {
///     func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) { print(flag.key, flag.source) }
/// }
///
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides], observers: [Printer()])
/// ```
///
/// Exposures, metrics and traces are recorded by such observers. A loader without observers pays nothing for them.
public protocol FlagResolutionObserver: Sendable {
    /// The time after which a value that is still read is passed on again, although it is the same; `nil` for never,
    /// which is the default.
    ///
    /// For an observer that has to know whether flags are still read. In between, a read whose value is at hand costs
    /// nothing more. It is asked for once, when a loader is made.
    var repeatInterval: Duration? { get }

    /// Receives a value that was not at hand when a flag was read, before the read returns it. It is `null` if it can't be
    /// encoded.
    ///
    /// The value may come from a provider, from the flag's closure, from a test's scope, or be the default. Each value
    /// is passed on once and not at each read: again only after it was another one, in a new session, after a change of
    /// the subject or the mode, after the ``repeatInterval``, or if its provider's answers may differ from task to task
    /// (``FlagProviderTraits/taskDependent``). Explanations, resolutions, snapshots and browsers inspect values and pass
    /// on none; the sequence `values` of a flag gives out values as a read does.
    ///
    /// It is called during the read, on any thread and under no lock, so it must return at once. Reads of flags in it
    /// are not passed on to any observer.
    func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>)

    /// Receives the beginning of a new session (``FlagsLoader/beginSession()``), before values are passed on again. The
    /// default does nothing.
    func sessionBegan()
}

extension FlagResolutionObserver {
    /// The default, `nil`: a value that stays the same is passed on once.
    public var repeatInterval: Duration? { nil }

    /// Does nothing.
    public func sessionBegan() {}
}

/// The observers of a loader, and the last answer that was passed on for each flag.
package final class ResolutionObservers: Sendable {
    private struct Answer: Equatable {
        let value: EncodedFlagValue
        let source: FlagSource
        let evaluation: FlagEvaluation?
        /// The number of the session, which also advances with a change of the subject.
        let session: UInt64
    }

    private struct State {
        /// The last answer that each observer was passed of each flag, in its present interval.
        var last: [[Int: Answer]]
        var timers: [Task<Void, Never>] = []
    }

    /// The clock of intervals, which tests replace.
    @TaskLocal package static var clock: any Clock<Duration> = ContinuousClock()

    private let observers: [any FlagResolutionObserver]
    private let state: Mutex<State>

    init?(_ observers: [any FlagResolutionObserver], _ tracker: FlagChangeTracker) {
        guard !observers.isEmpty else { return nil }
        self.observers = observers
        state = Mutex(State(last: observers.map { _ in [:] }))
        let clock = Self.clock
        for (number, observer) in observers.enumerated() {
            guard let interval = observer.repeatInterval else { continue }
            let timer = Task.detached { [weak self] in
                while (try? await clock.sleep(for: max(interval, .milliseconds(1)))) != nil {
                    self?.state.withLock { $0.last[number] = [:] }
                    tracker.resolveAgain()
                }
            }
            state.withLock { $0.timers.append(timer) }
        }
    }

    deinit { for timer in state.withLock({ $0.timers }) { timer.cancel() } }

    func beginSession() { for observer in observers { observer.sessionBegan() } }

    /// Passes an answer on, to each observer that was not passed an equal one in the present interval.
    ///
    /// - Parameter isForTask: Whether the value may be that of the current task only, so that it is passed each time.
    func pass(_ flag: FlagResolution<EncodedFlagValue>, _ ordinal: Int, session: UInt64, isForTask: Bool) {
        let answer = Answer(value: flag.value, source: flag.source, evaluation: flag.evaluation, session: session)
        let receivers = state.withLock { state in
            observers.indices.filter { number in
                state.last[number].updateValue(answer, forKey: ordinal) != answer || isForTask
            }
        }
        guard !receivers.isEmpty else { return }
        // What the observers read is no use of flags.
        Evaluation.run(nil, ordinal, isInspection: true) { _ in
            for number in receivers { observers[number].flagWasResolved(flag) }
        }
    }
}
