import Synchronization
import TacklineCore

/// The evaluators of a document, which `$ref` names.
///
/// Each is compiled when a rule names it for the first time, and shared by all rules that name it: a short document may
/// name a large evaluator any number of times.
final class SharedRules: Sendable {
    static let none = SharedRules([:])

    let rules: [String: EncodedFlagValue]
    /// A search for the name of the evaluator that was probably meant.
    let suggestion: KeySuggestion
    private let readings = Mutex<[RuleReading.Reference: RuleReading]>([:])
    /// A search for the operator that was probably meant.
    let operators: KeySuggestion
    private let paths = Mutex<[ExactText: VariablePath]>([:])
    private let compiled = Mutex<[String: Result<RuleProgram, TargetingError>]>([:])

    init(_ rules: [String: EncodedFlagValue], budget: KeySuggestion.Budget = KeySuggestion.Budget()) {
        self.rules = rules
        operators = KeySuggestion(KnownNames.operators, budget: budget)
        suggestion = KeySuggestion(rules.keys.sorted(), budget: budget)
    }

    /// Returns the parts of a path that `var` asks for. They are made once for all rules, which ask for few paths.
    func path(_ name: String) -> VariablePath {
        if self === Self.none { return VariablePath(name) }
        return paths.withLock { paths in
            if let known = paths[ExactText(text: name)] { return known }
            let path = VariablePath(name)
            paths[ExactText(text: name)] = path
            return path
        }
    }

    /// Returns the results of an evaluator that has been compiled, or the keys that its splits bucket by; `nil` if
    /// there is no such evaluator.
    func reading(_ reference: RuleReading.Reference) -> RuleReading? {
        if let known = readings.withLock({ $0[reference] }) { return known }
        guard case .success(let program)? = compiled.withLock({ $0[reference.name] }) else { return nil }
        let reading = RuleReading(
            resultsOf: RuleExpression(program, at: ["$evaluators", reference.name]), reference.results ?? [],
            splitKeys: reference.results == nil
        ).distinct()
        readings.withLock { $0[reference] = reading }
        return reading
    }

    /// Returns the program of an evaluator.
    ///
    /// - Throws: The mistake in it, with its place inside the evaluator.
    func program(of name: String, settings: RuleSettings) throws(TargetingError) -> RuleProgram {
        if let known = compiled.withLock({ $0[name] }) { return try known.get() }
        let result = Result { () throws(TargetingError) in
            try RuleCompiler.compile(evaluator: name, rules[name] ?? .null, of: self, settings: settings)
        }
        compiled.withLock { $0[name] = result }
        return try result.get()
    }
}
