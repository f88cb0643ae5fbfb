#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore

// Foundation: documents are read from `Data`.

/// A store that holds definitions and evaluates them. Every provider of definitions contains one.
final class DefinitionsStore: FlagDocumentStore {
    private struct State: Sendable {
        var installed: InstalledDefinitions
        var context: EvaluationContext
        /// The flags whose failure was reported since the document was installed.
        var reported: Set<String> = []
        /// Whether the context of a task was reported since the document was installed.
        var hasReportedContext = false
        /// The issues of the present document and context that have not been reported.
        var issues: [FlagError] = []
        /// Whether ``issues`` are all that exist, because everything was evaluated.
        var hasAllIssues = false
        /// The number of evaluations of everything, so that an older one does not set the timer.
        var version = 0
    }

    private let providerName: String
    private let source: FlagContextSource
    private let reporter: FlagIssueReporter
    private let compile: @Sendable (FlagDocument, Data?) throws(TargetingError) -> FlagDefinitions
    /// The document and the context. Both change together, so that no value is made for another context.
    private let state: Mutex<State>
    /// The values for ``state``, by which changes are found. Its writers' lock orders all changes.
    private let values = FlagProviderStore()
    /// A timer for the next second at which a rule gives another value.
    private let timer: MomentTimer
    private let timestamp: @Sendable () -> Int64
    private let sticky: StickyAssignments?
    /// Whether there are ``sticky`` assignments, which are not copied at each read to find that out.
    private let isSticky: Bool

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
        isSticky = sticky != nil
        timer = MomentTimer(clock: clock)
        let context =
            switch source {
            case .fixed(let context): context
            case .current(let current): current.context
            case .task(let fallback): fallback
            }
        state = Mutex(State(installed: InstalledDefinitions(definitions), context: context))
        if case .current(let current) = source { current.add(self) }
        update(definitions)
        reportIssues()
    }

    /// The document in force.
    var definitions: FlagDefinitions { installed.definitions }
    /// The document in force, as an object with an identity.
    var installed: InstalledDefinitions { state.withLock { $0.installed } }

    // MARK: Documents

    func prepare(_ document: FlagDocument, json: Data?) throws(FlagError) -> PreparedFlagDocument {
        do throws(TargetingError) {
            let definitions = try compile(document, json)
            guard document.hasDefinitions else {
                let mistake = definitions.errors.first.map { ": \($0.message)" } ?? ""
                throw TargetingError(
                    code: .parseError, path: "/flags", message: "\"flags\" has no definition with variants\(mistake)")
            }
            return PreparedFlagDocument { self.update(definitions) }
        } catch {
            let problem = FlagDefinitionProblem(path: error.path, message: error.message, severity: .error)
            let place = [problem].located(in: json)[0].place
            throw FlagError(.invalidDocument, error.path.isEmpty ? error.message : "\(place): \(error.message)")
        }
    }

    func clear() -> [FlagProviderChange] {
        update(.empty)
    }

    func announceSubjectChange() { values.announceSubjectChange() }

    var isTaskDependent: Bool { if case .task = source { true } else { false } }

    /// Puts a document into force. Its mistakes are kept for ``reportIssues()``.
    @discardableResult
    func update(_ definitions: FlagDefinitions) -> [FlagProviderChange] {
        let installed = InstalledDefinitions(definitions)
        return evaluateAll { state in
            state.installed = installed
            state.hasReportedContext = false
        }
    }

    private func issues(of definitions: FlagDefinitions) -> [FlagError] {
        definitions.errors.map { problem in
            let flag = problem.flagKey.flatMap { definitions.flag($0) }
            let isPartial = flag != nil && flag?.error == nil
            return FlagError.invalidDefinition(problem, isPartial: isPartial, provider: providerName)
        }
    }

    /// Evaluates everything again after something outside has changed.
    func reevaluate() {
        evaluateAll { _ in }
        reportIssues()
    }

    func reportIssues() {
        var (issues, isComplete) = state.withLock { state in
            defer { (state.issues, state.hasAllIssues) = ([], false) }
            return (state.issues, state.hasAllIssues)
        }
        // A flag that fails is one issue, even if its message differs from context to context.
        issues = issues.map { issue in
            guard issue.code == .failedEvaluation else { return issue }
            return reporter.issues(issue.code, key: issue.key, provider: issue.provider).first ?? issue
        }
        if isComplete {
            reporter.replace([.invalidDefinition, .failedEvaluation, .invalidContext], of: providerName, with: issues)
        } else {
            issues.forEach(reporter.report)
        }
    }

    // MARK: Answers

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        withPresent { context, installed in
            if let flag = installed.flag(key.text) {
                let evaluated = evaluate(flag, for: context)
                if evaluated.needsReport { report(evaluated) }
                return evaluated.value
            }
            guard let (value, evaluated) = member(at: key, installed, context) else { return nil }
            if evaluated.needsReport { report(evaluated) }
            return value
        }
    }

    /// Returns the evaluation of a flag. A key that belongs to no flag of the document has no value, which is no error.
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        withPresent { context, installed in
            var evaluation = FlagEvaluation(value: nil)
            if let flag = installed.flag(key.text) {
                evaluation = FlagEvaluation(evaluate(flag, for: context))
            } else if let (value, evaluated) = member(at: key, installed, context) {
                evaluation = FlagEvaluation(evaluated)
                evaluation.value = value
            } else {
                return evaluation
            }
            evaluation.subject = context.targetingKey
            return evaluation
        }
    }

    func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? {
        withPresent { context, installed in
            let context = attributes.map { EvaluationContext(members: $0) } ?? context
            guard let flag = installed.flag(key.text) ?? key.components.first.flatMap({ installed.flag($0) }) else {
                return nil
            }
            return flag.reasoning(for: context, evaluation: evaluate(flag, for: context)) {
                evaluate($0, for: context)
            }
        }
    }

    var document: FlagDocument {
        withPresent { context, installed in values(installed.definitions, context).document }
    }

    func observe(_ observer: FlagProviderObserver) -> Bool {
        values.observe(observer)
        if case .task = source { return false }
        return true
    }

    // MARK: Parts

    /// Calls a closure with the context and the document that a read on the current task is answered by.
    // Inlined, so that the context is not copied at each read.
    @inline(__always)
    private func withPresent<Result>(_ body: (EvaluationContext, InstalledDefinitions) -> Result) -> Result {
        guard case .task = source, let scope = EvaluationScope.current else {
            let (context, installed) = state.withLock { ($0.context, $0.installed) }
            return body(context, installed)
        }
        reportOnce(scope.context)
        return body(scope.context, scope.definitions(of: self))
    }

    /// Returns the member of an object that is the value of a flag whose key begins a key, with the evaluation of that flag;
    /// `nil` if there is none.
    @inline(never)
    private func member(
        at key: FlagKeyPath, _ installed: InstalledDefinitions, _ context: EvaluationContext
    ) -> (EncodedFlagValue, EvaluatedFlag)? {
        guard key.components.count > 1, let first = key.components.first, let flag = installed.flag(first) else {
            return nil
        }
        let evaluated = evaluate(flag, for: context)
        guard let value = evaluated.value, case .object = value,
            let member = FlagDocument([first: value]).value(for: key)
        else { return nil }
        return (member, evaluated)
    }

    /// Reports a flag that cannot be evaluated, once for each document.
    @inline(never)
    private func report(_ failure: EvaluatedFlag) {
        keep([failure])
        reportIssues()
    }

    /// Keeps failures to be reported, once for each flag and document.
    private func keep(_ failures: [EvaluatedFlag]) {
        guard !failures.isEmpty else { return }
        state.withLock { state in
            for evaluation in failures where state.reported.insert(evaluation.flagKey).inserted {
                state.issues.append(.failedEvaluation(evaluation, provider: providerName))
            }
        }
    }

    /// Evaluates everything again at the next second at which the passing of time may change a value.
    private func waitForNextChange() {
        // If every read is evaluated, no change has to be announced.
        if case .task = source { return }
        let (timed, version) = state.withLock { ($0.installed.definitions.timed, $0.version) }
        guard !timed.isEmpty else { return timer.set(nil, version: version) {} }
        let now = timestamp()
        let delay = timed.next(after: now).map { Duration.seconds($0 - now) }
        timer.set(delay, version: version) { [weak self] in self?.reevaluate() }
    }

    /// Reports a mistake in the context of a task, once for a document: each request may have the same mistake.
    private func reportOnce(_ context: EvaluationContext) {
        guard let issue = mistake(in: context) else { return }
        let isFirst = state.withLock { state in
            defer { state.hasReportedContext = true }
            return !state.hasReportedContext
        }
        if isFirst { reporter.report(issue) }
    }

    private func mistake(in context: EvaluationContext) -> FlagError? {
        guard context.targetingKey == nil else { return nil }
        return context.attributes["targetingKey"].flatMap { .refusedTargetingKey($0) }
    }

    /// Applies a change, takes the newest context, and announces the values that differ. The writers' lock orders the
    /// calls, so the last one evaluates for the final document and context.
    @discardableResult
    private func evaluateAll(_ change: @Sendable (inout State) -> Void) -> [FlagProviderChange] {
        var failures: [EvaluatedFlag] = []
        var isOtherSubject = false
        var present = EvaluationContext()
        var assignments: [EvaluatedFlag] = []
        // The replaced document may be large and take long to release. It is not released while a read waits for the
        // lock.
        var replaced: State?
        let changes = values.update { document in
            // Read outside of the state's lock: a closure that changes the context holds the context's lock and may
            // read flags.
            let newest: EvaluationContext? = if case .current(let current) = source { current.context } else { nil }
            let (context, definitions, isOther) = state.withLock { state in
                replaced = state
                change(&state)
                state.version += 1
                let definitions = state.installed.definitions
                state.reported = Set(definitions.errors.compactMap(\.flagKey))
                (state.issues, state.hasAllIssues) = (issues(of: definitions), true)
                let isOther = newest.map { !$0.isSubject(of: state.context) } ?? false
                if let newest { state.context = newest }
                return (state.context, definitions, isOther)
            }
            isOtherSubject = isOther
            (document, failures, assignments) = self.values(definitions, context)
            present = context
        } persist: { _ in
        }
        withExtendedLifetime(replaced) {}
        replaced = nil
        keep(failures)
        if let issue = mistake(in: present) { state.withLock { $0.issues.append(issue) } }
        for evaluation in assignments {
            if let issue = sticky?.keep(evaluation, for: present) { state.withLock { $0.issues.append(issue) } }
        }
        waitForNextChange()
        // Announced once the values are in force, so that a read that still resolves a value for the former context
        // detects the change.
        if isOtherSubject { values.announceSubjectChange() }
        return changes
    }

    /// Returns a flag's evaluation. A variant that is kept for the subject replaces the one that its split gives, also
    /// if another flag requires it.
    private func evaluate(_ flag: FlagDefinition, for context: EvaluationContext) -> EvaluatedFlag {
        guard isSticky else { return flag.evaluated(for: context) }
        let evaluation = flag.evaluated(for: context) { evaluate($0, for: context) }
        return sticky?.kept(evaluation, of: flag, for: context) ?? evaluation
    }

    private func values(
        _ definitions: FlagDefinitions, _ context: EvaluationContext
    ) -> (document: FlagDocument, failures: [EvaluatedFlag], assignments: [EvaluatedFlag]) {
        var values: [String: EncodedFlagValue] = [:]
        values.reserveCapacity(definitions.flags.count)
        var failures: [EvaluatedFlag] = []
        var assignments: [EvaluatedFlag] = []
        // A flag with an error is reported with its document, and has no value. Each flag stands after those that it
        // requires, so they are not evaluated again for each flag that requires them.
        var known: [ObjectIdentifier: EvaluatedFlag] = [:]
        let hasNeeds = definitions.all.contains { !$0.prerequisites.isEmpty }
        for flag in definitions.all where flag.isAvailable {
            let evaluation: EvaluatedFlag
            if flag.prerequisites.isEmpty {
                evaluation = evaluate(flag, for: context)
            } else {
                let made = flag.evaluated(for: context) { need in
                    known[ObjectIdentifier(need)] ?? evaluate(need, for: context)
                }
                evaluation = sticky?.kept(made, of: flag, for: context) ?? made
            }
            if hasNeeds { known[ObjectIdentifier(flag)] = evaluation }
            if sticky != nil, evaluation.reason == .split { assignments.append(evaluation) }
            values[flag.key] = evaluation.value
            if evaluation.needsReport { failures.append(evaluation) }
        }
        return (FlagDocument(values), failures, assignments)
    }
}

extension FlagDocument {
    /// Whether anything in the document has the form of a flag's definition, valid or not.
    fileprivate var hasDefinitions: Bool {
        let flags: [EncodedFlagValue] =
            switch root["flags"] {
            case .object(let members)?: Array(members.values)
            case .array(let elements)?: elements
            default: []
            }
        return flags.contains { flag in
            guard case .object(let members) = flag, case .object? = members["variants"] else { return false }
            return true
        }
    }
}
