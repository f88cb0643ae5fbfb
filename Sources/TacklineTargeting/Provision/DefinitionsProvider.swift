public import TacklineCore
public import TacklineFormats

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
/// provider; ``evaluation(of:)`` says which it was and why, and the issue reporter is told of what is wrong.
///
/// Safe from any thread.
public final class DefinitionsProvider: FlagProvider, FlagReasoningProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    private let store: DefinitionsStore

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - definitions: The document.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - source: Whom flags are evaluated for.
    ///   - issueReporter: Told of each flag that is wrong or cannot be evaluated, once for each document.
    ///   - clock: What the provider waits by for the second at which a rule that depends on the time gives something else.
    ///   - sticky: Keeps subjects in the variants that splits first gave them, for flags that ask for it; `nil` for none.
    public init(
        _ definitions: FlagDefinitions, name: String = "DefinitionsProvider", context source: FlagContextSource,
        issueReporter: FlagIssueReporter = .current,
        clock: any Clock<Duration> = ContinuousClock(), sticky: StickyAssignments? = nil
    ) {
        self.name = name
        store = DefinitionsStore(
            providerName: name, source: source, reporter: issueReporter, definitions: definitions,
            timestamp: definitions.settings.timestamp, clock: clock, sticky: sticky
        ) { document, json throws(TargetingError) in
            try FlagDefinitions(document, source: json, settings: definitions.settings)
        }
    }

    /// The document in force.
    public var definitions: FlagDefinitions { store.definitions }

    /// Puts another document in force. When this returns, it answers; and exactly the flags whose value is different for the
    /// context have been announced.
    public func update(_ definitions: FlagDefinitions) {
        store.update(definitions)
        store.reportIssues()
    }

    /// Evaluates everything again, for example after the system's clock was set. The passing of time needs no call: the
    /// provider notices it by itself.
    public func reevaluate() { store.reevaluate() }

    /// Evaluates a flag for the context that a read here and now would be answered for, with variant, reason and metadata. It
    /// does not count as an exposure.
    public func evaluation(of key: FlagKeyPath) -> FlagEvaluation { store.evaluation(of: key) }

    // MARK: FlagProvider

    /// Dependent on the task where each task has a context of its own.
    public var kind: FlagProviderKind { store.isTaskDependent ? .taskDependent : [] }

    /// Evaluates a flag; `nil` where the document has no value for it.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    /// Evaluates a flag, with variant, reason and metadata. There are no details for a key that the document does not have,
    /// except `FLAG_NOT_FOUND` where each task has a context of its own.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue { store.detailedValue(for: key) }

    /// Says how the flag's rule comes to what it gives; `nil` for a key that the document does not have.
    public func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? {
        store.reasoning(for: key, as: attributes)
    }

    /// All values for the context of a read here and now.
    public var document: FlagDocument? { store.document }

    /// Takes an observer of every later change, held weakly. Where each task has a context of its own, the observer is told
    /// that changes are not announced.
    public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}

/// Whom the flags of a provider are evaluated for.
public enum FlagContextSource: Sendable {
    /// Always this context.
    case fixed(EvaluationContext)
    /// The app's one context, which may change. Changes of it, as of the document, announce exactly the flags whose value
    /// is different; another context is announced as another subject, too, so that no pinned value outlives it. A loader
    /// keeps the values, and reading a flag costs what it costs without rules. It takes no notice
    /// of `withEvaluationContext`.
    case current(CurrentContext)
    /// The context of the task in which a flag is read, as `withEvaluationContext` sets it;
    /// outside of that the fallback. Since every request has its own, no value is kept, and each read of a flag that
    /// reaches the provider evaluates its rule. Observers are told that changes are not announced.
    case task(fallback: EvaluationContext = EvaluationContext())
}
