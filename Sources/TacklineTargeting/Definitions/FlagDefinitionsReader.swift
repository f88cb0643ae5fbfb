import TacklineCore

/// A reader of documents, flag by flag. It keeps a flag that has a mistake with its error.
struct FlagDefinitionsReader {
    private struct Entry {
        let key: String
        let definition: EncodedFlagValue
        let path: [String]
    }

    /// All flags, each after those that it requires.
    private(set) var flags: [FlagDefinition] = []
    private(set) var metadata: [String: EncodedFlagValue] = [:]
    private(set) var errors: [FlagDefinitionProblem] = []
    let evaluators: SharedRules

    /// The maximum number of listed errors. Further ones are only counted, and rules are not searched for them.
    private static let errorLimit = 1_000
    private var uncounted = 0

    private var ruleCount = 0
    private let budget = KeySuggestion.Budget()
    private var results = RuleResults()

    init(settings: RuleSettings) { evaluators = SharedRules(settings: settings) }

    init(_ root: EncodedFlagValue, settings: RuleSettings) throws(FlagDefinitionProblem) {
        guard case .object(let members) = root else {
            throw FlagDefinitionProblem(path: "", message: "a document of flag definitions needs to be an object")
        }
        let rules = members["$evaluators"]?.members ?? [:]
        evaluators = SharedRules(rules, settings: settings, budget: budget)
        metadata = (members["metadata"]?.members ?? [:]).filter { DefinitionsValidator.isMetadata($0.value) }
        var entries: [Entry] = []
        var problems: [FlagDefinitionProblem] = []
        switch members["flags"] {
        case .object(let definitions)?:
            entries = definitions.map { Entry(key: $0.key, definition: $0.value, path: ["flags", $0.key]) }
        case .array(let definitions)?:
            (entries, problems) = Self.entries(in: definitions)
        default:
            let names = DefinitionsValidator.Names.document
            let meant = members.keys.filter { DefinitionsValidator.Names.meant(by: $0, among: names) == "flags" }.min()
            let advice = meant.map { "; is \($0.quoted) meant to be that?" } ?? ""
            throw FlagDefinitionProblem(
                path: JSONPointer.text([meant ?? "flags"]),
                message: "the document needs its \"flags\" as an object by key\(advice)")
        }
        ruleCount = entries.count { !($0.definition.members?["targeting"]?.members ?? [:]).isEmpty }
        for problem in problems { note(problem) }
        addAll(entries)
    }

    /// Returns the flags of a list, and the mistakes of elements that are none. Of two flags with one key, it cannot be
    /// known which is meant, so neither has a value.
    private static func entries(in list: [EncodedFlagValue]) -> ([Entry], [FlagDefinitionProblem]) {
        var entries: [Entry] = []
        var places: [String: Int] = [:]
        var problems: [FlagDefinitionProblem] = []
        for (position, element) in list.enumerated() {
            let path = ["flags", String(position)]
            guard case .string(let key)? = element.members?["key"], !key.isEmpty else {
                let message = "a flag in a list needs to be an object with a \"key\" that is a text and not empty"
                problems.append(FlagDefinitionProblem(path: JSONPointer.text(path), message: message))
                continue
            }
            if let place = places[key] {
                // Null stands for a key that occurs twice. Its mistake is placed at the second flag.
                if entries[place].definition != .null {
                    entries[place] = Entry(key: key, definition: .null, path: path)
                }
            } else {
                places[key] = entries.count
                entries.append(Entry(key: key, definition: element, path: path))
            }
        }
        return (entries, problems)
    }

    private mutating func addAll(_ entries: [Entry]) {
        let reader = PrerequisiteReader(entries.map(\.key), entries.map(\.definition), budget: budget)
        var made = [FlagDefinition?](repeating: nil, count: entries.count)
        for place in reader.order {
            let entry = entries[place]
            let needs = reader.needs[place].compactMap { need in
                need.place.flatMap { made[$0] }.map { Prerequisite(flag: $0, variant: need.variant) }
            }
            let flag = add(entry, needs: needs, mistake: reader.mistakes[place])
            made[place] = flag
            flags.append(flag)
        }
        if uncounted > 0 {
            errors.append(
                FlagDefinitionProblem(
                    path: "/flags", message: "\(uncounted) more flags are wrong; correct those before first"))
        }
        // Problems without a key come last.
        errors = errors.sorted { ($0.flagKey ?? "\u{10FFFF}", $0.path) < ($1.flagKey ?? "\u{10FFFF}", $1.path) }
    }

    private mutating func note(_ problem: FlagDefinitionProblem) {
        if errors.count < Self.errorLimit { errors.append(problem) } else { uncounted += 1 }
    }

    /// - Parameter mistake: The mistake in the flag's requirements; `nil` for none.
    private mutating func add(_ entry: Entry, needs: [Prerequisite], mistake: String?) -> FlagDefinition {
        let members = entry.definition.members ?? [:]
        let variants = members["variants"]?.members ?? [:]
        var defaultVariant: String?
        if case .string(let name)? = members["defaultVariant"], !name.isEmpty { defaultVariant = name }
        let metadata = (members["metadata"]?.members ?? [:]).filter { DefinitionsValidator.isMetadata($0.value) }
        do throws(FlagDefinitionProblem) {
            try check(entry, members, mistake)
            try check(needs, of: entry)
            var rule: CompiledRule?
            if let targeting = members["targeting"], targeting != .object([:]), targeting != .null {
                rule = try RuleCompiler.compile(
                    targeting, of: entry.key, at: entry.path + ["targeting"], evaluators: evaluators)
            }
            let flag = FlagDefinition(
                key: entry.key, isEnabled: members["state"] == "ENABLED", variants: variants,
                defaultVariant: defaultVariant, metadata: metadata, path: entry.path,
                isSticky: (metadata[StickyAssignments.name] ?? self.metadata[StickyAssignments.name]) == true,
                prerequisites: needs, rule: rule,
                maximumSteps: RuleLimits.steps(forSize: rule?.size ?? 0, ofOneAmong: ruleCount))
            if errors.count < Self.errorLimit { noteWrongResults(of: flag) }
            return flag
        } catch {
            var error = error
            error.flagKey = entry.key
            note(error)
            // A disabled flag stays disabled, whatever is wrong with it. The variants are kept for explanations.
            return FlagDefinition(
                key: entry.key, isEnabled: members["state"] != "DISABLED", variants: variants,
                defaultVariant: defaultVariant, metadata: metadata, error: error, path: entry.path)
        }
    }

    // MARK: Mistakes

    private func check(
        _ entry: Entry, _ members: [String: EncodedFlagValue], _ mistake: String?
    ) throws(FlagDefinitionProblem) {
        func failure(_ names: String..., message: String) -> FlagDefinitionProblem {
            FlagDefinitionProblem(path: JSONPointer.text(entry.path + names), message: message)
        }
        /// Returns the problem of a member, which may be missing because its name is misspelt.
        func failure(of name: String, _ message: String) -> FlagDefinitionProblem {
            let known = DefinitionsValidator.Names.flag
            let misspelt = members.keys.filter { DefinitionsValidator.Names.meant(by: $0, among: known) == name }.min()
            guard members[name] == nil, let misspelt else { return failure(name, message: message) }
            return failure(misspelt, message: "\(misspelt.quoted) means nothing here; did you mean \(name.quoted)?")
        }
        guard case .object = entry.definition else {
            let isTwin = entry.definition == .null && entry.path.last != entry.key
            throw failure(
                message: isTwin
                    ? "the key \(entry.key.quoted) occurs twice; remove one" : "a flag needs to be an object")
        }
        guard !entry.key.isEmpty else { throw failure(message: "a flag's key cannot be empty") }
        guard members["state"] == "ENABLED" || members["state"] == "DISABLED" else {
            var meant: String?
            if case .string(let text)? = members["state"] {
                meant = KeySuggestion(["ENABLED", "DISABLED"]).nearest(to: text)
            }
            let advice = meant.map { "; did you mean \($0.quoted)?" } ?? ""
            throw failure(of: "state", "the state needs to be \"ENABLED\" or \"DISABLED\"\(advice)")
        }
        guard let variants = members["variants"]?.members, !variants.isEmpty else {
            throw failure(of: "variants", "a flag needs \"variants\", an object with at least one member")
        }
        guard variants[""] == nil else { throw failure(of: "variants", "the name of a variant cannot be empty") }
        switch members["defaultVariant"] {
        case nil, .null?, .string?: break
        default:
            throw failure(of: "defaultVariant", "the default variant needs to be the name of a variant, or null")
        }
        switch members["targeting"] {
        case nil, .null?, .object?: break
        default: throw failure(of: "targeting", "the targeting needs to be an object")
        }
        // Without these checks, such a flag would be on without the flags that it requires.
        let metadata = members["metadata"]?.members ?? [:]
        let (needs, sticky) = (PrerequisiteReader.name, StickyAssignments.name)
        switch metadata[needs] {
        case nil, .string?: break
        case let value?:
            let message = "\"\(needs)\" needs to be a text, as in \"cart=on, sso=on\", and is \(value.kind)"
            throw failure("metadata", needs, message: message)
        }
        switch metadata[sticky] {
        case nil, .bool?: break
        case let value?:
            throw failure(
                "metadata", sticky, message: "\"\(sticky)\" needs to be true or false, and is \(value.kind)")
        }
        if let mistake { throw failure("metadata", needs, message: mistake) }
    }

    private func check(_ needs: [Prerequisite], of entry: Entry) throws(FlagDefinitionProblem) {
        for need in needs where need.flag.error == nil && need.flag.value(of: need.variant) == nil {
            let advice = advice(for: need.variant, of: need.flag)
            throw FlagDefinitionProblem(
                path: JSONPointer.text(entry.path + ["metadata", PrerequisiteReader.name]),
                message: "flag \(need.flag.key.quoted) has no variant \(need.variant.quoted); \(advice)")
        }
    }

    /// Notes the default variant and the results of the rule that name none of the flag's variants.
    private mutating func noteWrongResults(of flag: FlagDefinition) {
        var findings: [RuleResults.Finding] = []
        if let name = flag.defaultVariant, flag.value(of: name) == nil {
            findings.append(RuleResults.Finding(path: flag.path + ["defaultVariant"], variant: name))
        }
        if let rule = flag.rule {
            findings += results.search(rule.root, at: flag.path + ["targeting"], of: flag)
        }
        for finding in findings {
            var message = "\(finding.message); the variants are \(flag.variantList)"
            if let variant = finding.variant {
                let who = finding.path.first == "flags" ? "there is" : "flag \(flag.key.quoted) has"
                message = "\(who) no variant \(variant.quoted); \(advice(for: variant, of: flag))"
            }
            errors.append(
                FlagDefinitionProblem(flagKey: flag.key, path: JSONPointer.text(finding.path), message: message))
        }
    }

    private func advice(for variant: String, of flag: FlagDefinition) -> String {
        KeySuggestion(flag.variants.keys.prefix(200), budget: budget)
            .advice(for: variant, otherwise: "the variants are \(flag.variantList)")
    }
}

extension EncodedFlagValue {
    /// The members of an object; `nil` for any other value.
    fileprivate var members: [String: EncodedFlagValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}
