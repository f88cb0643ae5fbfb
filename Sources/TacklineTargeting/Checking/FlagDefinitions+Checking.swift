public import TacklineCore

extension FlagDefinitions {
    /// Returns everything in the document that flagd's schema refuses or that is probably a mistake, sorted by path.
    ///
    /// It also lists variants that rules give and the flag does not have, and splits that have nothing to bucket by.
    ///
    /// A warning concerns something that has a meaning all the same, such as `starts_with` with one argument, which is
    /// null; a whole number from 2^53 on, which a rule cannot distinguish from its neighbours; or a name that resembles
    /// a known one.
    ///
    /// At most a thousand problems of each kind are listed.
    ///
    /// ```swift
    /// let problems = definitions.validate(
    ///     flagKeys: flags.root.allFlags.map(\.keyPath.text), attributes: ["email", "age"])
    /// ```
    ///
    /// - Parameters:
    ///   - flagKeys: The keys of all flags that the app declares; any other flag in the document is a warning. `nil`
    ///     accepts every key.
    ///   - attributes: The names of the attributes in the app's contexts. An attribute that resembles one of them and
    ///     is none is a warning. If they are `nil`, an attribute that only a single place asks for and that resembles
    ///     one that several places ask for is a warning.
    /// - Complexity: O(*n*) in the size of the document.
    public func validate(
        flagKeys: [String]? = nil, attributes: [String]? = nil
    ) -> [FlagDefinitionProblem] {
        var problems = FlagDefinitionsValidator.problems(in: document.root, errors: errors)
        if let flagKeys { problems += undeclaredFlags(flagKeys) }
        problems += misspeltAttributes(attributes)
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
        let known = Set(declared)
        let suggestion = KeySuggestion(declared)
        return flags.values.filter { !known.contains($0.key) }.map { flag in
            let advice = suggestion.advice(for: flag.key, otherwise: "remove it, or declare the flag")
            return FlagDefinitionProblem(
                flagKey: flag.key, path: JSONPointer.text(flag.path),
                message: "no flag has the key \"\(flag.key)\"; \(advice)", severity: .warning)
        }
    }

    /// Returns a warning for each attribute that resembles a known one and is none.
    ///
    /// - Parameter declared: The known attributes; `nil` for those that several places ask for.
    private func misspeltAttributes(_ declared: [String]?) -> [FlagDefinitionProblem] {
        var places: [String: (count: Int, path: [String], flagKey: String?)] = [:]
        func add(_ rule: Rule, at path: [String], _ flagKey: String?) {
            rule.visit(at: path) { rule, path in
                for (name, path) in rule.attributes(at: path)
                where !name.isEmpty && name != "targetingKey" && !name.hasPrefix("$flagd") {
                    let place = places[name] ?? (0, path, flagKey)
                    places[name] = (place.count + 1, place.path, place.flagKey)
                }
                return true
            }
        }
        for flag in all.sorted(by: { $0.key < $1.key }) {
            if let rule = flag.rule { add(rule.root, at: flag.rulePath, flag.key) }
        }
        for name in shared.rules.keys.sorted() {
            // A rule that is wrong is reported with the flags that name it.
            if let (root, _) = try? shared.rule(name, settings: settings) {
                add(root, at: ["$evaluators", name], nil)
            }
        }
        let common = places.filter { $0.value.count > 1 }.map(\.key)
        let names = Set(declared ?? common)
        let suggestion = KeySuggestion(names.sorted())
        let ordered = places.sorted { $0.key < $1.key }
        let problems = ordered.lazy.compactMap { name, place -> FlagDefinitionProblem? in
            // A rule may ask for a member of an attribute that is an object.
            let isMember = declared != nil && !names.contains(name)
            let text = isMember ? String(name.prefix { $0 != "." }) : name
            guard !names.contains(text), let meant = suggestion.nearest(to: text) else { return nil }
            let question = "the attribute \(text.quoted); did you mean \(meant.quoted)?"
            return FlagDefinitionProblem(
                flagKey: place.flagKey, path: JSONPointer.text(place.path),
                message: declared == nil ? "nothing else asks for \(question)" : "no context has \(question)",
                severity: .warning)
        }
        return Array(problems.prefix(1_000))
    }
}

extension FlagDefinition {
    /// Returns the results of the flag that name none of its variants, and its splits that give no subject a variant:
    /// the first twenty, since a document may hold any number.
    ///
    /// - Parameter readings: The evaluators that were read for other flags.
    func wrongResults(
        _ budget: KeySuggestion.Budget, readings known: inout [RuleReading.Reference: RuleReading]
    ) -> [FlagDefinitionProblem] {
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
        let isThird = rule.settings.fractional == .v3
        let own = RuleReading(resultsOf: rule.root, at: rulePath, splitKeys: isThird)
        var readings = [own]
        // An evaluator is read once for all flags, but each flag has its own variants.
        for reference in own.references.sorted(by: { $0.name < $1.name }) {
            guard let (root, _) = try? evaluators.rule(reference.name, settings: rule.settings) else { continue }
            let reading =
                known[reference]
                ?? RuleReading(
                    resultsOf: root, at: ["$evaluators", reference.name], reference.results ?? [],
                    splitKeys: reference.results == nil
                ).distinct()
            known[reference] = reading
            readings.append(reading)
        }
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
            for key in reading.splitKeys.prefix(100) where RuleReading.isAlwaysNull(key.content) {
                report(
                    key.path,
                    "\"fractional\" is given null to bucket by, so it chooses no variant; name an attribute, or leave it out",
                    leavesDefault: true)
            }
        }
        return problems
    }
}
