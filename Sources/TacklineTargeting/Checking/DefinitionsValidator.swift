import TacklineCore

/// A check of a document against flagd's schema, version 0 (`flags.json` and `flagd.json` of flagd-schemas), part by
/// part. Everything that it finds is a warning.
///
/// The code is specific to this schema, so that its messages can state a remedy.
struct DefinitionsValidator {
    /// The maximum number of problems in a document, and in one rule. A short document may have any number of them.
    private static let limit = 1_000
    private static let limitForRule = 100

    private(set) var problems: [FlagDefinitionProblem] = []
    private var maximumCount = limit
    private(set) var path: [String] = []
    private var flagKey: String?

    static func problems(in document: EncodedFlagValue) -> [FlagDefinitionProblem] {
        var validator = DefinitionsValidator()
        validator.check(document)
        return validator.problems
    }

    /// The known names at a level of a document, by which misspelt ones are found.
    enum Names {
        static let document = ["$schema", "flags", "$evaluators", "metadata"]
        static let flag = ["state", "variants", "defaultVariant", "targeting", "metadata", "key"]
        static let documentMetadata = ["flagSetId", "version", StickyAssignments.name]
        static let flagMetadata = ["flagSetId", PrerequisiteReader.name, StickyAssignments.name]

        /// Returns the known name that was probably meant; `nil` for a name that is known or resembles none.
        static func meant(by name: String, among known: [String]) -> String? {
            // The time to compare a text grows with the square of a run of combining marks.
            guard name.utf8.count <= VariablePath.nameLimit, !known.contains(name) else { return nil }
            return KeySuggestion(known).nearest(to: name)
        }
    }

    static func isMetadata(_ value: EncodedFlagValue) -> Bool {
        switch value {
        case .string, .bool, .integer, .double: true
        default: false
        }
    }

    // MARK: Places

    mutating func report(_ message: String) {
        guard problems.count < maximumCount else { return }
        problems.append(
            FlagDefinitionProblem(flagKey: flagKey, path: JSONPointer.text(path), message: message, isError: false))
    }

    mutating func at(_ component: String, _ check: (inout DefinitionsValidator) -> Void) {
        guard problems.count < maximumCount else { return }
        path.append(component)
        check(&self)
        path.removeLast()
    }

    // MARK: The document

    private mutating func check(_ document: EncodedFlagValue) {
        guard case .object(let members) = document else { return }
        checkNames(members, known: Names.document)
        at("metadata") { validator in
            validator.checkMetadata(members["metadata"], known: Names.documentMetadata)
            guard case .object(let values)? = members["metadata"] else { return }
            for name in ["flagSetId", "version"] {
                if case nil = values[name] { continue }
                if case .string? = values[name] { continue }
                validator.at(name) { $0.report("the metadata \"\(name)\" of a document needs to be a text") }
            }
        }
        at("$evaluators") { $0.checkEvaluators(members["$evaluators"]) }
        at("flags") { validator in
            switch members["flags"] {
            case .object(let flags)?:
                for (key, flag) in flags.sorted(by: { $0.key < $1.key }) {
                    validator.at(key) { $0.check(flag, key: key) }
                }
            case .array(let flags)?:
                // The schema `flagd.json` allows a list, `flags.json` does not.
                var address = ""
                if case .string(let text)? = members["$schema"] { address = text }
                if !address.hasSuffix("/flagd.json") {
                    validator.report("only flagd itself reads a list of flags; write them as an object by key")
                }
                for (position, flag) in flags.enumerated() {
                    guard case .object(let own) = flag, case .string(let key)? = own["key"] else { continue }
                    validator.at(String(position)) { $0.check(flag, key: key) }
                }
            default: break
            }
        }
    }

    private mutating func checkEvaluators(_ evaluators: EncodedFlagValue?) {
        switch evaluators {
        case nil: break
        case .object(let rules)?:
            for (name, rule) in rules.sorted(by: { $0.key < $1.key }) {
                at(name) { validator in
                    if name.isEmpty { validator.report("the name of an evaluator cannot be empty") }
                    validator.checkRule(rule)
                }
            }
        default: report("the evaluators need to be an object with a rule for each name")
        }
    }

    private mutating func check(_ flag: EncodedFlagValue, key: String) {
        guard case .object(let members) = flag else { return }
        flagKey = key
        defer { flagKey = nil }
        checkNames(members, known: Names.flag)
        for name in members.keys where name == "rules" || RuleOperator.byName[name] != nil {
            at(name) { $0.report("\(name.quoted) means nothing here; put it into \"targeting\"") }
        }
        at("metadata") { $0.checkMetadata(members["metadata"], known: Names.flagMetadata) }
        if case .object(let variants)? = members["variants"] { at("variants") { $0.checkVariants(variants) } }
        if let rule = members["targeting"], rule != .null { at("targeting") { $0.checkRule(rule) } }
    }

    /// Warns of names that resemble known ones, and of those that only this package could know. Any other name may
    /// belong to another tool.
    private mutating func checkNames(_ members: [String: EncodedFlagValue], known: [String]) {
        guard !members.keys.allSatisfy(known.contains) else { return }
        let suggestion = KeySuggestion(known)
        for name in members.keys.sorted() where !known.contains(name) {
            let isOwn = name.hasPrefix("tackline.")
            guard
                let advice = suggestion.nearest(to: name).map({ "did you mean \($0.quoted)?" })
                    ?? (isOwn ? "correct the name, or remove it" : nil)
            else { continue }
            at(name) { $0.report("\(name.quoted) means nothing here; \(advice)") }
        }
    }

    private mutating func checkVariants(_ variants: [String: EncodedFlagValue]) {
        let types = Set(variants.values.map { FlagValueType($0) })
        if types.count > 1 {
            report("all variants of a flag need to have values of one type")
        } else if types.contains(.array) || types.contains(nil) {
            report("a variant's value needs to be a boolean, a number, a text or an object")
        }
    }

    private mutating func checkMetadata(_ metadata: EncodedFlagValue?, known: [String]) {
        guard let metadata else { return }
        guard case .object(let values) = metadata else { return report("metadata needs to be an object") }
        for (name, value) in values where !Self.isMetadata(value) {
            at(name) { $0.report("metadata needs to be a text, a number or a boolean") }
        }
        checkNames(values, known: known)
    }

    /// Checks the rule of a flag or an evaluator. An empty one is none.
    private mutating func checkRule(_ rule: EncodedFlagValue) {
        if rule == .object([:]) { return }
        maximumCount = min(Self.limit, problems.count + Self.limitForRule)
        checkOperation(rule)
        maximumCount = Self.limit
    }
}
