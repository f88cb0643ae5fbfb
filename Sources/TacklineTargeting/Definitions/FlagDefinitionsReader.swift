import TacklineCore

/// A reader of documents, flag by flag. It keeps a flag that has a mistake with its error.
struct FlagDefinitionsReader {
    private(set) var flags: [String: FlagDefinition] = [:]
    /// All flags in the order in which they were made. They lie in memory in this order, in which evaluating all of
    /// them is fastest.
    private(set) var all: [FlagDefinition] = []
    private(set) var metadata: [String: EncodedFlagValue] = [:]
    private(set) var errors: [FlagDefinitionProblem] = []

    /// The maximum number of listed errors. Further ones are only counted, and rules are not searched for them.
    private static let errorLimit = 1_000
    private var uncounted = 0

    /// The rules that `$ref` names.
    let evaluators: SharedRules
    private let settings: RuleSettings
    private let budget = KeySuggestion.Budget()
    private var readings: [RuleReading.Reference: RuleReading] = [:]
    private var variantNames: [String: (KeySuggestion, list: String)] = [:]

    init(_ root: EncodedFlagValue, settings: RuleSettings) throws(TargetingError) {
        guard case .object(let members) = root else {
            throw TargetingError(code: .parseError, message: "a document of flag definitions needs to be an object")
        }
        let rules: [String: EncodedFlagValue] =
            if case .object(let rules)? = members["$evaluators"] { rules } else { [:] }
        let ruleCount = Self.ruleCount(members["flags"])
        evaluators = SharedRules(rules, ruleCount: ruleCount, budget: budget)
        self.settings = settings
        if case .object(let values)? = members["metadata"] {
            metadata = values.filter { FlagDefinitionsValidator.isMetadata($0.value) }
        }
        switch members["flags"] {
        case .object(let definitions)?:
            addAll(definitions) { _ in nil }
        case .array(let definitions)?:
            addList(definitions)
        default:
            let misspelt =
                members["flags"] == nil
                ? KnownNames.misspelling(of: "flags", among: members.keys, known: KnownNames.document) : nil
            let advice = misspelt.map { "; is \($0.quoted) meant to be that?" } ?? ""
            throw TargetingError(
                code: .parseError, path: JSONPointer.text([misspelt ?? "flags"]),
                message: "the document needs its \"flags\" as an object by key\(advice)")
        }
    }

    /// Returns the number of flags that have a rule.
    private static func ruleCount(_ flags: EncodedFlagValue?) -> Int {
        func hasRule(_ flag: EncodedFlagValue) -> Bool {
            if case .object(let members) = flag, case .object(let rule)? = members["targeting"] {
                !rule.isEmpty
            } else {
                false
            }
        }
        return switch flags {
        case .object(let members): members.values.count(where: hasRule)
        case .array(let elements): elements.count(where: hasRule)
        default: 0
        }
    }

    /// Adds flags, each after those that it requires.
    private mutating func addAll(_ definitions: [String: EncodedFlagValue], position: (String) -> Int?) {
        flags.reserveCapacity(definitions.count)
        var prerequisites = PrerequisiteReader(definitions, budget: budget)
        // A key that occurs twice has a flag already.
        let hasTwins = !flags.isEmpty
        for (key, definition, needs, mistake) in prerequisites.order() where !hasTwins || flags[key] == nil {
            let flag = add(key, definition, position: position(key), needs: needs, mistake: mistake)
            flags[key] = flag
            all.append(flag)
        }
        if uncounted > 0 {
            note(
                FlagDefinitionProblem(
                    path: "/flags", message: "\(uncounted) more flags are wrong; correct those before first",
                    severity: .error), always: true)
        }
        // Problems without a key come last.
        errors = errors.sorted {
            ($0.flagKey ?? "\u{10FFFF}", $0.path) < ($1.flagKey ?? "\u{10FFFF}", $1.path)
        }
    }

    private mutating func addList(_ elements: [EncodedFlagValue]) {
        var definitions: [String: EncodedFlagValue] = [:]
        var positions: [String: Int] = [:]
        for (position, element) in elements.enumerated() {
            let path = ["flags", String(position)]
            guard let key = key(of: element, path: path) else { continue }
            guard definitions[key] == nil else {
                // It cannot be known which of the two is meant, so neither has a value.
                let error = TargetingError(
                    code: .parseError, path: JSONPointer.text(path),
                    message: "the key \"\(key)\" occurs twice; remove one")
                let flag = FlagDefinition(key: key, metadata: LayeredMetadata(shared: metadata), error: error)
                if flags.updateValue(flag, forKey: key) == nil { all.append(flag) }
                report(error, of: key)
                definitions[key] = .null
                continue
            }
            definitions[key] = element
            positions[key] = position
        }
        addAll(definitions) { positions[$0] }
    }

    /// Returns the key of an element of a list; reports an element without a key and returns `nil` for it.
    private mutating func key(of definition: EncodedFlagValue, path: [String]) -> String? {
        guard case .object(let members) = definition, case .string(let key)? = members["key"], !key.isEmpty else {
            let message = "a flag in a list needs to be an object with a \"key\" that is a text and not empty"
            note(FlagDefinitionProblem(path: JSONPointer.text(path), message: message, severity: .error))
            return nil
        }
        return key
    }

    /// - Parameters:
    ///   - needs: The flags that the flag requires, with their variants. They were read before it.
    ///   - mistake: The mistake in its requirements; `nil` for none.
    private mutating func add(
        _ key: String, _ definition: EncodedFlagValue, position: Int?, needs: [PrerequisiteReader.Need] = [],
        mistake: String? = nil
    ) -> FlagDefinition {
        do throws(TargetingError) {
            let flag = try read(key, definition, position: position, needs: needs, mistake: mistake)
            if errors.count < Self.errorLimit { errors += flag.wrongResults(budget, readings: &readings) }
            return flag
        } catch {
            // A disabled flag stays disabled, whatever is wrong with it.
            let isDisabled = if case .object(let own) = definition { own["state"] == "DISABLED" } else { false }
            report(error, of: key)
            // The variants are kept, since an explanation lists them.
            let members: [String: EncodedFlagValue] = if case .object(let own) = definition { own } else { [:] }
            let variants: [String: EncodedFlagValue] =
                if case .object(let variants)? = members["variants"] { variants } else { [:] }
            let defaultVariant: String? = if case .string(let name)? = members["defaultVariant"] { name } else { nil }
            return FlagDefinition(
                key: key, isEnabled: !isDisabled, variants: variants, defaultVariant: defaultVariant,
                metadata: LayeredMetadata(shared: metadata), error: error,
                position: position)
        }
    }

    /// Returns the names of a flag's variants for messages. They are made once, however many flags name wrong ones.
    private mutating func variantNames(of flag: FlagDefinition) -> (KeySuggestion, list: String) {
        if let known = variantNames[flag.key] { return known }
        let names = flag.variants.keys.prefix(200).sorted()
        let made = (KeySuggestion(names, budget: budget), list: FlagDefinition.list(names[...]))
        variantNames[flag.key] = made
        return made
    }

    private mutating func report(_ error: TargetingError, of key: String) {
        note(FlagDefinitionProblem(flagKey: key, path: error.path, message: error.message, severity: .error))
    }

    private mutating func note(_ problem: FlagDefinitionProblem, always: Bool = false) {
        guard errors.count < Self.errorLimit || always else {
            uncounted += 1
            return
        }
        errors.append(problem)
    }

    private mutating func read(
        _ key: String, _ definition: EncodedFlagValue, position: Int?, needs: [PrerequisiteReader.Need],
        mistake: String?
    ) throws(TargetingError) -> FlagDefinition {
        let path = ["flags", position.map(String.init) ?? key]
        func failure(_ member: String?, _ message: String) -> TargetingError {
            TargetingError(
                code: .parseError, path: JSONPointer.text(member.map { path + [$0] } ?? path), message: message
            )
        }
        guard case .object(let members) = definition else { throw failure(nil, "a flag needs to be an object") }
        guard !key.isEmpty else { throw failure(nil, "a flag's key cannot be empty") }
        func misspelling(_ name: String) -> TargetingError? {
            KnownNames.misspelling(of: name, among: members.keys, known: KnownNames.flag).map {
                failure($0, "\($0.quoted) means nothing here; did you mean \(name.quoted)?")
            }
        }
        let isEnabled: Bool
        switch members["state"] {
        case .string("ENABLED")?: isEnabled = true
        case .string("DISABLED")?: isEnabled = false
        case let state:
            if state == nil, let error = misspelling("state") { throw error }
            var advice = ""
            if case .string(let text)? = state, let meant = KeySuggestion(["ENABLED", "DISABLED"]).nearest(to: text) {
                advice = "; did you mean \(meant.quoted)?"
            }
            throw failure("state", "the state needs to be \"ENABLED\" or \"DISABLED\"\(advice)")
        }
        guard case .object(let variants)? = members["variants"] else {
            if members["variants"] == nil, let error = misspelling("variants") { throw error }
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
            guard flag.error != nil || flag.has(need.variant) else {
                let (suggestion, list) = variantNames(of: flag)
                let advice = suggestion.advice(for: need.variant, otherwise: "the variants are \(list)")
                throw TargetingError(
                    code: .parseError, path: JSONPointer.text(path + needsPath),
                    message: "flag \(need.flag.quoted) has no variant \(need.variant.quoted); \(advice)")
            }
            prerequisites.append(Prerequisite(flag: flag, variant: need.variant))
        }
        var rule: CompiledRule?
        switch members["targeting"] {
        case nil, .null?, .object([:])?: break
        case .object(let members)?:
            rule = try RuleCompiler.compile(
                .object(members), of: key, at: path + ["targeting"], evaluators: evaluators, settings: settings)
        default: throw failure("targeting", "the targeting needs to be an object")
        }

        var metadata = LayeredMetadata(shared: metadata)
        if case .object(let own)? = members["metadata"] {
            metadata.own = own.filter { FlagDefinitionsValidator.isMetadata($0.value) }
        }
        return FlagDefinition(
            key: key, isEnabled: isEnabled, variants: variants, defaultVariant: defaultVariant,
            metadata: metadata, position: position, prerequisites: prerequisites, rule: rule,
            evaluators: evaluators
        )
    }
}
