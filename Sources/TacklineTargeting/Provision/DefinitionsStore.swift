import TacklineFoundation
import TacklineCore

// Foundation: documents are read from `Data`.

/// A store that holds definitions and evaluates them. Every provider of definitions contains one.
final class DefinitionsStore: FlagDocumentStore {
    private struct State: Sendable {
        var definitions: FlagDefinitions
        var context: EvaluationContext
        /// The flags whose failure was reported since the document was installed.
        var reported: Set<String> = []
        /// Whether the context of a task was reported since the document was installed.
        var hasReportedContext = false
        /// All issues of the present document and context; `nil` once they were reported.
        var issues: [FlagError]?
    }

    /// The values of all flags, and what there is to do about them.
    private struct Values {
        var document: [String: EncodedFlagValue] = [:]
        var failures: [(key: String, evaluation: FlagEvaluation)] = []
        var splits: [(flag: FlagDefinition, variant: String)] = []
    }

    private let providerName: String
    private let source: EvaluationContext.Source
    private let reporter: FlagIssueReporter
    private let settings: RuleSettings
    /// The document and the context. Both change together, so that no value is made for another context. Threads that
    /// evaluate flags don't wait for each other.
    private let state: ReadMostly<State>
    /// The values for ``state``, by which changes are found. Its writers' lock orders all changes.
    private let values = FlagProviderStore()
    private let timer: MomentTimer
    private let evaluator: FlagEvaluator

    init(
        providerName: String, source: EvaluationContext.Source, reporter: FlagIssueReporter,
        definitions: FlagDefinitions, clock: any Clock<Duration>, sticky: StickyAssignments?
    ) {
        self.providerName = providerName
        self.source = source
        self.reporter = reporter
        evaluator = FlagEvaluator(sticky: sticky)
        settings = definitions.content.evaluators.settings
        timer = MomentTimer(clock: clock)
        let context =
            switch source {
            case .fixed(let context): context
            case .current(let current): current.context
            case .task(let fallback): fallback
            }
        state = ReadMostly(State(definitions: definitions, context: context))
        if case .current(let current) = source { current.add(self) }
        update(definitions)
        reportIssues()
    }

    var definitions: FlagDefinitions { state.read { $0.pointee.definitions } }

    var isTaskDependent: Bool { if case .task = source { true } else { false } }

    // MARK: Documents

    func prepare(_ document: FlagDocument, json: Data?) throws(FlagError) -> PreparedFlagDocument {
        do throws(FlagDefinitionProblem) {
            let definitions = try FlagDefinitions(.object(document.root), json: json, settings: settings)
            let isWithdrawal = document.root["$version"] != nil && document.root["flags"] == .object([:])
            guard isWithdrawal || definitions.flags.values.contains(where: { !$0.variants.isEmpty }) else {
                let mistake = definitions.errors.first.map { ": \($0.message)" } ?? ""
                throw FlagDefinitionProblem(
                    path: "/flags", message: "\"flags\" has no definition with variants\(mistake)")
            }
            return { self.update(definitions) }
        } catch {
            let place = error.path.isEmpty ? "" : "\([error].located(in: json)[0].place): "
            throw FlagError(.invalidDocument, "\(place)\(error.message)")
        }
    }

    func clear() -> [FlagProviderChange] { update(FlagDefinitions(settings: settings)) }

    func announceSubjectChange() { values.announceSubjectChange() }

    /// Puts a document into force. Its mistakes are kept for ``reportIssues()``.
    @discardableResult
    func update(_ definitions: FlagDefinitions) -> [FlagProviderChange] {
        evaluateAll { state in
            state.definitions = definitions
            state.hasReportedContext = false
        }
    }

    func reevaluate() {
        evaluateAll { _ in }
        reportIssues()
    }

    /// Applies a change, takes the newest context, and announces the values that differ. The writers' lock orders the
    /// calls, so the last one evaluates for the final document and context.
    @discardableResult
    private func evaluateAll(_ change: @Sendable (inout State) -> Void) -> [FlagProviderChange] {
        // The replaced document may be large and take long to release. It is not released while a read waits for the
        // lock.
        var replaced: State?
        var present: State?
        var made = Values()
        let changes = values.update { document in
            // Read outside of the state's lock: a closure that changes the context holds the context's lock and may
            // read flags.
            let newest: EvaluationContext? = if case .current(let current) = source { current.context } else { nil }
            let new = state.withLock { state in
                replaced = state
                change(&state)
                if let newest { state.context = newest }
                return state
            }
            made = values(for: new)
            document = FlagDocument(made.document)
            keepIssues(of: made, in: new)
            waitForNextChange(of: new.definitions)
            present = new
        } persist: { _ in
        }
        let isOtherSubject = replaced?.context.subject != present?.context.subject
        withExtendedLifetime(replaced) {}
        replaced = nil
        if let sticky = evaluator.sticky, let present {
            let issues = made.splits.compactMap { sticky.keep($0.variant, of: $0.flag, for: present.context) }
            state.withLock { $0.issues?.append(contentsOf: issues) }
        }
        // Announced once the values are in force, so that a read that still resolves a value for the former context
        // detects the change.
        if isOtherSubject { values.announceSubjectChange() }
        return changes
    }

    private func values(for state: State) -> Values {
        var values = Values()
        let all = state.definitions.content.all
        values.document.reserveCapacity(all.count)
        var evaluator = evaluator
        if all.contains(where: { !$0.prerequisites.isEmpty }) { evaluator.known = [:] }
        // A flag with an error is reported with its document, and has no value.
        for flag in all where flag.isUsable {
            let evaluation = evaluator.evaluate(flag, for: state.context)
            evaluator.known?[ObjectIdentifier(flag)] = .some(evaluation.variant)
            values.document[flag.key] = evaluation.value
            if evaluation.errorMessage != nil { values.failures.append((flag.key, evaluation)) }
            if evaluator.sticky != nil, evaluation.reason == .split, let variant = evaluation.variant {
                values.splits.append((flag, variant))
            }
        }
        return values
    }

    // MARK: Issues

    private func keepIssues(of values: Values, in state: State) {
        let errors = state.definitions.errors
        var issues = errors.map { problem in
            let isPartial = problem.flagKey.flatMap { state.definitions.flags[$0] }.map { $0.error == nil } ?? false
            return FlagError.invalidDefinition(problem, isPartial: isPartial, provider: providerName)
        }
        var reported = Set(errors.compactMap(\.flagKey))
        for (key, evaluation) in values.failures where reported.insert(key).inserted {
            issues.append(.failedEvaluation(evaluation, of: key, provider: providerName))
        }
        if let issue = state.context.mistake { issues.append(issue) }
        self.state.withLock { ($0.issues, $0.reported) = (issues, reported) }
    }

    func reportIssues() {
        let issues = state.withLock { state in
            defer { state.issues = nil }
            return state.issues
        }
        guard let issues else { return }
        reporter.replace(
            [.invalidDefinition, .failedEvaluation, .invalidContext], of: providerName, with: issues.map(known))
    }

    /// Returns the issue by which a flag's failure was reported before: it is one, even if its message differs from
    /// context to context.
    private func known(_ issue: FlagError) -> FlagError {
        guard issue.code == .failedEvaluation else { return issue }
        return reporter.issues(issue.code, key: issue.key, provider: issue.provider).first ?? issue
    }

    /// Reports a flag that a read cannot evaluate, once for each document.
    private func report(_ evaluation: FlagEvaluation, of key: String) {
        guard state.withLock({ $0.reported.insert(key).inserted }) else { return }
        reporter.report(known(.failedEvaluation(evaluation, of: key, provider: providerName)))
    }

    // MARK: Answers

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        withPresent { context, definitions in
            guard let evaluation = evaluate(key, definitions, context) else { return nil }
            if evaluation.errorMessage != nil { report(evaluation, of: definitions.flag(at: key)?.key ?? key.text) }
            return evaluation.value
        }
    }

    /// Returns the evaluation of a flag. A key that belongs to no flag of the document has no value, which is no error.
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        withPresent { context, definitions in
            guard let found = evaluate(key, definitions, context) else { return FlagEvaluation(value: nil) }
            var evaluation = definitions.completed(found)
            evaluation.subject = context.targetingKey
            return evaluation
        }
    }

    /// Returns the evaluation of the flag with a key, or of a flag whose key begins the key and whose value is an object
    /// with the rest of it; `nil` if there is none.
    private func evaluate(
        _ key: FlagKeyPath, _ definitions: FlagDefinitions, _ context: EvaluationContext
    ) -> FlagEvaluation? {
        guard let flag = definitions.flag(at: key) else { return nil }
        if flag.key == key.text { return evaluator.evaluate(flag, for: context) }
        var evaluation = evaluator.evaluate(flag, for: context)
        evaluation.value = evaluation.value.flatMap { FlagDocument([flag.key: $0]).value(for: key) }
        return evaluation.value == nil ? nil : evaluation
    }

    func reasoning(for key: FlagKeyPath) -> FlagReasoning? {
        withPresent { context, definitions in
            definitions.flag(at: key)?.reasoning(for: context, sticky: evaluator.sticky)
        }
    }

    var document: FlagDocument {
        withPresent { context, definitions in
            FlagDocument(values(for: State(definitions: definitions, context: context)).document)
        }
    }

    var subject: String? { withPresent { context, _ in context.targetingKey } }

    func observe(_ observer: FlagProviderObserver) -> Bool {
        values.observe(observer)
        return !isTaskDependent
    }

    /// Calls a closure with the context and the document that a read on the current task is answered by.
    private func withPresent<Result>(_ body: (EvaluationContext, FlagDefinitions) -> Result) -> Result {
        guard case .task = source, let scope = EvaluationScope.current else {
            let (context, definitions) = state.read { ($0.pointee.context, $0.pointee.definitions) }
            return body(context, definitions)
        }
        if let issue = scope.context.mistake {
            // Once for a document: each request may have the same mistake.
            let wasReported = state.withLock { state in
                defer { state.hasReportedContext = true }
                return state.hasReportedContext
            }
            if !wasReported { reporter.report(issue) }
        }
        return body(scope.context, scope.definitions(of: self))
    }

    // MARK: Time

    private func waitForNextChange(of definitions: FlagDefinitions) {
        let timed = definitions.content.timed
        // If every read is evaluated, no change has to be announced.
        guard !isTaskDependent, !timed.isEmpty else { return timer.set(nil) {} }
        let now = settings.timestamp()
        timer.set(timed.next(after: now).map { .seconds($0 - now) }) { [weak self] in self?.reevaluate() }
    }
}
