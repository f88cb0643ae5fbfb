public import TacklineFoundation
public import TacklineCore

// Foundation: `Date` is the source of `$flagd.timestamp`, and files and servers give `Data`.

/// A document in flagd's format: flags with their variants and rules, compiled and ready to be evaluated.
///
/// ```swift
/// let definitions = try FlagDefinitions(json: data)
/// let evaluation = definitions.evaluate("reservations", for: user)
/// ```
///
/// A mistake in one flag does not affect the others: that flag alone gives an error, which ``errors`` describes.
///
/// Copies share the compiled flags. Any thread may evaluate at any time, without a lock.
public struct FlagDefinitions: Sendable {
    /// A document, held by one reference: a copy of its parts would retain each of them at each read.
    final class Content: Sendable {
        let flags: [String: FlagDefinition]
        /// All flags, each after those that it requires.
        let all: [FlagDefinition]
        let metadata: [String: EncodedFlagValue]
        let errors: [FlagDefinitionProblem]
        let evaluators: SharedRules
        let timed: TimedRules
        /// The text that the document was read from; `nil` for a document that was made of values.
        let json: Data?
        /// The values of a document without text, which take more than ten times as much memory.
        let root: EncodedFlagValue?

        init(_ reader: FlagDefinitionsReader, root: EncodedFlagValue? = nil, json: Data? = nil) {
            all = reader.flags
            flags = Dictionary(all.map { ($0.key, $0) }) { first, _ in first }
            metadata = reader.metadata
            errors = reader.errors.located(in: json)
            evaluators = reader.evaluators
            timed = TimedRules(all.lazy.filter(\.isEnabled).compactMap { $0.rule?.root })
            self.json = json
            self.root = root
        }
    }

    let content: Content

    /// Reads and compiles a document from its JSON text.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8. Its flags may be an object, or a list whose elements have a `key`.
    ///   - fractional: The generation of `fractional`. Everyone who evaluates the document must use the same one.
    /// - Throws: `FlagError` with line and column if the text is no JSON, or with the reason why the document is unusable
    ///   as a whole.
    /// - Complexity: O(*n*) in the number of bytes.
    public init(json: Data, fractional: FractionalVersion = .v2) throws(FlagError) {
        try self.init(json: json, fractional: fractional, timestamp: Self.currentTimestamp)
    }

    /// - Parameter timestamp: Returns the time that rules see, in seconds since 1970.
    package init(
        json: Data, fractional: FractionalVersion = .v2, timestamp: @escaping @Sendable () -> Int64
    ) throws(FlagError) {
        do {
            let settings = RuleSettings(timestamp: timestamp, fractional: fractional)
            try self.init(Self.root(of: json), json: json, settings: settings)
        } catch let error as FlagDefinitionProblem {
            let problem = [error].located(in: json)[0]
            throw FlagError(.invalidDocument, "\(problem.place): \(problem.message)")
        } catch {
            throw FlagError(.invalidDocument, "\(error)")
        }
    }

    /// Compiles a document that was made of values.
    package init(
        _ document: EncodedFlagValue, fractional: FractionalVersion = .v2,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(FlagDefinitionProblem) {
        let settings = RuleSettings(timestamp: timestamp, fractional: fractional)
        try self.init(document, json: nil, settings: settings)
    }

    /// - Parameter json: The text that the document was read from; `nil` for none.
    init(_ root: EncodedFlagValue, json: Data?, settings: RuleSettings) throws(FlagDefinitionProblem) {
        let reader = try FlagDefinitionsReader(root, settings: settings)
        content = Content(reader, root: json == nil ? .some(root) : .none, json: json)
    }

    init(settings: RuleSettings) { content = Content(FlagDefinitionsReader(settings: settings)) }

    /// Returns the values of a document's text.
    private static func root(of json: Data) throws(FlagJSONError) -> EncodedFlagValue {
        let format = FlagDocumentFormat.flagd(context: .fixed(EvaluationContext()))
        return .object(try format.document(json: json).root)
    }

    /// The system's time in whole seconds since 1970.
    package static let currentTimestamp: @Sendable () -> Int64 = {
        Int64(Date().timeIntervalSince1970.rounded(.down))
    }

    /// The keys of all flags in order, including those with errors.
    public var keys: [String] { flags.keys.sorted() }

    /// The errors of flags, in the order of the flags' keys, with line and column if the document was read from JSON.
    ///
    /// A flag gives its error for every subject, or only for those to whom its rule gives what is no variant. If there
    /// are more than a thousand errors, the last one states the number of the others.
    public var errors: [FlagDefinitionProblem] { content.errors }

    /// The flags by their keys, including those with errors.
    package var flags: [String: FlagDefinition] { content.flags }

    /// Returns the flag with a key, or else the one whose value may be an object with the rest of the key.
    func flag(at key: FlagKeyPath) -> FlagDefinition? {
        if let flag = content.flags[key.text] { return flag }
        return key.components.count > 1 ? content.flags[key.components[0]] : nil
    }

    /// Evaluates a flag.
    ///
    /// - Returns: A value, no opinion, or an error. Nothing is thrown, and the cost is bounded, whatever the document
    ///   holds.
    public func evaluate(_ key: String, for context: EvaluationContext) -> FlagEvaluation {
        guard let flag = content.flags[key] else {
            return FlagEvaluation(
                value: nil, reason: .error, metadata: content.metadata, errorCode: .flagNotFound,
                errorMessage: "Flag \(key.quoted): the document has no such flag.")
        }
        // Returned as it is made, because to keep it would copy it.
        if content.metadata.isEmpty { return FlagEvaluator().evaluate(flag, for: context) }
        return completed(FlagEvaluator().evaluate(flag, for: context))
    }

    /// Returns an evaluation with the metadata of the document, over which the flag's own count.
    func completed(_ evaluation: FlagEvaluation) -> FlagEvaluation {
        var evaluation = evaluation
        evaluation.metadata = content.metadata.merging(evaluation.metadata) { $1 }
        return evaluation
    }

    // MARK: Checking

    /// Returns everything in the document that flagd's schema refuses or that is probably a mistake, sorted by path:
    /// ``errors``, and warnings.
    ///
    /// A warning concerns something that has a meaning all the same, such as `starts_with` with one argument, which is
    /// null; or a name that resembles a known one, such as an attribute that only one rule asks for. At most a thousand
    /// problems of each kind are listed.
    ///
    /// - Parameter flagKeys: The keys of all flags that the app declares; any other flag in the document is a warning.
    ///   `nil` accepts every key.
    /// - Complexity: O(*n*) in the size of the document.
    public func validate(flagKeys: [String]? = nil) -> [FlagDefinitionProblem] {
        validate(flagKeys: flagKeys, attributes: nil)
    }

    /// - Parameter attributes: The names of the attributes in the app's contexts. An attribute that resembles one of them
    ///   and is none is a warning.
    package func validate(flagKeys: [String]? = nil, attributes: [String]?) -> [FlagDefinitionProblem] {
        // A text was read once, so it can be read again.
        let root = content.root ?? content.json.flatMap { try? Self.root(of: $0) } ?? .null
        let known = Set(errors.map(\.path))
        var problems = errors + DefinitionsValidator.problems(in: root).filter { !known.contains($0.path) }
        if let flagKeys { problems += undeclaredFlags(flagKeys) }
        problems += misspeltAttributes(attributes)
        return problems.sorted { ($0.path, $0.message) < ($1.path, $1.message) }.located(in: content.json)
    }

    /// Returns the problems of a document that has not been compiled. A document that cannot be used at all has a
    /// single error.
    package static func validate(_ document: EncodedFlagValue) -> [FlagDefinitionProblem] {
        do {
            return try FlagDefinitions(document).validate()
        } catch {
            return [error]
        }
    }

    private func undeclaredFlags(_ declared: [String]) -> [FlagDefinitionProblem] {
        let known = Set(declared)
        let suggestion = KeySuggestion(declared)
        return flags.values.filter { !known.contains($0.key) }.prefix(1_000).map { flag in
            let advice = suggestion.advice(for: flag.key, otherwise: "remove it, or declare the flag")
            return FlagDefinitionProblem(
                flagKey: flag.key, path: JSONPointer.text(flag.path),
                message: "no flag has the key \(flag.key.quoted); \(advice)", isError: false)
        }
    }

    /// Returns a warning for each attribute that resembles a known one and is none.
    ///
    /// - Parameter declared: The known attributes; `nil` for those that several places ask for.
    private func misspeltAttributes(_ declared: [String]?) -> [FlagDefinitionProblem] {
        var places: [String: (count: Int, path: [String], flagKey: String?)] = [:]
        func add(_ rule: Rule?, at path: [String], _ flagKey: String?) {
            rule?.visit(at: path) { rule, path in
                for (name, path) in rule.attributes(at: path)
                where (1...VariablePath.nameLimit).contains(name.utf8.count) && name != "targetingKey"
                    && !name.hasPrefix("$flagd")
                {
                    places[name, default: (0, path, flagKey)].count += 1
                }
                return true
            }
        }
        for flag in flags.values.sorted(by: { $0.key < $1.key }) {
            add(flag.rule?.root, at: flag.path + ["targeting"], flag.key)
        }
        for (name, rule) in content.evaluators.rules.sorted(by: { $0.key < $1.key }) {
            // A rule that is wrong is reported with the flags that name it.
            add(try? rule.get().root, at: ["$evaluators", name], nil)
        }
        let names = Set(declared ?? places.filter { $0.value.count > 1 }.map(\.key))
        let suggestion = KeySuggestion(names)
        let problems = places.sorted { $0.key < $1.key }.lazy.compactMap { name, place -> FlagDefinitionProblem? in
            // A rule may ask for a member of an attribute that is an object.
            let text = declared != nil && !names.contains(name) ? String(name.prefix { $0 != "." }) : name
            guard !names.contains(text), let meant = suggestion.nearest(to: text) else { return nil }
            let subject = declared == nil ? "nothing else asks for" : "no context has"
            return FlagDefinitionProblem(
                flagKey: place.flagKey, path: JSONPointer.text(place.path),
                message: "\(subject) the attribute \(text.quoted); did you mean \(meant.quoted)?", isError: false)
        }
        return Array(problems.prefix(1_000))
    }
}
