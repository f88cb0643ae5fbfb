import TacklineCore

/// Checks a document against flagd's schema, version 0 (`flags.json` and `flagd.json` of flagd-schemas), part by part.
///
/// A hand-written check instead of a general one, because its messages can say what to do.
struct FlagDefinitionsValidator {
    private var problems: [FlagDefinitionProblem] = []

    /// Everything that is wrong, the known errors included, each place once.
    static func problems(in document: EncodedFlagValue, errors: [FlagDefinitionProblem]) -> [FlagDefinitionProblem] {
        var validator = FlagDefinitionsValidator()
        validator.check(document)
        let known = Set(errors.map(\.path))
        let warnings = validator.problems.filter { !known.contains($0.path) }
        return (errors + warnings).sorted { ($0.path, $0.message) < ($1.path, $1.message) }
    }

    /// Whether a value may stand in metadata.
    static func isMetadata(_ value: EncodedFlagValue) -> Bool {
        switch value {
        case .string, .bool, .integer, .double, .decimal: true
        default: false
        }
    }

    /// The member of a flag's metadata that this package interprets and that has a value of the wrong type, and why; `nil` if
    /// there is none.
    ///
    /// Left alone, such a flag would be on without what it needs.
    static func wrongMember(of metadata: EncodedFlagValue?) -> (name: String, message: String)? {
        guard case .object(let values)? = metadata else { return nil }
        let (needs, sticky) = (PrerequisiteReader.name, StickyAssignments.name)
        switch values[needs] {
        case nil, .string?: break
        case let value?:
            return (needs, "\"\(needs)\" needs to be a text, as in \"cart=on, sso=on\", and is \(value.kind)")
        }
        switch values[sticky] {
        case nil, .bool?: return nil
        case let value?: return (sticky, "\"\(sticky)\" needs to be true or false, and is \(value.kind)")
        }
    }

    private mutating func warn(_ path: [String], _ message: String, flag: String? = nil) {
        problems.append(
            FlagDefinitionProblem(flagKey: flag, path: JSONPointer.text(path), message: message, severity: .warning)
        )
    }

    private mutating func check(_ document: EncodedFlagValue) {
        guard case .object(let members) = document else { return }
        checkMetadata(members["metadata"], path: ["metadata"], flag: nil)
        if case .object(let values)? = members["metadata"] {
            for name in ["flagSetId", "version"] {
                switch values[name] {
                case nil, .string?: break
                default: warn(["metadata", name], "the metadata \"\(name)\" of a document needs to be a text")
                }
            }
        }
        checkEvaluators(members["$evaluators"])
        switch members["flags"] {
        case .object(let flags)?:
            for (key, flag) in flags { check(flag, key: key, path: ["flags", key]) }
        case .array(let flags)?:
            if !Self.allowsList(members["$schema"]) {
                warn(["flags"], "only flagd itself reads a list of flags; write them as an object by key")
            }
            for (position, flag) in flags.enumerated() {
                guard case .object(let own) = flag, case .string(let key)? = own["key"] else { continue }
                check(flag, key: key, path: ["flags", String(position)])
            }
        default: break
        }
    }

    /// `flagd.json` allows a list of flags, `flags.json` does not; a document says which of them it follows.
    private static func allowsList(_ schema: EncodedFlagValue?) -> Bool {
        guard case .string(let address)? = schema else { return false }
        return address.split(separator: "/").last == "flagd.json"
    }

    private mutating func checkEvaluators(_ evaluators: EncodedFlagValue?) {
        switch evaluators {
        case nil: break
        case .object(let rules)?:
            for (name, rule) in rules {
                let path = ["$evaluators", name]
                if name.isEmpty { warn(path, "the name of an evaluator cannot be empty") }
                check(rule: rule, path: path, flag: nil)
            }
        default: warn(["$evaluators"], "the evaluators need to be an object with a rule for each name")
        }
    }

    private mutating func check(_ flag: EncodedFlagValue, key: String, path: [String]) {
        guard case .object(let members) = flag else { return }
        checkMetadata(members["metadata"], path: path + ["metadata"], flag: key)
        if case .object(let variants)? = members["variants"] {
            checkVariants(variants, path: path + ["variants"], flag: key)
        }
        if let rule = members["targeting"] { check(rule: rule, path: path + ["targeting"], flag: key) }
    }

    private mutating func checkVariants(_ variants: [String: EncodedFlagValue], path: [String], flag: String) {
        let types = Set(variants.values.map { FlagValueType($0) })
        if types.count > 1 {
            warn(path, "all variants of a flag need to have values of one type", flag: flag)
        } else if types.contains(.array) || types.contains(nil) {
            warn(path, "a variant's value needs to be a boolean, a number, a text or an object", flag: flag)
        }
    }

    private mutating func checkMetadata(_ metadata: EncodedFlagValue?, path: [String], flag: String?) {
        switch metadata {
        case nil: break
        case .object(let values)?:
            for (name, value) in values where !Self.isMetadata(value) {
                warn(path + [name], "metadata needs to be a text, a number or a boolean", flag: flag)
            }
            checkOwnNames(values, path: path, flag: flag)
        default: warn(path, "metadata needs to be an object", flag: flag)
        }
    }

    /// Checks the names that this package goes by. The value of a flag's is checked by ``wrongMember(of:)``.
    private mutating func checkOwnNames(_ values: [String: EncodedFlagValue], path: [String], flag: String?) {
        let known = [StickyAssignments.name] + (flag == nil ? [] : [PrerequisiteReader.name])
        for name in values.keys where name.hasPrefix("tackline.") && !known.contains(name) {
            if flag == nil, name.hasPrefix(FlagDefinitions.constraintPrefix) { continue }
            let advice = KeySuggestion(known).advice(
                for: name, otherwise: flag == nil ? "only flags can have it" : "correct the name, or remove it")
            warn(path + [name], "metadata \"\(name)\" means nothing here; \(advice)", flag: flag)
        }
        if flag == nil, let wrong = Self.wrongMember(of: .object(values)), wrong.name != PrerequisiteReader.name {
            warn(path + [wrong.name], wrong.message)
        }
    }

    private mutating func check(rule: EncodedFlagValue, path: [String], flag: String?) {
        for problem in RuleValidator.problems(in: rule, path: path) {
            warn(problem.path, problem.message, flag: flag)
        }
    }
}
