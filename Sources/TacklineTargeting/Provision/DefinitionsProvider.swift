import Synchronization
public import TacklineCore

/// A provider whose values are rules: a document in flagd's format, evaluated for a context.
///
/// ```swift
/// let definitions = try FlagDefinitions(json: bytes)
/// let rules = DefinitionsProvider(definitions, context: .current(context))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, rules])
/// ```
///
/// The document comes from wherever you have it, usually from the app's bundle: this provider does no input or output. A flag
/// of the document is found under its key, `secrets/boom_feature`, or inside an object that is the value of the flag
/// `secrets`. A flag that is disabled, unknown, wrong, or without a variant for the context leaves the answer to the next
/// provider; ``evaluation(of:)`` says which it was and why.
///
/// Safe from any thread.
public final class DefinitionsProvider: FlagDocumentProvider, DetailedFlagProvider {
    /// Whom flags are evaluated for.
    public enum ContextSource: Sendable {
        /// Always this context.
        case fixed(EvaluationContext)
        /// The app's one context, which may change. Changes of it, as of the document, announce exactly the flags whose value
        /// is different, so a loader keeps the values, and reading a flag costs what it costs without rules.
        case current(CurrentContext)
        /// The context of the task in which a flag is read, as `withEvaluationContext` sets it;
        /// outside of that the fallback. Since every request has its own, no value is kept, and each read of a flag that
        /// reaches this provider evaluates its rule.
        case task(fallback: EvaluationContext = EvaluationContext())
    }

    private struct State: Sendable {
        var definitions: FlagDefinitions
        var context: EvaluationContext
    }

    /// What people call it, and its id in a chain.
    public let name: String

    private let source: ContextSource
    private let exposures: ExposureRecorder?
    /// What is evaluated, and for whom: always changed together, so that nobody gets a value made for someone else.
    private let state: Mutex<State>
    /// The values for ``state``, for telling what changes. Its writers' lock orders all changes.
    private let store = FlagProviderStore()

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - definitions: The document.
    ///   - name: What people call it, and its id in a chain.
    ///   - source: Whom flags are evaluated for.
    ///   - exposures: Told whenever a loader asks for a flag and is given a value or an error. A loader that keeps values asks
    ///     once after each change, so this is who has really been given a value, not who might be. Explaining a flag,
    ///     asking for its details, and reading all values at once do not count.
    public init(
        _ definitions: FlagDefinitions, name: String = "DefinitionsProvider", context source: ContextSource,
        exposures: ExposureRecorder? = nil
    ) {
        self.name = name
        self.source = source
        self.exposures = exposures
        let context =
            switch source {
            case .fixed(let context): context
            case .current(let current): current.context
            case .task(let fallback): fallback
            }
        state = Mutex(State(definitions: definitions, context: context))
        if case .current(let current) = source { current.add(self) }
        evaluateAll(definitions: nil)
    }

    /// The document in force.
    public var definitions: FlagDefinitions { state.withLock { $0.definitions } }

    /// Puts another document in force. When this returns, it answers; and exactly the flags whose value is different for the
    /// context have been announced.
    public func update(_ definitions: FlagDefinitions) {
        evaluateAll(definitions: definitions)
    }

    /// Evaluates everything again, for rules that depend on the time: nothing else tells that it has passed.
    public func reevaluate() {
        evaluateAll(definitions: nil)
    }

    /// Evaluates a flag for the context that a read here and now would be answered for, with variant, reason and metadata. It
    /// is not taken for an exposure.
    public func evaluation(of key: FlagKeyPath) -> FlagEvaluation {
        let state = present
        return state.definitions.evaluate(key.text, for: state.context)
    }

    // MARK: FlagProvider

    /// Evaluates a flag; `nil` where the document has no value for it.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        let state = present
        let (value, evaluation) = Self.answer(for: key, state)
        if let exposures, !FlagInspection.isActive, let evaluation, evaluation.outcome != .noOpinion {
            exposures.record(evaluation, for: state.context, providerName: name)
        }
        return value
    }

    /// Evaluates a flag, with variant, reason and metadata. There are no details for a key that the document does not have.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        let (value, evaluation) = Self.answer(for: key, present)
        return DetailedFlagValue(value: value, details: evaluation?.details)
    }

    /// All values for the context of a read here and now.
    public var document: FlagDocument { Self.values(present) }

    /// Takes an observer of every later change, held weakly; `false` where each task has a context of its own.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        if case .task = source { return false }
        return store.observe(observer)
    }

    // MARK: Parts

    private var present: State {
        var state = state.withLock { $0 }
        if case .task = source, let context = EvaluationContext.current { state.context = context }
        return state
    }

    /// The value for a key, and the evaluation of the flag that gave it; `nil` where no flag of the document is concerned.
    private static func answer(for key: FlagKeyPath, _ state: State) -> (EncodedFlagValue?, FlagEvaluation?) {
        let flags = state.definitions.flags
        if let flag = flags[key.text] {
            let evaluation = flag.evaluate(for: state.context)
            return (evaluation.value, evaluation)
        }
        // The value may lie inside an object that is the value of a flag whose key begins this one.
        guard key.components.count > 1, let first = key.components.first, let flag = flags[first] else {
            return (nil, nil)
        }
        let evaluation = flag.evaluate(for: state.context)
        guard let value = evaluation.value, case .object = value,
            let member = FlagDocument([first: value]).value(for: key)
        else { return (nil, nil) }
        return (member, evaluation)
    }

    /// Takes what is newest, and announces what that changes. Whoever comes last, evaluates for what holds last.
    private func evaluateAll(definitions: FlagDefinitions?) {
        store.update { document in
            let newest = state.withLock { state in
                if let definitions { state.definitions = definitions }
                if case .current(let current) = source { state.context = current.context }
                return state
            }
            if case .task = source { return }
            document = Self.values(newest)
        } persist: { _ in
        }
    }

    private static func values(_ state: State) -> FlagDocument {
        var values: [String: EncodedFlagValue] = [:]
        for (key, flag) in state.definitions.flags { values[key] = flag.evaluate(for: state.context).value }
        return FlagDocument(values)
    }
}

extension DefinitionsProvider: ContextFollower {
    func contextChanged() { evaluateAll(definitions: nil) }
}
