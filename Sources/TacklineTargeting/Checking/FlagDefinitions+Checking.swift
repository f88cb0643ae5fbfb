public import TacklineCore

extension FlagDefinitions {
    /// Returns everything in the document that flagd's schema refuses or that is probably a mistake, sorted by path.
    ///
    /// It also lists variants that rules give and the flag does not have, splits that have nothing to bucket by, and
    /// constraints whose rules are invalid or name flags that the document does not have.
    ///
    /// A warning concerns something that has a meaning all the same, such as `starts_with` with one argument, which is
    /// null; a default variant that no branch of the rule leads to; a rule whose branches all give one variant; a whole
    /// number from 2^53 on, which a rule cannot distinguish from its neighbours; or a name that resembles a known one.
    ///
    /// At most a thousand problems of each kind are listed.
    ///
    /// ```swift
    /// let problems = definitions.validate(
    ///     flagKeys: flags.allFlags.map(\.keyPath.text), attributes: ["email": .string, "age": .number])
    /// ```
    ///
    /// - Parameters:
    ///   - flagKeys: The keys of all flags that the app declares; any other flag in the document is a warning. `nil`
    ///     accepts every key.
    ///   - attributes: The types of the attributes in the app's contexts, by name. A rule that asks for another
    ///     attribute, or that compares an attribute with a value of another type, is a warning. `nil` accepts every
    ///     attribute, except one that only a single place asks for and that resembles one that several places ask for.
    /// - Complexity: O(*n*) in the size of the document.
    public func validate(
        flagKeys: [String]? = nil, attributes: [String: FlagValueType]? = nil
    ) -> [FlagDefinitionProblem] {
        var problems = FlagDefinitionsValidator.problems(in: document.root, errors: errors)
        problems += constraintProblems()
        if let flagKeys { problems += undeclaredFlags(flagKeys) }
        if let attributes {
            problems += unknownAttributes(attributes.mapValues { $0 })
        } else {
            problems += rareAttributes()
        }
        problems += unreachedDefaults()
        return problems.sorted { ($0.path, $0.message) < ($1.path, $1.message) }.located(in: document.text)
    }

    /// Returns the problems of a document that has not been compiled. A document that cannot be used at all has a
    /// single error.
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

    /// Returns a warning for each default variant that is never given, and for each rule whose branches all give the
    /// same variant.
    private func unreachedDefaults() -> [FlagDefinitionProblem] {
        var problems: [FlagDefinitionProblem] = []
        for flag in all where problems.count < 1_000 {
            let unreached = flag.unreachedDefault
            guard let message = unreached ?? flag.indifferentRule else { continue }
            let member = unreached == nil ? "targeting" : "defaultVariant"
            problems.append(
                FlagDefinitionProblem(
                    flagKey: flag.key, path: JSONPointer.text(flag.path + [member]), message: message,
                    severity: .warning))
        }
        return problems
    }

    /// Returns a warning for each attribute that only one place asks for and that resembles one that several places ask
    /// for.
    private func rareAttributes() -> [FlagDefinitionProblem] {
        var places: [ExactText: (count: Int, path: [String], flagKey: String?)] = [:]
        func count(_ reading: RuleReading, _ flagKey: String?) {
            for attribute in reading.attributes {
                let name = ExactText(text: attribute.content)
                if let count = places[name]?.count {
                    places[name]?.count = count + 1
                } else {
                    places[name] = (1, attribute.path, flagKey)
                }
            }
        }
        for flag in all {
            if let rule = flag.rule { count(RuleReading(attributesOf: rule), flag.key) }
        }
        for name in shared.rules.keys {
            if let rule = evaluator(name) { count(RuleReading(attributesOf: rule), nil) }
        }
        let rare = places.filter { $0.value.count == 1 }
        guard !rare.isEmpty else { return [] }
        let suggestion = KeySuggestion(places.lazy.filter { $0.value.count > 1 }.map(\.key.text).sorted())
        return rare.sorted { $0.key.text < $1.key.text }.compactMap { name, place in
            guard let meant = suggestion.nearest(to: name.text) else { return nil }
            return FlagDefinitionProblem(
                flagKey: place.flagKey, path: JSONPointer.text(place.path),
                message: "nothing else asks for the attribute \(name.text.quoted); did you mean \(meant.quoted)?",
                severity: .warning)
        }
    }

    /// Returns a warning for each attribute that no context has or that a rule compares with a value of another type.
    ///
    /// - Parameter attributes: The types of the attributes by name; `nil` for an attribute of any type.
    package func unknownAttributes(_ attributes: [String: FlagValueType?]) -> [FlagDefinitionProblem] {
        var check = AttributeCheck(attributes)
        var named: Set<String> = []
        for flag in flags.values.sorted(by: { $0.key < $1.key }) + namesakes {
            guard let rule = flag.rule else { continue }
            let reading = RuleReading(attributesOf: rule)
            check.add(reading, flagKey: flag.key)
            named.formUnion(reading.references.map(\.name))
        }
        for name in named.sorted() {
            if let rule = evaluator(name) { check.add(RuleReading(attributesOf: rule), flagKey: nil) }
        }
        return check.problems
    }

    /// Returns the rule that `$ref` names; `nil` if there is none, or if it is wrong.
    private func evaluator(_ name: String) -> RuleExpression? {
        (try? shared.program(of: name, settings: settings)).map { RuleExpression($0, at: ["$evaluators", name]) }
    }
}

extension FlagDefinition {
    /// The reason why the default variant is never given, and what to do about it; `nil` if the variant may be given or
    /// if there is none.
    package var unreachedDefault: String? {
        guard isAvailable, prerequisites.isEmpty, let rule, let defaultVariant, has(defaultVariant) else { return nil }
        let own = RuleReading(resultsOf: rule)
        for reading in [own] + own.references.compactMap({ evaluators.reading($0) }) {
            guard !reading.isOpen, !reading.variants.contains(where: { $0.content == defaultVariant }) else {
                return nil
            }
            guard reading.impossible.isEmpty, reading.tests.isEmpty else { return nil }
        }
        return
            "the default variant \(defaultVariant.quoted) is never given, since every branch of the rule names another "
            + "one; name it in the rule, or take the last branch away"
    }

    /// The description of a rule that gives the same variant whatever its conditions are; `nil` for any other rule.
    fileprivate var indifferentRule: String? {
        guard isAvailable, let rule else { return nil }
        let reading = RuleReading(resultsOf: rule)
        guard let first = reading.variants.first?.content, reading.variants.count > 1, !reading.isOpen,
            reading.variants.allSatisfy({ $0.content == first }), reading.references.allSatisfy({ $0.results == nil }),
            reading.impossible.isEmpty, reading.tests.isEmpty
        else { return nil }
        return
            "every branch of the rule gives \(first.quoted), whatever its conditions are; name another variant in one of "
            + "them, or remove the rule"
    }

    /// Returns the results of the flag that name none of its variants, and its splits that give no subject a variant:
    /// the first twenty, since a document may hold any number.
    func wrongResults(_ budget: KeySuggestion.Budget) -> [FlagDefinitionProblem] {
        var problems: [FlagDefinitionProblem] = []
        lazy var suggestion = KeySuggestion(answers.variants.prefix(200), budget: budget)
        func report(_ path: [String], _ message: @autoclosure () -> String, leavesDefault: Bool = false) {
            guard problems.count < 20 else { return }
            var problem = FlagDefinitionProblem(
                flagKey: key, path: JSONPointer.text(path), message: message(), severity: .error)
            problem.leavesDefault = leavesDefault
            if !problems.contains(problem) { problems.append(problem) }
        }
        lazy var list = Self.list(answers.variants[...])
        if let defaultVariant, !answers.has(defaultVariant) {
            let advice = suggestion.advice(for: defaultVariant, otherwise: "the variants are \(list)")
            report(path + ["defaultVariant"], "there is no variant \(defaultVariant.quoted); \(advice)")
        }
        guard let rule else { return problems }
        let isThird = program?.settings.fractional == .v3
        let own = RuleReading(resultsOf: rule, splitKeys: isThird)
        // An evaluator is read once for all flags, but each flag has its own variants.
        let readings = [own] + own.references.sorted { $0.name < $1.name }.compactMap { evaluators.reading($0) }
        for (position, reading) in readings.enumerated() {
            let who = position == 0 ? "there is" : "flag \(key.quoted) has"
            for variant in reading.variants where problems.count < 20 && !answers.has(variant.content) {
                report(
                    variant.path,
                    "\(who) no variant \(variant.content.quoted); "
                        + suggestion.advice(for: variant.content, otherwise: "the variants are \(list)"))
            }
            for place in reading.impossible.prefix(20) {
                report(place.path, "the rule gives \(place.content), which names no variant; the variants are \(list)")
            }
            for test in reading.tests where problems.count < 20 {
                let (name, results) = test.content
                let given = (results.contains(.truthy) ? ["true"] : []) + (results.contains(.falsy) ? ["false"] : [])
                let missing = given.filter { variants[$0] == nil }.map { "\"\($0)\"" }
                guard !missing.isEmpty else { continue }
                report(
                    test.path,
                    "\"\(name)\" \(results == .all ? "gives" : "can give") \(given.joined(separator: " or ")), and there is no variant \(missing.joined(separator: " or ")); "
                        + "put it into an \"if\", or add variants with these names")
            }
            guard isThird else { continue }
            // The second generation replaces null by the flag's key and the targeting key.
            for key in reading.splitKeys.prefix(100) where RuleReading.isAlwaysNull(key) {
                report(
                    key.path,
                    "\"fractional\" is given null to bucket by, so it chooses no variant; name an attribute, or leave it out",
                    leavesDefault: true)
            }
        }
        return problems
    }
}
