public import TacklineCore

/// Something that has to hold between flags, whatever any of them is.
///
/// ```swift
/// let constraints = [
///     require("the new checkout needs the new cart") { .flag("new_checkout").implies(.flag("new_cart")) },
///     require("one payment at a time") { !(.flag("pay", is: "card") && .flag("express")) },
/// ]
/// ```
///
/// Check it against a document with ``FlagDefinitions/validate(_:contexts:)``, against values with ``holds(for:)``, and take
/// ``combinations(of:under:)`` for tests that try every pair of values that is allowed.
public struct FlagConstraint: Sendable {
    /// What has to hold, in words; messages show it.
    public let name: String
    /// The same as a rule in JsonLogic over the flags' values, by key.
    public let rule: EncodedFlagValue
    private let compiled: Result<TargetingRule, TargetingError>
    /// The keys of the flags that it is about.
    let keys: Set<String>

    /// Makes a constraint from a rule in JsonLogic, which asks for flags with `var`: as a tool reads it from a file.
    public init(_ name: String, rule: EncodedFlagValue) {
        self.name = name
        self.rule = rule
        compiled = Result { () throws(TargetingError) in try TargetingRule(rule) }
        keys = Set(RuleReading(rule, at: [], evaluators: [:]).attributes.map(\.content))
    }

    /// What is wrong with the rule itself, so that it never holds.
    public var error: TargetingError? {
        if case .failure(let error) = compiled { return error }
        return nil
    }

    /// Whether it holds for values by key. A flag without a value is null, which is not true.
    public func holds(for values: [String: EncodedFlagValue]) -> Bool {
        guard case .success(let rule) = compiled else { return false }
        return (try? rule.evaluate(.object(values)).isTruthy) ?? false
    }

    /// Rows of values in which every pair of values of two flags occurs at least once that the constraints allow: a covering
    /// array of strength two, so that tests need dozens of rows where all combinations would be millions.
    ///
    /// Built greedily: each row begins with a pair that is missing and is completed with the values that cover most of what is
    /// missing, going back where a constraint forbids it. The same input gives the same rows. A row in which a pair would stand
    /// is looked for with up to 20,000 steps; a pair for which there is none is taken for impossible.
    ///
    /// - Parameters:
    ///   - values: What each flag can be, by key.
    ///   - constraints: What each row has to meet.
    public static func combinations(
        of values: [String: [EncodedFlagValue]], under constraints: [FlagConstraint]
    ) -> [[String: EncodedFlagValue]] {
        var design = ConstrainedPairs(values, constraints)
        return design.rows()
    }
}

/// Requires something of flags together.
public func require(_ name: String, _ condition: () -> FlagCondition) -> FlagConstraint {
    FlagConstraint(name, rule: condition().rule)
}

/// A condition over the values of flags, as a rule in JsonLogic.
public struct FlagCondition: Sendable {
    let rule: EncodedFlagValue

    /// Whether a flag is on: its value is true, a number other than 0, or a text that is not empty.
    public static func flag(_ key: String) -> FlagCondition { FlagCondition(rule: ["!!": [["var": .string(key)]]]) }

    /// Whether a flag has a value.
    public static func flag(_ key: String, is value: EncodedFlagValue) -> FlagCondition {
        FlagCondition(rule: ["===": [["var": .string(key)], value]])
    }

    /// Holds unless this does and the other one does not.
    public func implies(_ other: FlagCondition) -> FlagCondition { !self || other }

    /// Holds if this does not.
    public static prefix func ! (condition: FlagCondition) -> FlagCondition {
        FlagCondition(rule: ["!": [condition.rule]])
    }

    /// Holds if both do.
    public static func && (left: FlagCondition, right: FlagCondition) -> FlagCondition {
        FlagCondition(rule: ["and": [left.rule, right.rule]])
    }

    /// Holds if either does.
    public static func || (left: FlagCondition, right: FlagCondition) -> FlagCondition {
        FlagCondition(rule: ["or": [left.rule, right.rule]])
    }
}

extension FlagDefinitions {
    /// Lists the constraints that the document breaks for some subject, with how many and for whom, and the flags that they
    /// name and the document does not have.
    ///
    /// - Parameters:
    ///   - constraints: What has to hold for each subject.
    ///   - contexts: The subjects to try: `RolloutSimulation.syntheticUsers(10_000)`, or contexts of your own where rules ask
    ///     for attributes.
    public func validate(
        _ constraints: [FlagConstraint], contexts: some Sequence<EvaluationContext>
    ) -> [FlagDefinitionProblem] {
        var problems: [FlagDefinitionProblem] = []
        func report(_ message: String) {
            problems.append(FlagDefinitionProblem(path: "/flags", message: message, severity: .error))
        }
        let suggestion = KeySuggestion(flags.keys.sorted())
        var checked: [FlagConstraint] = []
        for constraint in constraints {
            let unknown = constraint.keys.filter { flag($0) == nil }.sorted()
            for key in unknown {
                let advice = suggestion.advice(for: key, otherwise: "correct the constraint")
                report("\"\(constraint.name)\" is about the flag \"\(key)\", which there is not; \(advice)")
            }
            if let error = constraint.error { report("\"\(constraint.name)\" is no rule: \(error)") }
            if unknown.isEmpty, constraint.error == nil { checked.append(constraint) }
        }
        let keys = Set(checked.flatMap(\.keys))
        var broken = [(count: Int, examples: [String])](repeating: (0, []), count: checked.count)
        var total = 0
        for context in contexts {
            total += 1
            var values: [String: EncodedFlagValue] = [:]
            for key in keys { values[key] = evaluate(key, for: context).value }
            for (position, constraint) in checked.enumerated() where !constraint.holds(for: values) {
                broken[position].count += 1
                if broken[position].examples.count < 3 {
                    broken[position].examples.append(context.targetingKey ?? "(no key)")
                }
            }
        }
        for (constraint, broken) in zip(checked, broken) where broken.count > 0 {
            let examples = broken.examples.joined(separator: ", ")
            report(
                "\"\(constraint.name)\" does not hold for \(broken.count) of \(total) subjects, such as \(examples); "
                    + "change the rules of \(constraint.keys.sorted().map { "\"\($0)\"" }.joined(separator: " and "))")
        }
        return problems.located(in: source)
    }
}

/// Chooses the rows of a covering array under constraints.
private struct ConstrainedPairs {
    private struct Pair: Hashable {
        let first: Int
        let firstValue: Int
        let second: Int
        let secondValue: Int
    }

    private static let stepLimit = 20_000
    private let keys: [String]
    private let values: [[EncodedFlagValue]]
    private let constraints: [(constraint: FlagConstraint, positions: Set<Int>)]
    private var missing: Set<Pair> = []
    private var ordered: [Pair] = []
    private var steps = 0

    init(_ values: [String: [EncodedFlagValue]], _ constraints: [FlagConstraint]) {
        let keys = values.keys.filter { values[$0]?.isEmpty == false }.sorted()
        self.keys = keys
        self.values = keys.map { values[$0] ?? [] }
        self.constraints = constraints.map { constraint in
            (constraint, Set(constraint.keys.compactMap { keys.firstIndex(of: $0) }))
        }
        for first in keys.indices {
            for second in keys.indices.dropFirst(first + 1) {
                for (firstValue, secondValue) in self.values[first].indices.flatMap({ value in
                    self.values[second].indices.map { (value, $0) }
                }) {
                    ordered.append(
                        Pair(first: first, firstValue: firstValue, second: second, secondValue: secondValue))
                }
            }
        }
        missing = Set(ordered)
    }

    mutating func rows() -> [[String: EncodedFlagValue]] {
        var rows: [[String: EncodedFlagValue]] = []
        if keys.count == 1 {
            return values[0].map { [keys[0]: $0] }.filter { row in
                constraints.allSatisfy { $0.constraint.holds(for: row) }
            }
        }
        for pair in ordered where missing.contains(pair) {
            var row: [Int?] = Array(repeating: nil, count: keys.count)
            row[pair.first] = pair.firstValue
            row[pair.second] = pair.secondValue
            steps = 0
            missing.remove(pair)
            guard isAllowed(row), complete(&row, from: 0) else { continue }
            for (first, second) in pairs(row) { missing.remove(self.pair(first, second, row)) }
            rows.append(named(row))
        }
        return rows
    }

    private func pairs(_ row: [Int?]) -> [(Int, Int)] {
        row.indices.flatMap { first in row.indices.dropFirst(first + 1).map { (first, $0) } }
    }

    private func pair(_ first: Int, _ second: Int, _ row: [Int?]) -> Pair {
        Pair(first: first, firstValue: row[first] ?? 0, second: second, secondValue: row[second] ?? 0)
    }

    private func named(_ row: [Int?]) -> [String: EncodedFlagValue] {
        var named: [String: EncodedFlagValue] = [:]
        for (position, value) in row.enumerated() { named[keys[position]] = value.map { values[position][$0] } }
        return named
    }

    /// Whether every constraint holds whose flags all have a value in the row.
    private func isAllowed(_ row: [Int?]) -> Bool {
        constraints.allSatisfy { constraint, positions in
            positions.contains { row[$0] == nil } || constraint.holds(for: named(row))
        }
    }

    /// Fills what is open from a position on; goes back where that is not allowed. Recurses as deep as there are flags.
    private mutating func complete(_ row: inout [Int?], from position: Int) -> Bool {
        guard let open = row.indices.dropFirst(position).first(where: { row[$0] == nil }) else { return true }
        let gains = values[open].indices.map { value -> (gain: Int, value: Int) in
            row[open] = value
            let gain = row.indices.count { other in
                other != open && row[other] != nil && missing.contains(pair(min(open, other), max(open, other), row))
            }
            return (gain, value)
        }
        for (_, value) in gains.sorted(by: { ($1.gain, $0.value) < ($0.gain, $1.value) }) {
            steps += 1
            guard steps <= Self.stepLimit else { break }
            row[open] = value
            if isAllowed(row), complete(&row, from: open + 1) { return true }
        }
        row[open] = nil
        return false
    }
}
