#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore
import TacklineFormats

// Foundation: `Data` is what documents are read from.

/// Holds definitions and evaluates them: what every provider of definitions has inside.
final class DefinitionsStore: FlagDocumentStore {
    private struct State: Sendable {
        var definitions: FlagDefinitions
        var context: EvaluationContext
        /// The flags whose failure was reported since the document came.
        var reported: Set<String> = []
        /// Whether a task's context was reported since the document came.
        var hasReportedContext = false
        /// What is to be reported about the present document and context.
        var issues: [FlagIssue] = []
        /// Whether ``issues`` are all that exist, because everything was evaluated.
        var hasAllIssues = false
        /// Counts the evaluations of everything, so that an older one does not set the timer.
        var version = 0
    }

    private let providerName: String
    private let source: FlagContextSource
    private let reporter: FlagIssueReporter
    private let issueLog = FlagIssueLog()
    private let compile: @Sendable (FlagDocument, Data?) throws(TargetingError) -> FlagDefinitions
    /// What is evaluated, and for whom: always changed together, so that nobody gets a value made for someone else.
    private let state: Mutex<State>
    /// The values for ``state``, for telling what changes. Its writers' lock orders all changes.
    private let values = FlagProviderStore()
    /// Waits for the next second at which a rule gives something else.
    private let timer: MomentTimer
    private let timestamp: @Sendable () -> Int64
    private let sticky: StickyAssignments?

    init(
        providerName: String, source: FlagContextSource, reporter: FlagIssueReporter,
        definitions: FlagDefinitions = .empty, timestamp: @escaping @Sendable () -> Int64,
        clock: any Clock<Duration>, sticky: StickyAssignments? = nil,
        compile: @escaping @Sendable (FlagDocument, Data?) throws(TargetingError) -> FlagDefinitions
    ) {
        self.providerName = providerName
        self.source = source
        self.reporter = reporter
        self.compile = compile
        self.timestamp = timestamp
        self.sticky = sticky
        timer = MomentTimer(clock: clock)
        let context =
            switch source {
            case .fixed(let context): context
            case .current(let current): current.context
            case .task(let fallback): fallback
            }
        state = Mutex(State(definitions: definitions, context: context))
        if case .current(let current) = source { current.add(self) }
        update(definitions)
        reportIssues()
    }

    /// The document in force.
    var definitions: FlagDefinitions { state.withLock { $0.definitions } }

    // MARK: Documents

    func prepare(_ document: FlagDocument) throws(FlagDocumentError) -> PreparedFlagDocument {
        try prepare(document, json: nil)
    }

    func prepare(_ document: FlagDocument, json: Data?) throws(FlagDocumentError) -> PreparedFlagDocument {
        do throws(TargetingError) {
            let definitions = try compile(document, json)
            return PreparedFlagDocument { self.update(definitions) }
        } catch {
            let problem = FlagDefinitionProblem(path: error.path, message: error.message, severity: .error)
            let place = [problem].located(in: json)[0].place
            throw FlagDocumentError(reason: error.path.isEmpty ? error.message : "\(place): \(error.message)")
        }
    }

    func clear() -> [FlagProviderChange] {
        update(.empty)
    }

    func announceSubjectChange() { values.announceSubjectChange() }

    var isTaskDependent: Bool { if case .task = source { true } else { false } }

    /// Puts a document in force. What is wrong in it waits for ``reportIssues()``.
    @discardableResult
    func update(_ definitions: FlagDefinitions) -> [FlagProviderChange] {
        evaluateAll { state in
            state.definitions = definitions
            state.hasReportedContext = false
        }
    }

    private func issues(of definitions: FlagDefinitions) -> [FlagIssue] {
        definitions.errors.map { problem in
            let flag = problem.flagKey.flatMap { definitions.flag($0) }
            let isPartial = flag != nil && flag?.error == nil
            return FlagIssue.invalidDefinition(problem, isPartial: isPartial, provider: providerName)
        }
    }

    /// Evaluates everything again, for what has changed outside.
    func reevaluate() {
        evaluateAll { _ in }
        reportIssues()
    }

    func reportIssues() {
        var (issues, isComplete) = state.withLock { state in
            defer { (state.issues, state.hasAllIssues) = ([], false) }
            return (state.issues, state.hasAllIssues)
        }
        // A flag that fails is one issue, whatever its rule says about each context.
        let failing = Dictionary(
            issueLog.issues.filter { $0.code == .failedEvaluation }.map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        issues = issues.map { issue in issue.code == .failedEvaluation ? failing[issue.key] ?? issue : issue }
        if isComplete {
            issueLog.replace(
                [.invalidDefinition, .failedEvaluation, .invalidContext], with: issues, to: [reporter])
        } else {
            for issue in issues { issueLog.report(issue, detail: issue.message, to: [reporter]) }
        }
    }

    // MARK: Answers

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        let (context, definitions) = present
        let (value, evaluation) = answer(for: key, definitions, context)
        if let evaluation, evaluation.needsReport {
            keep([evaluation])
            reportIssues()
        }
        return value
    }

    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        let (context, definitions) = present
        let (value, evaluation) = answer(for: key, definitions, context)
        if evaluation == nil, isTaskDependent, key.components.first.flatMap({ definitions.flag($0) }) == nil {
            // So that a loader knows that no task has a value.
            return DetailedFlagValue(value: nil, details: definitions.evaluate(key.text, for: context).details)
        }
        var details = evaluation?.details
        details?.subject = context.targetingKey
        return DetailedFlagValue(value: value, details: details)
    }

    func evaluation(of key: FlagKeyPath) -> FlagEvaluation {
        let (context, definitions) = present
        guard let flag = definitions.flag(key.text) else { return definitions.evaluate(key.text, for: context) }
        return evaluate(flag, for: context)
    }

    func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? {
        let (present, definitions) = present
        let context = attributes.map { EvaluationContext(members: $0) } ?? present
        guard let flag = definitions.flag(key.text) ?? key.components.first.flatMap({ definitions.flag($0) }) else {
            return nil
        }
        return flag.reasoning(for: context, evaluation: evaluate(flag, for: context), at: nil) {
            evaluate($0, for: context)
        }
    }

    var document: FlagDocument {
        let (context, definitions) = present
        return values(definitions, context).document
    }

    func observe(_ observer: FlagProviderObserver) -> Bool {
        values.observe(observer)
        if case .task = source { return false }
        return true
    }

    // MARK: Parts

    private var present: (EvaluationContext, FlagDefinitions) {
        let (context, definitions) = state.withLock { ($0.context, $0.definitions) }
        guard case .task = source, let own = EvaluationContext.current else { return (context, definitions) }
        reportOnce(own)
        return (own, definitions)
    }

    /// The value for a key, and the evaluation of the flag that gave it; `nil` where no flag of the document is concerned.
    private func answer(
        for key: FlagKeyPath, _ definitions: FlagDefinitions, _ context: EvaluationContext
    ) -> (EncodedFlagValue?, FlagEvaluation?) {
        if let flag = definitions.flag(key.text) {
            let evaluation = evaluate(flag, for: context)
            return (evaluation.value, evaluation)
        }
        // The value may lie inside an object that is the value of a flag whose key begins this one.
        guard key.components.count > 1, let first = key.components.first, let flag = definitions.flag(first) else {
            return (nil, nil)
        }
        let evaluation = evaluate(flag, for: context)
        guard let value = evaluation.value, case .object = value,
            let member = FlagDocument([first: value]).value(for: key)
        else { return (nil, nil) }
        return (member, evaluation)
    }

    /// Keeps failures to be reported, each flag's once for a document.
    private func keep(_ failures: [FlagEvaluation]) {
        guard !failures.isEmpty else { return }
        state.withLock { state in
            for evaluation in failures where state.reported.insert(evaluation.flagKey).inserted {
                state.issues.append(.failedEvaluation(evaluation, provider: providerName))
            }
        }
    }

    /// Has everything evaluated again at the next second at which the passing of time changes a value.
    private func waitForNextChange() {
        let (context, definitions, version) = state.withLock { ($0.context, $0.definitions, $0.version) }
        // Where every read is evaluated, nobody has to be told.
        if case .task = source { return }
        guard definitions.isTimed else { return timer.set(nil, version: version) {} }
        let now = timestamp()
        let next = definitions.nextChange(for: context, after: now) { evaluate($0, for: context, at: $1) }
        let delay = next.map { Duration.seconds(max(1, $0 - now)) }
        timer.set(delay, version: version) { [weak self] in self?.reevaluate() }
    }

    /// Reports what is wrong with the context of a task, once for a document: each request may have the same mistake.
    private func reportOnce(_ context: EvaluationContext) {
        guard context.targetingKey == nil, let value = context.attributes["targetingKey"],
            let issue = FlagIssue.refusedTargetingKey(value)
        else { return }
        let isFirst = state.withLock { state in
            defer { state.hasReportedContext = true }
            return !state.hasReportedContext
        }
        if isFirst { issueLog.report(issue, detail: issue.message, to: [reporter]) }
    }

    /// Keeps what is wrong with a context to be reported.
    private func keepIssue(of context: EvaluationContext) {
        guard context.targetingKey == nil, let value = context.attributes["targetingKey"],
            let issue = FlagIssue.refusedTargetingKey(value)
        else { return }
        state.withLock { $0.issues.append(issue) }
    }

    /// Applies a change, takes the newest context, and announces the values that differ. The writers' lock orders the calls, so
    /// the last one evaluates for what holds in the end.
    @discardableResult
    private func evaluateAll(_ change: @Sendable (inout State) -> Void) -> [FlagProviderChange] {
        var failures: [FlagEvaluation] = []
        var isOtherSubject = false
        var present = EvaluationContext()
        var assignments: [FlagEvaluation] = []
        var old: State?
        defer { withExtendedLifetime(old) {} }
        let changes = values.update { document in
            // Outside of the state's lock: whoever changes the context may read flags meanwhile.
            let newest: EvaluationContext? = if case .current(let current) = source { current.context } else { nil }
            let (context, definitions, isOther) = state.withLock { state in
                // What is replaced is released after the lock, which reads take.
                old = state
                change(&state)
                state.version += 1
                state.reported = Set(state.definitions.errors.compactMap(\.flagKey))
                (state.issues, state.hasAllIssues) = (issues(of: state.definitions), true)
                let isOther = newest.map { $0 != state.context } ?? false
                if let newest { state.context = newest }
                return (state.context, state.definitions, isOther)
            }
            isOtherSubject = isOther
            (document, failures, assignments) = self.values(definitions, context)
            present = context
        } persist: { _ in
        }
        keep(failures)
        keepIssue(of: present)
        for evaluation in assignments {
            if let issue = sticky?.keep(evaluation, for: present) { state.withLock { $0.issues.append(issue) } }
        }
        waitForNextChange()
        // After the values are in force: who still resolves one of the former context finds it out by this.
        if isOtherSubject { values.announceSubjectChange() }
        return changes
    }

    /// A flag's evaluation, as it is given: what is kept for the subject goes before what its split gives, also where another
    /// flag needs it.
    private func evaluate(_ flag: FlagDefinition, for context: EvaluationContext) -> FlagEvaluation {
        guard sticky != nil else { return flag.evaluate(for: context) }
        return evaluate(flag, for: context, at: nil)
    }

    /// The same as of a time, in seconds since 1970; `nil` for now.
    private func evaluate(
        _ flag: FlagDefinition, for context: EvaluationContext, at timestamp: Int64?
    ) -> FlagEvaluation {
        let evaluation = flag.evaluate(for: context, at: timestamp) { evaluate($0, for: context, at: timestamp) }
        return sticky?.kept(evaluation, of: flag, for: context) ?? evaluation
    }

    private func values(
        _ definitions: FlagDefinitions, _ context: EvaluationContext
    ) -> (document: FlagDocument, failures: [FlagEvaluation], assignments: [FlagEvaluation]) {
        var values: [String: EncodedFlagValue] = [:]
        var failures: [FlagEvaluation] = []
        var assignments: [FlagEvaluation] = []
        for (key, flag) in definitions.flags {
            let evaluation = evaluate(flag, for: context)
            if sticky != nil, evaluation.reason == .split { assignments.append(evaluation) }
            values[key] = evaluation.value
            if evaluation.needsReport { failures.append(evaluation) }
        }
        var document = FlagDocument(values)
        for flag in definitions.namesakes {
            let evaluation = evaluate(flag, for: context)
            document.namesakes[FlagKeyPath(components: [flag.key])] = evaluation.value
            if evaluation.needsReport { failures.append(evaluation) }
        }
        return (document, failures, assignments)
    }
}

extension DefinitionsStore: ContextFollower {
    func contextChanged() { reevaluate() }
}
