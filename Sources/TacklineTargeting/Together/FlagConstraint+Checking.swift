#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
public import TacklineCore

// Foundation: messages format a moment through `Date`.

extension FlagDefinitions {
    /// The number of moments at which time alone changes a flag that are checked.
    private static let constraintMoments = 16

    /// The prefix of the names under which the metadata of a document contain constraints.
    static let constraintPrefix = "tackline.constraint."

    /// The constraints in the document, in the order of their names.
    ///
    /// A member of the document's metadata names each of them: its key is `tackline.constraint.` and the constraint's
    /// name, its value the name of the rule in `$evaluators`. In that rule, `var` asks for values of flags. Other
    /// evaluators ignore it.
    ///
    /// ```json
    /// "metadata": { "tackline.constraint.the new checkout needs the new cart": "cart_first" },
    /// "$evaluators": { "cart_first": { "or": [ { "!": [ { "var": "new_checkout" } ] }, { "var": "new_cart" } ] } }
    /// ```
    ///
    /// A constraint whose evaluator does not exist is left out; ``validate(flagKeys:attributes:)`` reports it.
    public var constraints: [FlagConstraint] { carriedConstraints.constraints }

    /// The constraints of the document, and the problems of how it names them.
    private var carriedConstraints: (constraints: [FlagConstraint], problems: [FlagDefinitionProblem]) {
        guard case .object(let members) = document.root, case .object(let metadata)? = members["metadata"] else {
            return ([], [])
        }
        var constraints: [FlagConstraint] = []
        var problems: [FlagDefinitionProblem] = []
        let suggestion = KeySuggestion(shared.rules.keys.sorted())
        // A rule is compiled once, however many names it has.
        var made: [ExactText: FlagConstraint] = [:]
        for (member, value) in metadata.sorted(by: { $0.key < $1.key }) where member.hasPrefix(Self.constraintPrefix) {
            let constraintName = String(member.dropFirst(Self.constraintPrefix.count))
            if case .string(let evaluator) = value, let constraint = made[ExactText(text: evaluator)] {
                constraints.append(constraint.named(constraintName))
                continue
            }
            guard case .string(let evaluator) = value, evaluator.utf8.count <= VariablePath.nameLimit,
                let rule = shared.rules[evaluator]
            else {
                guard problems.count < 1_000 else { continue }
                let name = if case .string(let name) = value { name } else { "" }
                let advice = suggestion.advice(
                    for: name, otherwise: "name the rule in \"$evaluators\" that has to hold")
                problems.append(
                    FlagDefinitionProblem(
                        path: JSONPointer.text(["metadata", member]),
                        message: "there is no evaluator \(value); \(advice)", severity: .error))
                continue
            }
            var constraint = FlagConstraint(constraintName, rule: rule)
            constraint.path = ["$evaluators", evaluator]
            made[ExactText(text: evaluator)] = constraint
            constraints.append(constraint)
        }
        return (constraints, problems)
    }

    /// Returns the problems of the constraints in the document, whatever the values of its flags.
    func constraintProblems() -> [FlagDefinitionProblem] {
        var (constraints, problems) = carriedConstraints
        guard !constraints.isEmpty else { return problems }
        let suggestion = KeySuggestion(flags.keys.sorted())
        var checked: Set<[String]> = []
        for constraint in constraints where checked.insert(constraint.path).inserted {
            problems += mistakes(in: constraint, suggestion)
            guard problems.count < 1_000 else { break }
        }
        return problems
    }

    /// Returns whether every flag that a constraint names exists, in the document or among the defaults.
    package func hasFlags(of constraint: FlagConstraint, defaults: [String: EncodedFlagValue] = [:]) -> Bool {
        constraint.flags { flag($0) != nil || defaults[$0] != nil }.unknown.isEmpty
    }

    /// Returns the problems of a constraint itself, or of the flags that it names.
    private func mistakes(
        in constraint: FlagConstraint, _ suggestion: KeySuggestion, defaults: [String: EncodedFlagValue] = [:]
    ) -> [FlagDefinitionProblem] {
        constraint.mistakes(suggestion) { flag($0) != nil || defaults[$0] != nil }.map {
            FlagDefinitionProblem(path: JSONPointer.text(constraint.path), message: $0, severity: .error)
        }
    }

    /// Returns a problem for each constraint that the document breaks for a subject, with the number of subjects,
    /// examples of them, and the variants that they get. Also returns a problem for each flag that a constraint names
    /// and the document does not have.
    ///
    /// ```swift
    /// let problems = definitions.validate(definitions.constraints, contexts: definitions.exampleContexts())
    /// ```
    ///
    /// Rules are evaluated for each subject at the present time and at the next 16 moments at which time alone changes
    /// the subject's values.
    ///
    /// - Parameters:
    ///   - constraints: The conditions that must hold for each subject.
    ///   - contexts: The subjects to check: ``exampleContexts(_:)``, or contexts of your own.
    public func validate(
        _ constraints: [FlagConstraint], contexts: some Sequence<EvaluationContext>
    ) -> [FlagDefinitionProblem] {
        validate(constraints, contexts: contexts, defaults: [:])
    }

    /// Returns a problem for each constraint that the document breaks in an app with default values for flags that the
    /// document does not have.
    ///
    /// - Parameters:
    ///   - constraints: The conditions that must hold for each subject.
    ///   - contexts: The subjects to check.
    ///   - defaults: The app's own values, by key.
    package func validate(
        _ constraints: [FlagConstraint], contexts: some Sequence<EvaluationContext>,
        defaults: [String: EncodedFlagValue]
    ) -> [FlagDefinitionProblem] {
        var problems: [FlagDefinitionProblem] = []
        var checked: [(constraint: FlagConstraint, keys: [String])] = []
        let suggestion = KeySuggestion(flags.keys.sorted())
        for constraint in constraints {
            let mistakes = mistakes(in: constraint, suggestion, defaults: defaults)
            problems += mistakes
            guard mistakes.isEmpty else { continue }
            checked.append((constraint, constraint.flags { flag($0) != nil || defaults[$0] != nil }.known))
        }
        let keys = Set(checked.flatMap(\.keys))
        let concerned = keys.compactMap { flag($0) }
        let now = settings.timestamp()
        var broken = [(count: Int, examples: [String])](repeating: (0, []), count: checked.count)
        var total = 0
        for context in contexts {
            total += 1
            var moment = now
            // A subject counts once, with the first moment.
            var holding = Array(checked.indices)
            for number in 0...Self.constraintMoments where !holding.isEmpty {
                if number > 0 {
                    guard let next = concerned.compactMap({ $0.nextChange(for: context, after: moment) }).min() else {
                        break
                    }
                    moment = next
                }
                var evaluations: [String: FlagEvaluation] = [:]
                for flag in concerned { evaluations[flag.key] = flag.evaluate(for: context, at: moment) }
                let values = defaults.merging(evaluations.compactMapValues(\.value)) { $1 }
                holding.removeAll { position in
                    let (constraint, keys) = checked[position]
                    guard !constraint.holds(for: values) else { return false }
                    broken[position].count += 1
                    guard broken[position].examples.count < 3 else { return true }
                    let variants = keys.map { key in
                        let byDefault = defaults[key].map { "\($0) by default" }
                        let evaluation = evaluations[key]
                        let text =
                            evaluation?.value == nil ? byDefault ?? evaluation?.variantText : evaluation?.variantText
                        return "\"\(key)\": \(text ?? "")"
                    }
                    let date = EncodedFlagValue.date(Date(timeIntervalSince1970: Double(moment))).scriptString
                    let when = number == 0 ? "" : " at \(date ?? String(moment))"
                    broken[position].examples.append(
                        "\(context.exampleText)\(when) (\(variants.joined(separator: ", ")))")
                    return true
                }
            }
        }
        for ((constraint, keys), broken) in zip(checked, broken) where broken.count > 0 {
            let examples = broken.examples.joined(separator: "; ")
            let message =
                "\"\(constraint.name)\" does not hold for \(broken.count) of \(total) subjects, such as \(examples); "
                + "change the rules of \(keys.map { "\"\($0)\"" }.joined(separator: " and "))"
            problems.append(
                FlagDefinitionProblem(path: JSONPointer.text(constraint.path), message: message, severity: .error))
        }
        return problems.located(in: document.text)
    }
}

extension FlagConstraint {
    /// Returns the problems of the rule, or of the flags that it names.
    package func mistakes(_ suggestion: KeySuggestion, exists: (String) -> Bool) -> [String] {
        var mistakes = flags(exists).unknown.prefix(100).map { key in
            let advice = suggestion.advice(for: key, otherwise: "correct the constraint")
            return "\"\(name)\" is about the flag \(key.quoted), which does not exist; \(advice)"
        }
        if let error { mistakes.append("\"\(name)\" has an invalid rule: \(error)") }
        return mistakes
    }
}

extension FlagEvaluation {
    /// The variant as a message shows it.
    fileprivate var variantText: String {
        if let value { variant ?? value.description } else { outcome == .error ? "an error" : "no value" }
    }
}

extension EvaluationContext {
    /// The subject as a message shows it.
    fileprivate var exampleText: String {
        let attributes = attributes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let subject = targetingKey ?? "somebody without a key"
        return attributes.isEmpty ? subject : "\(subject) with \(attributes.joined(separator: ", "))"
    }
}

extension FlagsLoader {
    /// Checks that constraints hold for the flags' present values and for their defaults, and that they name only flags
    /// that the collection declares.
    ///
    /// For a unit test, beside `validate()`:
    ///
    /// ```swift
    /// try flags.validate(constraints)
    /// ```
    ///
    /// - Throws: ``FlagConstraintError`` with all problems.
    /// - Complexity: O(*n*) in the number of flags.
    public func validate(_ constraints: [FlagConstraint]) throws(FlagConstraintError) {
        var flags: [String: UntypedFlagHandle] = [:]
        for flag in allFlags { flags[flag.keyPath.text] = flag }
        var problems: [String] = []
        let suggestion = KeySuggestion(flags.keys.sorted())
        for constraint in constraints {
            let mistakes = constraint.mistakes(suggestion) { flags[$0] != nil }
            problems += mistakes
            guard mistakes.isEmpty else { continue }
            let about = constraint.flags { flags[$0] != nil }.known.compactMap { flags[$0] }
            for (when, value) in [
                ("", { (flag: UntypedFlagHandle) in flag.value }),
                (" by default", { (flag: UntypedFlagHandle) in flag.defaultValue }),
            ] {
                let values = Dictionary(about.map { ($0.keyPath.text, value($0)) }) { first, _ in first }
                guard !constraint.holds(for: values) else { continue }
                let shown = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\" is \($0.value)" }
                problems.append(
                    "\"\(constraint.name)\" does not hold\(when): \(shown.joined(separator: ", ")); change one of them")
            }
        }
        guard problems.isEmpty else { throw FlagConstraintError(problems: problems) }
    }
}

/// The constraints that an app's flags break.
public struct FlagConstraintError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description and a remedy for each problem.
    public let problems: [String]

    /// The problems, one on each line.
    public var description: String { problems.joined(separator: "\n") }
}
