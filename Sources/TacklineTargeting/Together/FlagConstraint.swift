public import TacklineCore

/// A condition that the values of several flags have to meet together.
///
/// ```swift
/// let constraints: [FlagConstraint] = [
///     .require("the new checkout needs the new cart") { .flag("new_checkout").implies(.flag("new_cart")) },
///     .require("one payment at a time") { !(.flag("pay", is: "card") && .flag("express")) },
/// ]
/// ```
///
/// Check it against a document with ``FlagDefinitions/validate(_:contexts:)``, against an app's flags with
/// `loader.validate(constraints)`, against values with ``holds(for:)``, and give it to `FlagCombinations` for tests that try
/// every pair of values that is allowed; ``combinations(of:under:)`` makes the same of values by key. A document may carry some
/// itself: ``FlagDefinitions/constraints``.
public struct FlagConstraint: FlagValueConstraint {
    /// What has to hold, in words; messages show it.
    public let name: String
    /// The same as a rule in JsonLogic over the flags' values, by key.
    public let rule: EncodedFlagValue
    private let compiled: Result<TargetingRule, TargetingError>
    /// The keys of the flags that it asks for. What follows a point may be a member of a flag that is an object.
    public let flagKeys: Set<String>
    /// Where it stands in a document.
    var path = ["flags"]

    /// Makes a constraint from a rule in JsonLogic, which asks for flags with `var`: as a tool reads it from a file.
    public init(_ name: String, rule: EncodedFlagValue) {
        self.name = name
        self.rule = rule
        compiled = Result { () throws(TargetingError) in try TargetingRule(rule) }
        flagKeys = Set(RuleReading(rule, at: [], evaluators: [:]).attributes.map(\.content))
    }

    /// What is wrong with the rule itself, so that it never holds; `nil` for a rule that can be evaluated.
    public var error: TargetingError? {
        if case .failure(let error) = compiled { return error }
        return nil
    }

    /// Whether it holds for values by key. A flag without a value is null, which is not true.
    public func holds(for values: [String: EncodedFlagValue]) -> Bool {
        guard case .success(let rule) = compiled else { return false }
        var data = values
        // A rule looks for "a.b" as a member of "a".
        for key in flagKeys where key.utf8.contains(UInt8(ascii: ".")) {
            if let value = values[key] {
                data.nest(value, at: key.parts(separatedBy: ".").filter { !$0.isEmpty }[...])
            }
        }
        return (try? rule.evaluate(.object(data)).isTruthy) ?? false
    }

    /// The keys of the flags that it is about, and those that there are not.
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

    /// Returns rows of values in which every pair of values of two flags that the constraints allow occurs at least once: a
    /// covering array of strength two, so that tests need dozens of rows where all combinations would be millions.
    ///
    /// Built greedily: each row begins with a pair that is missing and is completed with the values that cover most of what is
    /// missing, going back where a constraint forbids it. The same input gives the same rows. The search for a row with a given
    /// pair ends after 20,000 steps; a pair for which none is found is taken for impossible.
    ///
    /// - Parameters:
    ///   - values: What each flag can be, by key. A flag without values is left out.
    ///   - constraints: What each row has to meet.
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

    /// Whether a flag is on: its value is true, a number other than 0, or a text that is not empty.
    public static func flag(_ key: String) -> FlagCondition { FlagCondition(rule: ["!!": [["var": .string(key)]]]) }

    /// Whether a flag has exactly this value. A list or an object is equal to nothing.
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

extension [String: EncodedFlagValue] {
    /// Puts a value into objects within each other, unless there is something already.
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
