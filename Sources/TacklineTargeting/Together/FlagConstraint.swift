public import TacklineCore

/// A condition that the values of several flags must meet together.
///
/// ```swift
/// let constraints: [FlagConstraint] = [
///     .require("the new checkout needs the new cart") { .flag("new_checkout").implies(.flag("new_cart")) },
///     .require("one payment at a time") { !(.flag("pay", is: "card") && .flag("express")) },
/// ]
/// ```
///
/// Check it against a document with ``FlagDefinitions/validate(_:contexts:)``, against an app's flags with
/// `loader.validate(constraints)`, and against values with ``holds(for:)``. Pass it to `FlagCombinations` for tests
/// that cover every allowed pair of values; ``combinations(of:under:)`` does the same for values by key. A document may
/// contain constraints itself: ``FlagDefinitions/constraints``.
public struct FlagConstraint: FlagValueConstraint {
    /// The condition in words, which messages show.
    public private(set) var name: String
    /// The condition as a rule in JsonLogic over the flags' values, by key.
    public let rule: EncodedFlagValue
    private let compiled: Result<TargetingRule, TargetingError>
    /// The keys of the flags that it asks for. The part after a point may be a member of a flag that is an object.
    public let flagKeys: Set<String>
    /// Its place in a document.
    var path = ["flags"]

    /// Makes a constraint from a rule in JsonLogic, which asks for flags with `var`, for a tool that reads it from a
    /// file.
    public init(_ name: String, rule: EncodedFlagValue) {
        self.name = name
        self.rule = rule
        compiled = Result { () throws(TargetingError) in try TargetingRule(rule) }
        flagKeys =
            if case .success(let rule) = compiled {
                Set(RuleReading(attributesOf: RuleExpression(rule.program)).attributes.map(\.content))
            } else {
                []
            }
    }

    /// Returns the constraint with another name.
    func named(_ name: String) -> FlagConstraint {
        var constraint = self
        constraint.name = name
        return constraint
    }

    /// The mistake in the rule, because of which the constraint never holds; `nil` for a rule that can be evaluated.
    public var error: TargetingError? {
        if case .failure(let error) = compiled { return error }
        return nil
    }

    /// Returns whether the condition holds for values by key. A flag without a value is null, which is not true.
    public func holds(for values: [String: EncodedFlagValue]) -> Bool {
        guard case .success(let rule) = compiled else { return false }
        var data = values
        // A rule finds "a.b" as a member of "a".
        for key in flagKeys where key.utf8.contains(UInt8(ascii: ".")) {
            if let value = values[key] {
                data.nest(value, at: key.split(separator: ".").map(String.init)[...])
            }
        }
        return (try? rule.evaluate(.object(data)).isTruthy) ?? false
    }

    /// Returns the keys of the flags that it names, and those that do not exist.
    func flags(_ exists: (String) -> Bool) -> (known: [String], unknown: [String]) {
        var (known, unknown): (Set<String>, Set<String>) = ([], [])
        for key in flagKeys {
            let first = String(key.prefix { $0 != "." })
            if exists(key) {
                known.insert(key)
            } else if exists(first) {
                known.insert(first)
            } else {
                unknown.insert(key)
            }
        }
        return (known.sorted(), unknown.sorted())
    }

    /// Returns rows of values in which every pair of values of two flags that the constraints allow occurs at least
    /// once. This is a covering array of strength two: tests need dozens of rows where all combinations would be
    /// millions.
    ///
    /// The rows are built greedily. Each begins with a pair that is missing and is completed with the values that cover
    /// most of the other missing pairs, with backtracking where a constraint forbids a value. The same input gives the
    /// same rows. The search for a row with a given pair ends after 20,000 steps; a pair for which none is found is
    /// assumed to be impossible.
    ///
    /// - Parameters:
    ///   - values: The possible values of each flag, by key. A flag without values is left out.
    ///   - constraints: The conditions that each row must meet.
    public static func combinations(
        of values: [String: [EncodedFlagValue]], under constraints: [FlagConstraint]
    ) -> [[String: EncodedFlagValue]] {
        var design = ConstrainedPairs(values, constraints)
        return design.rows()
    }
}

extension FlagValueConstraint where Self == FlagConstraint {
    /// Creates a constraint from a condition over flags.
    ///
    /// - Parameters:
    ///   - name: The condition in words, for messages.
    ///   - condition: Returns the condition. It is called once, before the function returns.
    public static func require(_ name: String, _ condition: () -> FlagCondition) -> FlagConstraint {
        FlagConstraint(name, rule: condition().rule)
    }
}

/// A condition over the values of flags, as a rule in JsonLogic.
public struct FlagCondition: Sendable {
    let rule: EncodedFlagValue

    /// Returns the condition that a flag is on: its value is true, a number other than 0, or a text that is not empty.
    public static func flag(_ key: String) -> FlagCondition { FlagCondition(rule: ["!!": [["var": .string(key)]]]) }

    /// Returns the condition that a flag has exactly this value. A list or an object equals nothing.
    public static func flag(_ key: String, is value: EncodedFlagValue) -> FlagCondition {
        FlagCondition(rule: ["===": [["var": .string(key)], value]])
    }

    /// Returns the condition that holds unless this one does and the other one does not.
    public func implies(_ other: FlagCondition) -> FlagCondition { !self || other }

    /// Returns the condition that holds if the given one does not.
    public static prefix func ! (condition: FlagCondition) -> FlagCondition {
        FlagCondition(rule: ["!": [condition.rule]])
    }

    /// Returns the condition that holds if both conditions do.
    public static func && (left: FlagCondition, right: FlagCondition) -> FlagCondition {
        FlagCondition(rule: ["and": [left.rule, right.rule]])
    }

    /// Returns the condition that holds if either condition does.
    public static func || (left: FlagCondition, right: FlagCondition) -> FlagCondition {
        FlagCondition(rule: ["or": [left.rule, right.rule]])
    }
}

extension [String: EncodedFlagValue] {
    /// Adds a value inside nested objects, unless there already is one.
    mutating func nest(_ value: EncodedFlagValue, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        let rest = path.dropFirst()
        var inner: [String: EncodedFlagValue] = [:]
        switch self[name] {
        case nil where rest.isEmpty: self[name] = value
        case .object(let members)? where !rest.isEmpty:
            inner = members
            fallthrough
        case nil:
            inner.nest(value, at: rest)
            self[name] = .object(inner)
        default: break
        }
    }
}
