#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
public import TacklineCore

// Foundation: `Date` writes the moments at which something does not hold.

extension FlagDefinitions {
    /// How many moments are tried at which time alone changes a flag.
    private static let constraintMoments = 16

    /// The beginning of the names under which the metadata of a document carry constraints.
    static let constraintPrefix = "tackline.constraint."

    /// The constraints that the document carries, in the order of their names.
    ///
    /// A member of the document's metadata names each of them: its key is `tackline.constraint.` and the constraint's name, its
    /// value the name of the rule in `$evaluators`. In that rule `var` asks for values of flags. Other evaluators ignore it.
    ///
    /// ```json
    /// "metadata": { "tackline.constraint.the new checkout needs the new cart": "cart_first" },
    /// "$evaluators": { "cart_first": { "or": [ { "!": [ { "var": "new_checkout" } ] }, { "var": "new_cart" } ] } }
    /// ```
    ///
    /// A constraint whose evaluator does not exist is left out; ``validate(flagKeys:attributes:)`` reports it.
    public var constraints: [FlagConstraint] { carriedConstraints.constraints }

    /// The constraints of the document, and what is wrong with how it names them.
    private var carriedConstraints: (constraints: [FlagConstraint], problems: [FlagDefinitionProblem]) {
        guard case .object(let members) = document, case .object(let metadata)? = members["metadata"] else {
            return ([], [])
        }
        var constraints: [FlagConstraint] = []
        var problems: [FlagDefinitionProblem] = []
        for (member, value) in metadata.sorted(by: { $0.key < $1.key }) where member.hasPrefix(Self.constraintPrefix) {
            guard case .string(let evaluator) = value, let rule = evaluators[evaluator] else {
                let name = if case .string(let name) = value { name } else { "" }
                let advice = KeySuggestion(evaluators.keys.sorted()).advice(
                    for: name, otherwise: "name the rule in \"$evaluators\" that has to hold")
                problems.append(
                    FlagDefinitionProblem(
                        path: JSONPointer.text(["metadata", member]),
                        message: "there is no evaluator \(value); \(advice)", severity: .error))
                continue
            }
            var constraint = FlagConstraint(String(member.dropFirst(Self.constraintPrefix.count)), rule: rule)
            constraint.path = ["$evaluators", evaluator]
            constraints.append(constraint)
        }
        return (constraints, problems)
    }

    /// What is wrong with the constraints that the document carries, whatever its flags give.
    func constraintProblems() -> [FlagDefinitionProblem] {
        let (constraints, problems) = carriedConstraints
        return problems + constraints.flatMap { mistakes(in: $0) }
    }

    /// Whether there is every flag that a constraint is about, in the document or by default.
    package func hasFlags(of constraint: FlagConstraint, defaults: [String: EncodedFlagValue] = [:]) -> Bool {
        constraint.flags { flag($0) != nil || defaults[$0] != nil }.unknown.isEmpty
    }

    /// What is wrong with a constraint itself, or with the flags that it names.
    private func mistakes(
        in constraint: FlagConstraint, defaults: [String: EncodedFlagValue] = [:]
    ) -> [FlagDefinitionProblem] {
        constraint.mistakes(flagKeys: flags.keys.sorted()) { flag($0) != nil || defaults[$0] != nil }.map {
            FlagDefinitionProblem(path: JSONPointer.text(constraint.path), message: $0, severity: .error)
        }
    }

    /// Lists the constraints that the document breaks for some subject, with the number of subjects, examples of them, and the
    /// variants that they get. Also lists the flags that constraints name and the document does not have.
    ///
    /// ```swift
    /// let problems = definitions.validate(definitions.constraints, contexts: definitions.exampleContexts())
    /// ```
    ///
    /// Rules are evaluated for each subject at the present time and at the next 16 moments at which time alone changes what the
    /// subject gets.
    ///
    /// - Parameters:
    ///   - constraints: What has to hold for each subject.
    ///   - contexts: The subjects to try: ``exampleContexts(_:)``, or contexts of your own.
    public func validate(
        _ constraints: [FlagConstraint], contexts: some Sequence<EvaluationContext>
    ) -> [FlagDefinitionProblem] {
        validate(constraints, contexts: contexts, defaults: [:])
    }

    /// The same for an app that has values for flags which the document says nothing of.
    ///
    /// - Parameters:
    ///   - constraints: What has to hold for each subject.
    ///   - contexts: The subjects to try.
    ///   - defaults: The app's own values, by key.
    package func validate(
        _ constraints: [FlagConstraint], contexts: some Sequence<EvaluationContext>,
        defaults: [String: EncodedFlagValue]
    ) -> [FlagDefinitionProblem] {
        var problems: [FlagDefinitionProblem] = []
        var checked: [(constraint: FlagConstraint, keys: [String])] = []
        for constraint in constraints {
            let mistakes = mistakes(in: constraint, defaults: defaults)
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
        return problems.located(in: source)
    }
}

extension FlagConstraint {
    /// What is wrong with the rule, or with the flags that it names.
    package func mistakes(flagKeys: [String], exists: (String) -> Bool) -> [String] {
        let suggestion = KeySuggestion(flagKeys)
        var mistakes = flags(exists).unknown.map { key in
            let advice = suggestion.advice(for: key, otherwise: "correct the constraint")
            return "\"\(name)\" is about the flag \"\(key)\", which does not exist; \(advice)"
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
    /// Checks that constraints hold for the flags' present values and for their defaults, and that they name only flags which
    /// the collection declares.
    ///
    /// For a unit test, beside `validate()`:
    ///
    /// ```swift
    /// try flags.validate(constraints)
    /// ```
    ///
    /// - Throws: ``FlagConstraintError`` with everything that is wrong.
    /// - Complexity: O(*n*) in the number of flags.
    public func validate(_ constraints: [FlagConstraint]) throws(FlagConstraintError) {
        var flags: [String: UntypedFlagHandle] = [:]
        for flag in allFlags { flags[flag.keyPath.text] = flag }
        var problems: [String] = []
        for constraint in constraints {
            let mistakes = constraint.mistakes(flagKeys: flags.keys.sorted()) { flags[$0] != nil }
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
    /// What is wrong, and what to do about it, for each constraint.
    public let problems: [String]

    /// The problems, one a line.
    public var description: String { problems.joined(separator: "\n") }
}
