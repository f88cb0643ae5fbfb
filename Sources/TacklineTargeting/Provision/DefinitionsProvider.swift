public import TacklineCore

/// A provider whose values are rules: a document in flagd's format, evaluated for a context.
///
/// ```swift
/// let definitions = try FlagDefinitions(json: data)
/// let rules = DefinitionsProvider(definitions, context: .current(context))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, rules])
/// ```
///
/// The document comes from any source, usually from the app's bundle: this provider does no input or output. A flag of
/// the document is found under its key, `secrets/boom_feature`, or inside an object that is the value of the flag
/// `secrets`. A flag that is disabled, unknown, wrong, or without a variant for the context leaves the answer to the
/// next provider; ``evaluation(for:)`` returns which it was and why, and mistakes are reported to the issue reporter.
///
/// Any thread may use it.
public final class DefinitionsProvider: FlagProvider, FlagReasoningProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String

    private let store: DefinitionsStore

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - definitions: The document.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - source: The context that flags are evaluated for.
    ///   - issueReporter: Receives each flag that is wrong or cannot be evaluated, once for each document.
    ///   - clock: The clock by which the provider waits for the second at which a rule that depends on the time gives
    ///     another value.
    ///   - sticky: Keeps subjects in the variants that splits first gave them, for flags that ask for it; `nil` for
    ///     none.
    public init(
        _ definitions: FlagDefinitions, name: String = "DefinitionsProvider", context source: EvaluationContext.Source,
        issueReporter: FlagIssueReporter = .current,
        clock: any Clock<Duration> = ContinuousClock(), sticky: StickyAssignments? = nil
    ) {
        self.name = name
        store = DefinitionsStore(
            providerName: name, source: source, reporter: issueReporter, definitions: definitions, clock: clock,
            sticky: sticky)
    }

    /// The document in force.
    public var definitions: FlagDefinitions { store.definitions }

    /// Puts another document into force. When it returns, the new document answers, and exactly the flags whose values
    /// are different for the context have been announced.
    public func update(_ definitions: FlagDefinitions) {
        store.update(definitions)
        store.reportIssues()
    }

    // MARK: FlagProvider

    /// The kind of the provider: task-dependent if each task has a context of its own.
    public var traits: FlagProviderTraits { store.isTaskDependent ? .taskDependent : [] }

    /// Returns the value of a flag; `nil` if the document has no value for it.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    /// Evaluates a flag, with variant, reason and metadata, for the context that a read at this point is answered for. It
    /// does not count as an exposure. A key that the document does not have has no value and no reason.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation { store.evaluation(for: key) }

    /// Returns how the flag's rule leads to its result; `nil` for a key that the document does not have.
    package func reasoning(for key: FlagKeyPath) -> FlagReasoning? { store.reasoning(for: key) }

    /// All values for the context of a read at this point.
    public var document: FlagDocument? { store.document }

    /// Adds an observer of every later change, which is held weakly, and returns whether changes are announced: not if
    /// each task has a context of its own.
    public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}
