public import TacklineCore

extension FlagDefinitions {
    /// Lists everything in the document that flagd's schema refuses or that is hardly meant, with its place, sorted by path.
    ///
    /// It also lists variants that rules give and that do not exist, splits that have nothing to bucket by, and constraints
    /// that are no rules about the document's flags. A warning concerns something that has a meaning all the same, such as
    /// `starts_with` with one argument, which is null.
    ///
    /// ```swift
    /// let problems = definitions.validate(
    ///     flagKeys: flags.allFlags.map(\.keyPath.text), attributes: ["email": .string, "age": .number])
    /// ```
    ///
    /// - Parameters:
    ///   - flagKeys: The keys of all flags that the app declares; any other one in the document is a warning. `nil` to take
    ///     every key.
    ///   - attributes: What the app puts into its contexts, by name; a rule that asks for another attribute is a warning, and
    ///     so is one that compares it with something of another type. `nil` to take every attribute.
    /// - Complexity: O(*n*) in the size of the document.
    public func validate(
        flagKeys: [String]? = nil, attributes: [String: FlagValueType]? = nil
    ) -> [FlagDefinitionProblem] {
        var problems = FlagDefinitionsValidator.problems(in: document, errors: errors)
        problems += constraintProblems()
        if let flagKeys { problems += undeclaredFlags(flagKeys) }
        if let attributes { problems += unknownAttributes(attributes.mapValues { $0 }) }
        problems.sort { ($0.path, $0.message) < ($1.path, $1.message) }
        return problems.located(in: source)
    }

    /// Lists what is wrong with a document that has not been compiled. One that cannot be used at all gives a single error.
    public static func validate(
        _ document: EncodedFlagValue, limits: TargetingLimits = .default
    ) -> [FlagDefinitionProblem] {
        do {
            return try FlagDefinitions(document, limits: limits).validate()
        } catch {
            return [FlagDefinitionProblem(path: error.path, message: error.message, severity: .error)]
        }
    }

    private func undeclaredFlags(_ declared: [String]) -> [FlagDefinitionProblem] {
        let known = Set(declared.map { ExactText(text: $0) })
        let suggestion = KeySuggestion(declared)
        return (Array(flags.values) + namesakes).filter { !known.contains(ExactText(text: $0.key)) }.map { flag in
            let advice = suggestion.advice(for: flag.key, otherwise: "remove it, or declare the flag")
            return FlagDefinitionProblem(
                flagKey: flag.key, path: JSONPointer.text(flag.path),
                message: "no flag has the key \"\(flag.key)\"; \(advice)", severity: .warning)
        }
    }

    /// What rules ask for that no context has, or compare with something of another type.
    ///
    /// - Parameter attributes: The types by name; `nil` for one of any type.
    package func unknownAttributes(_ attributes: [String: FlagValueType?]) -> [FlagDefinitionProblem] {
        let suggestion = KeySuggestion(attributes.keys)
        var problems: [FlagDefinitionProblem] = []
        // What several flags refer to is told once.
        var seen: Set<[String]> = []
        for flag in flags.values.sorted(by: { $0.key < $1.key }) + namesakes where flag.error == nil {
            guard let rule = flag.targeting else { continue }
            func warn(_ path: [String], _ message: String) {
                guard seen.insert(path).inserted else { return }
                problems.append(
                    FlagDefinitionProblem(
                        flagKey: path.first == "$evaluators" ? nil : flag.key, path: JSONPointer.text(path),
                        message: message, severity: .warning))
            }
            let reading = RuleReading(rule, at: flag.path + ["targeting"], evaluators: evaluators)
            for attribute in reading.attributes {
                // An attribute that is an object may be asked for its members.
                let name = attribute.content.parts(separatedBy: ".", maximum: 1)[0]
                guard attributes[attribute.content] == nil, attributes[name] == nil else { continue }
                let advice = suggestion.advice(for: name, otherwise: "correct the name, or give it to the context")
                warn(attribute.path, "no context has the attribute \"\(name)\"; \(advice)")
            }
            for comparison in reading.comparisons {
                let (attribute, constant) = comparison.content
                guard let known = attributes[attribute], let wanted = known, let found = FlagValueType(constant),
                    found != wanted
                else {
                    continue
                }
                warn(
                    comparison.path,
                    "the attribute \"\(attribute)\" is of type \(wanted.rawValue), and is compared with \(constant.kind), "
                        + "\(constant); write it as a value of that type")
            }
        }
        return problems
    }

    /// The rules that `$ref` names.
    var evaluators: [String: EncodedFlagValue] {
        guard case .object(let members) = document, case .object(let rules)? = members["$evaluators"] else {
            return [:]
        }
        return rules
    }
}

extension FlagDefinition {
    /// Lists what the flag gives, or can give, that is none of its variants, and the splits that give nobody anything: the
    /// first twenty, since a document may hold any number.
    func wrongResults(_ evaluators: [String: EncodedFlagValue]) -> [FlagDefinitionProblem] {
        var problems: [FlagDefinitionProblem] = []
        let names = variants.keys.sorted()
        let suggestion = KeySuggestion(names.lazy.filter { $0.utf8.count <= 64 }.prefix(200))
        func report(_ path: [String], _ message: @autoclosure () -> String, leavesDefault: Bool = false) {
            guard problems.count < 20 else { return }
            var problem = FlagDefinitionProblem(
                flagKey: key, path: JSONPointer.text(path), message: message(), severity: .error)
            problem.leavesDefault = leavesDefault
            if !problems.contains(problem) { problems.append(problem) }
        }
        let list = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ") + (names.count > 20 ? ", …" : "")
        if let defaultVariant, variants[defaultVariant] == nil {
            let advice = suggestion.advice(for: defaultVariant, otherwise: "the variants are \(list)")
            report(path + ["defaultVariant"], "there is no variant \"\(defaultVariant)\"; \(advice)")
        }
        guard let targeting else { return problems }
        let reading = RuleReading(targeting, at: path + ["targeting"], evaluators: evaluators)
        for variant in reading.variants where variants[variant.content] == nil {
            let who = variant.path.first == "$evaluators" ? "flag \"\(key)\" has" : "there is"
            report(
                variant.path,
                "\(who) no variant \"\(variant.content)\"; "
                    + suggestion.advice(for: variant.content, otherwise: "the variants are \(list)"))
        }
        for test in reading.tests {
            let (name, results) = test.content
            let given = (results.contains(.truthy) ? ["true"] : []) + (results.contains(.falsy) ? ["false"] : [])
            let missing = given.filter { variants[$0] == nil }.map { "\"\($0)\"" }
            guard !missing.isEmpty else { continue }
            report(
                test.path,
                "\"\(name)\" \(results == .all ? "gives" : "can give") \(given.joined(separator: " or ")), and there is no variant \(missing.joined(separator: " or ")); "
                    + "put it into an \"if\", or add variants with these names")
        }
        guard program?.settings.fractional == .v3 else { return problems }
        // The second generation takes null for the flag's key and the targeting key.
        for key in reading.splitKeys where RuleReading.isAlwaysNull(key.content) {
            report(
                key.path,
                "\"fractional\" is given null to bucket by, so it gives nobody anything; name an attribute, or leave it out",
                leavesDefault: true)
        }
        return problems
    }
}
