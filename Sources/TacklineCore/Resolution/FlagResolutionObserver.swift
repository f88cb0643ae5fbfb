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
    /// is passed on once and not at each read: again only after it was another one, in a new session, after the subject
    /// of its provider changed, after the ``repeatInterval``, or if its provider's answers may differ from task to task
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
        /// The number of changes of the subject before the flag was resolved.
        let subject: UInt64
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

    init(_ observers: [any FlagResolutionObserver]) {
        self.observers = observers
        state = Mutex(State(last: observers.map { _ in [:] }))
    }

    deinit { for timer in state.withLock({ $0.timers }) { timer.cancel() } }

    func beginSession() {
        for observer in observers { observer.sessionBegan() }
        // Only now, so that a value which another thread passes meanwhile is passed again.
        state.withLock { $0.last = observers.map { _ in [:] } }
    }

    /// Returns the number of changes of the subject of a chain's providers so far.
    func subjectNumber(of chain: FlagChain) -> UInt64 { chain.links.reduce(0) { $0 &+ $1.observer.subjectNumber } }

    /// Calls a closure each time the interval of an observer has passed, until it returns `false`.
    func repeatValues(_ invalidate: @escaping @Sendable () -> Bool) {
        let clock = Self.clock
        for (number, observer) in observers.enumerated() {
            guard let interval = observer.repeatInterval else { continue }
            let timer = Task.detached { [weak self] in
                while (try? await clock.sleep(for: max(interval, .milliseconds(1)))) != nil {
                    self?.state.withLock { $0.last[number] = [:] }
                    guard invalidate() else { return }
                }
            }
            state.withLock { $0.timers.append(timer) }
        }
    }

    /// Passes an answer on, to each observer that was not passed an equal one in the present interval.
    func pass(_ flag: FlagResolution<EncodedFlagValue>, _ ordinal: Int, subject: UInt64) {
        let answer = Answer(value: flag.value, source: flag.source, evaluation: flag.evaluation, subject: subject)
        let receivers = state.withLock { state in
            observers.indices.filter { number in
                state.last[number].updateValue(answer, forKey: ordinal) != answer || flag.isForTask
            }
        }
        guard !receivers.isEmpty else { return }
        // What the observers read is no use of flags.
        _ = Evaluation.run(nil, ordinal, isInspection: true) { _ in
            for number in receivers { observers[number].flagWasResolved(flag) }
        }
    }
}

extension LoaderCore {
    /// Begins to pass values again after the intervals of observers. Only slots are invalidated: no value changes.
    func repeatValuesForObservers() {
        resolutionObservers?.repeatValues { [weak self] in
            guard let self else { return false }
            for slot in slots { slot._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) } }
            return true
        }
    }

    /// Resolves a flag for a read and passes the answer to the loader's observers.
    func resolve(_ ordinal: Int, for observers: ResolutionObservers) -> FlagStep {
        // Before the providers are asked, so that a value for a former subject isn't taken for one of the present.
        let subject = observers.subjectNumber(of: chain)
        var step = resolvedStep(ordinal)
        guard !Evaluation.isInspecting else {
            // A cached value would be at hand for the next read, which would not be passed on.
            step.isLasting = false
            return step
        }
        let declaration = declarations[ordinal]
        var flag = FlagResolution(
            key: keyPaths[ordinal], value: declaration.encode(step.value ?? declaration.defaultValue) ?? .null,
            source: step.source, evaluation: evaluation(of: step, ordinal), metadata: metadata(of: ordinal, step))
        flag.declaration = declaration
        if case .provider(let link) = step.origin { flag.isForTask = link.traits.contains(.taskDependent) }
        observers.pass(flag, ordinal, subject: subject)
        return step
    }
}
