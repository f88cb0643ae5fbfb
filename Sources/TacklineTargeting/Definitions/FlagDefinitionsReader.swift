import TacklineCore

/// Reads a document, flag by flag; a flag that is wrong is kept with its error.
struct FlagDefinitionsReader {
    private(set) var flags: [String: FlagDefinition] = [:]
    /// The flags for which there is no room in ``flags``.
    private(set) var namesakes: [FlagDefinition] = []
    private(set) var metadata: [String: EncodedFlagValue] = [:]
    private(set) var errors: [FlagDefinitionProblem] = []

    /// With more errors than that, rules are not looked through for further ones: each costs a search for what was meant.
    private static let errorLimit = 1000

    private var evaluators: [String: EncodedFlagValue] = [:]
    /// How many values the flags may still take from evaluators and from the document's metadata: each has a copy of its own,
    /// and a short document may ask for any number of them.
    private var remainingShared: Int
    private let settings: RuleSettings

    /// - Parameter namesakes: The flags that the document has besides, by keys that are equivalent to others.
    init(
        _ document: EncodedFlagValue, namesakes: [String: EncodedFlagValue], settings: RuleSettings
    ) throws(TargetingError) {
        self.settings = settings
        remainingShared = settings.limits.maximumSharedSize
        guard case .object(let members) = document else {
            throw TargetingError(code: .parseError, message: "a document of flag definitions needs to be an object")
        }
        if case .object(let rules)? = members["$evaluators"] { evaluators = rules }
        if case .object(let values)? = members["metadata"] {
            metadata = values.filter { FlagDefinitionsValidator.isMetadata($0.value) }
        }
        switch members["flags"] {
        case .object(let definitions)?:
            addAll(definitions) { ["flags", $0] }
            for (key, definition) in namesakes.sorted(by: { $0.key < $1.key }) {
                self.namesakes.append(
                    add(
                        key, definition, path: ["flags", key],
                        mistake: PrerequisiteReader.hasNeeds(definition)
                            ? "what a flag needs is not looked for where another flag's key is the same but for its "
                                + "Unicode normalisation; rename one of them" : nil))
            }
        case .array(let definitions)?:
            addList(definitions)
        default:
            throw TargetingError(
                code: .parseError, path: "/flags", message: "the document needs its \"flags\" as an object by key"
            )
        }
    }

    /// Adds flags, each after those that it needs.
    private mutating func addAll(_ definitions: [String: EncodedFlagValue], path: (String) -> [String]) {
        var prerequisites = PrerequisiteReader(definitions)
        let (keys, mistakes) = prerequisites.order(definitions.keys.sorted())
        // A key that occurs twice has a flag already.
        for key in keys where flags[key] == nil {
            flags[key] = add(
                key, definitions[key] ?? .null, path: path(key), needs: prerequisites.needs(of: key),
                mistake: mistakes[key])
        }
        // Those without a key come last.
        errors.sort {
            ($0.flagKey == nil ? 1 : 0, $0.flagKey ?? "", $0.path) < (
                $1.flagKey == nil ? 1 : 0, $1.flagKey ?? "", $1.path
            )
        }
    }

    private mutating func addList(_ elements: [EncodedFlagValue]) {
        var definitions: [String: EncodedFlagValue] = [:]
        var paths: [String: [String]] = [:]
        for (position, element) in elements.enumerated() {
            let path = ["flags", String(position)]
            guard let key = key(of: element, path: path) else { continue }
            guard definitions[key] == nil else {
                // Which of the two is meant cannot be known, so neither answers.
                let error = TargetingError(
                    code: .parseError, path: JSONPointer.text(path),
                    message: "the key \"\(key)\" occurs twice; remove one")
                flags[key] = FlagDefinition(key: key, metadata: metadata, error: error)
                report(error, of: key)
                definitions[key] = .null
                continue
            }
            definitions[key] = element
            paths[key] = path
        }
        addAll(definitions) { paths[$0] ?? [] }
    }

    /// The key of an element of a list; `nil`, and reported, where it has none.
    private mutating func key(of definition: EncodedFlagValue, path: [String]) -> String? {
        guard case .object(let members) = definition, case .string(let key)? = members["key"], !key.isEmpty else {
            if case .unparsed(let mistake) = definition {
                let path = JSONPointer.text(path)
                errors.append(FlagDefinitionProblem(path: path, message: mistake, severity: .error))
                return nil
            }
            let message = "a flag in a list needs to be an object with a \"key\" that is a text and not empty"
            errors.append(FlagDefinitionProblem(path: JSONPointer.text(path), message: message, severity: .error))
            return nil
        }
        return key
    }

    /// - Parameters:
    ///   - needs: The flags, and their variants, that the flag needs, which were read before it.
    ///   - mistake: What is wrong with those.
    private mutating func add(
        _ key: String, _ definition: EncodedFlagValue, path: [String], needs: [(flag: String, variant: String)] = [],
        mistake: String? = nil
    ) -> FlagDefinition {
        do {
            let flag = try read(key, definition, path: path, needs: needs, mistake: mistake)
            if errors.count < Self.errorLimit { errors += flag.wrongResults(evaluators) }
            return flag
        } catch {
            // A flag that is switched off stays so, whatever is wrong with it.
            let isDisabled = if case .object(let own) = definition { own["state"] == "DISABLED" } else { false }
            report(error, of: key)
            return FlagDefinition(
                key: key, isEnabled: !isDisabled, metadata: metadata, error: error, path: path)
        }
    }

    private mutating func report(_ error: TargetingError, of key: String) {
        errors.append(
            FlagDefinitionProblem(flagKey: key, path: error.path, message: error.message, severity: .error)
        )
    }

    private mutating func read(
        _ key: String, _ definition: EncodedFlagValue, path: [String], needs: [(flag: String, variant: String)],
        mistake: String?
    ) throws(TargetingError) -> FlagDefinition {
        func failure(_ member: String?, _ message: String) -> TargetingError {
            TargetingError(
                code: .parseError, path: JSONPointer.text(member.map { path + [$0] } ?? path), message: message
            )
        }
        // What the reader of the document could not keep, with line and column.
        if case .unparsed(let mistake) = definition { throw failure(nil, mistake) }
        guard case .object(let members) = definition else { throw failure(nil, "a flag needs to be an object") }
        guard !key.isEmpty else { throw failure(nil, "a flag's key cannot be empty") }
        let isEnabled: Bool
        switch members["state"] {
        case .string("ENABLED")?: isEnabled = true
        case .string("DISABLED")?: isEnabled = false
        default: throw failure("state", "the state needs to be \"ENABLED\" or \"DISABLED\"")
        }
        guard case .object(let variants)? = members["variants"] else {
            throw failure("variants", "a flag needs \"variants\", an object with at least one member")
        }
        guard !variants.isEmpty else { throw failure("variants", "a flag needs at least one variant") }
        guard variants[""] == nil else { throw failure("variants", "the name of a variant cannot be empty") }

        let defaultVariant: String?
        switch members["defaultVariant"] {
        case nil, .null?, .string("")?: defaultVariant = nil
        case .string(let name)?: defaultVariant = name
        default: throw failure("defaultVariant", "the default variant needs to be the name of a variant, or null")
        }

        let needsPath = ["metadata", PrerequisiteReader.name]
        if let wrong = FlagDefinitionsValidator.wrongMember(of: members["metadata"]) {
            throw TargetingError(
                code: .parseError, path: JSONPointer.text(path + ["metadata", wrong.name]), message: wrong.message)
        }
        if let mistake {
            throw TargetingError(code: .parseError, path: JSONPointer.text(path + needsPath), message: mistake)
        }
        var prerequisites: [Prerequisite] = []
        for need in needs {
            guard let flag = flags[need.flag] else { continue }
            guard flag.error != nil || flag.variants[need.variant] != nil else {
                let advice = KeySuggestion(flag.variants.keys.sorted()).advice(
                    for: need.variant, otherwise: "correct its name")
                throw TargetingError(
                    code: .parseError, path: JSONPointer.text(path + needsPath),
                    message: "flag \"\(need.flag)\" has no variant \"\(need.variant)\"; \(advice)")
            }
            prerequisites.append(Prerequisite(flag: flag, variant: need.variant))
        }
        var program: RuleProgram?
        var targeting: EncodedFlagValue?
        switch members["targeting"] {
        case nil, .object([:])?: break
        case .object(let rule)?:
            targeting = .object(rule)
            program = try RuleCompiler.compile(
                .object(rule), of: key, evaluators: evaluators, settings: settings, path: path + ["targeting"],
                remainingShared: &remainingShared)
        default: throw failure("targeting", "the targeting needs to be an object")
        }

        var metadata = metadata
        if case .object(let own)? = members["metadata"] {
            // The copy is the flag's own.
            remainingShared -= metadata.count
            guard remainingShared >= 0 else {
                throw failure(
                    "metadata",
                    "the flags of the document take more than \(settings.limits.maximumSharedSize) members from its "
                        + "metadata; shorten that, or raise the limit")
            }
            for (name, value) in own where FlagDefinitionsValidator.isMetadata(value) { metadata[name] = value }
        }
        return FlagDefinition(
            key: key, isEnabled: isEnabled, variants: variants, defaultVariant: defaultVariant, targeting: targeting,
            metadata: metadata, path: path, prerequisites: prerequisites, program: program,
            evaluators: evaluators
        )
    }
}
