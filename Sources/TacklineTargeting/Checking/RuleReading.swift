import TacklineCore

/// Reads off a rule, without evaluating it, what it can give and what it asks for.
///
/// Works on the JSON and not on the program, since findings need their places. Recursion is bounded by the depth of a rule that
/// was compiled.
struct RuleReading {
    /// Something at a place in the document.
    struct Place<Content> {
        let content: Content
        let path: [String]
    }

    /// Which values can be a rule's result at a place: `or` gives what is true, or its last argument.
    struct Results: OptionSet {
        let rawValue: Int

        static let truthy = Results(rawValue: 1)
        static let falsy = Results(rawValue: 2)
        static let all: Results = [.truthy, .falsy]
    }

    /// The names that the rule can give for a variant, as far as they are written out.
    private(set) var variants: [Place<String>] = []
    /// The operators that give true or false for a variant, and which of them.
    private(set) var tests: [Place<(name: String, results: Results)>] = []
    /// The attributes that it asks the context for, by the paths that `var` takes.
    private(set) var attributes: [Place<String>] = []
    /// Attributes that are compared with something written out.
    private(set) var comparisons: [Place<(attribute: String, constant: EncodedFlagValue)>] = []

    /// What its splits take for the key to bucket by, unless that is left out: anywhere in the rule, conditions included.
    private(set) var splitKeys: [Place<EncodedFlagValue>] = []

    private let evaluators: [String: EncodedFlagValue]

    /// What was asked of an evaluator: each question once, since a document may name an evaluator of any size many times.
    private struct Visit: Hashable {
        enum Question: Hashable { case results(Int), attributes, splits }

        let evaluator: String
        let question: Question
    }

    private var visits: Set<Visit> = []

    init(_ rule: EncodedFlagValue, at path: [String], evaluators: [String: EncodedFlagValue]) {
        self.evaluators = evaluators
        readResult(rule, path, .all)
        readAttributes(rule, path)
        readSplits(rule, path)
    }

    /// The operation that a value is.
    private func operation(_ value: EncodedFlagValue) -> (name: String, arguments: [EncodedFlagValue], isList: Bool)? {
        guard case .object(let members) = value, members.count == 1, let (name, argument) = members.first else {
            return nil
        }
        if case .array(let elements) = argument { return (name, elements, true) }
        return (name, [argument], false)
    }

    /// The evaluator that is named at a place, and its own; `nil` if it was asked before, or is none.
    private mutating func enter(
        _ arguments: [EncodedFlagValue], _ path: [String], _ question: Visit.Question
    ) -> (rule: EncodedFlagValue, path: [String])? {
        // An evaluator refers to no other.
        guard path.first != "$evaluators", case .string(let name)? = arguments.first, let rule = evaluators[name],
            visits.insert(Visit(evaluator: name, question: question)).inserted
        else { return nil }
        return (rule, ["$evaluators", name])
    }

    // MARK: Results

    private mutating func readResult(_ value: EncodedFlagValue, _ path: [String], _ results: Results) {
        func add(_ name: String) {
            guard results.contains(value.isTruthy ? .truthy : .falsy) else { return }
            variants.append(Place(content: name, path: path))
        }
        switch value {
        case _ where results.isEmpty: break
        case .string(let name): add(name)
        case .bool(let flag): add(flag ? "true" : "false")
        case .integer(let number): add(String(number))
        case .double(let number): add(ScriptNumber.text(number))
        case .decimal(let number): add(ScriptNumber.text(number.nearestDouble))
        default:
            guard let (name, arguments, isList) = operation(value) else { return }
            func place(_ position: Int) -> [String] { path + [name] + (isList ? [String(position)] : []) }
            switch name {
            case "if", "?:":
                for position in arguments.indices
                where position % 2 == 1 || position == arguments.count - 1 && position % 2 == 0 {
                    readResult(arguments[position], place(position), results)
                }
            case "fractional":
                for (position, share) in arguments.enumerated() {
                    guard case .array(let parts) = share, let variant = parts.first else { continue }
                    readResult(variant, place(position) + ["0"], results)
                }
            case "or", "and":
                for (position, argument) in arguments.enumerated() {
                    let isLast = position == arguments.count - 1
                    let own: Results = isLast ? .all : name == "or" ? .truthy : .falsy
                    readResult(argument, place(position), results.intersection(own))
                }
            case "var":
                if arguments.count > 1 { readResult(arguments[1], place(1), results) }
            case "log":
                if let first = arguments.first { readResult(first, place(0), results) }
            case "$ref":
                guard let (rule, path) = enter(arguments, path, .results(results.rawValue)) else { return }
                readResult(rule, path, results)
            default:
                if Self.testing.contains(name) { tests.append(Place(content: (name, results), path: path + [name])) }
            }
        }
    }

    /// The operators that give true or false.
    private static let testing: Set = [
        "==", "===", "!=", "!==", "!", "!!", ">", ">=", "<", "<=", "all", "none", "some", "in", "sem_ver",
        "starts_with", "ends_with",
    ]

    // MARK: Attributes

    private mutating func readAttributes(_ value: EncodedFlagValue, _ path: [String]) {
        if case .array(let elements) = value {
            for (position, element) in elements.enumerated() { readAttributes(element, path + [String(position)]) }
            return
        }
        guard let (name, arguments, isList) = operation(value) else { return }
        func place(_ position: Int) -> [String] { path + [name] + (isList ? [String(position)] : []) }
        switch name {
        case "var":
            if case .string(let attribute)? = arguments.first { add(attribute, place(0)) }
            for position in arguments.indices.dropFirst() { readAttributes(arguments[position], place(position)) }
        case "missing":
            for (position, argument) in arguments.enumerated() {
                if case .string(let attribute) = argument { add(attribute, place(position)) }
            }
        case "missing_some":
            guard arguments.count == 2, case .array(let names) = arguments[1] else { return }
            for (position, element) in names.enumerated() {
                if case .string(let attribute) = element { add(attribute, place(1) + [String(position)]) }
            }
        case "map", "filter", "all", "none", "some", "reduce":
            // What follows looks into elements, not into the context.
            if let list = arguments.first { readAttributes(list, place(0)) }
        case "$ref":
            guard let (rule, path) = enter(arguments, path, .attributes) else { return }
            readAttributes(rule, path)
        default:
            if ["==", "===", "!=", "!=="].contains(name), arguments.count == 2 {
                readComparison(arguments, place(0), place(1))
            }
            for (position, argument) in arguments.enumerated() { readAttributes(argument, place(position)) }
        }
    }

    private mutating func add(_ attribute: String, _ path: [String]) {
        guard !attribute.isEmpty, attribute != "targetingKey", !attribute.hasPrefix("$flagd") else { return }
        attributes.append(Place(content: attribute, path: path))
    }

    private mutating func readComparison(_ sides: [EncodedFlagValue], _ left: [String], _ right: [String]) {
        for (asked, constant, path) in [(sides[0], sides[1], right), (sides[1], sides[0], left)] {
            guard let (name, arguments, _) = operation(asked), name == "var",
                case .string(let attribute)? = arguments.first,
                FlagValueType(constant) != nil, operation(constant) == nil
            else { continue }
            comparisons.append(Place(content: (attribute, constant), path: path))
        }
    }

    // MARK: Splits

    private mutating func readSplits(_ value: EncodedFlagValue, _ path: [String]) {
        if case .array(let elements) = value {
            for (position, element) in elements.enumerated() { readSplits(element, path + [String(position)]) }
            return
        }
        guard let (name, arguments, isList) = operation(value) else { return }
        if name == "$ref" {
            guard let (rule, path) = enter(arguments, path, .splits) else { return }
            return readSplits(rule, path)
        }
        for (position, argument) in arguments.enumerated() {
            let place = path + [name] + (isList ? [String(position)] : [])
            if name == "fractional", position == 0 {
                // A list is a share, and then what is bucketed by is the flag's key and the targeting key.
                if case .array = argument {} else { splitKeys.append(Place(content: argument, path: place)) }
            }
            readSplits(argument, place)
        }
    }

    /// Whether an expression is null whoever asks: it is null, or asks for something that no context can have, or for nothing
    /// and comes to null.
    static func isAlwaysNull(_ value: EncodedFlagValue) -> Bool {
        if case .object(let members) = value, members.count == 1, let argument = members["var"] {
            let name: EncodedFlagValue? = if case .array(let parts) = argument { parts.first } else { argument }
            let isAlone = if case .array(let parts) = argument { parts.count == 1 } else { true }
            guard isAlone, case .string(let name)? = name, name.hasPrefix("$flagd.") else { return false }
            return name != "$flagd.flagKey" && name != "$flagd.timestamp"
        }
        guard !asks(value) else { return false }
        return (try? TargetingRule(value).evaluate(.null)) == .null
    }

    /// Whether an expression depends on who asks.
    private static func asks(_ value: EncodedFlagValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: asks)
        case .object(let members):
            members.count == 1
                && members.contains { name, argument in
                    ["var", "missing", "missing_some", "fractional", "$ref"].contains(name) || asks(argument)
                }
        default: false
        }
    }
}
