public import TacklineCore

/// Who or what a flag is evaluated for: a stable key, and the attributes that rules ask about.
///
/// ```swift
/// let user: EvaluationContext = ["email": "ada@example.com", "age": 36]
/// let context = EvaluationContext(targetingKey: "user-42", attributes: ["email": "ada@example.com"])
/// ```
///
/// A context is a plain value. Nothing in it leaves the process: rules are evaluated where the context is.
public struct EvaluationContext: Hashable, Sendable {
    /// Identifies the subject of an evaluation: a user, a device, a tenant. A rollout buckets by it, so it has to stay the
    /// same for the same subject. Rules see it as `targetingKey`.
    ///
    /// `nil`, and likewise the empty text, means that a rollout cannot place this subject: it then gives no variant. It is a
    /// text, also where the identifiers are numbers: `String(account.id)`.
    public var targetingKey: String?

    /// What rules can ask for with `var`, by name.
    ///
    /// An attribute named `$flagd` is hidden by the values of the evaluation, and one named `targetingKey` by
    /// ``targetingKey`` unless that is `nil`.
    public var attributes: [String: EncodedFlagValue]

    /// Makes a context without a targeting key and without attributes.
    public init() {
        self.init(targetingKey: nil)
    }

    /// Makes a context.
    public init(targetingKey: String?, attributes: [String: EncodedFlagValue] = [:]) {
        self.targetingKey = targetingKey
        self.attributes = attributes
    }

    /// Makes a context without a targeting key.
    public init(attributes: [String: EncodedFlagValue]) {
        self.init(targetingKey: nil, attributes: attributes)
    }

    /// Reads or sets one attribute; setting `nil` removes it.
    public subscript(attribute: String) -> EncodedFlagValue? {
        get { attributes[attribute] }
        set { attributes[attribute] = newValue }
    }

    /// Returns a context that has everything of both; where both have something, `other` wins.
    ///
    /// Attributes are merged by name, not inside their values.
    public func merging(_ other: EvaluationContext) -> EvaluationContext {
        EvaluationContext(
            targetingKey: other.targetingKey ?? targetingKey,
            attributes: attributes.merging(other.attributes) { _, newer in newer }
        )
    }
}

extension EvaluationContext {
    /// Takes a context as one object, with a text under `targetingKey` as the targeting key.
    init(members: [String: EncodedFlagValue]) {
        self.init(attributes: members)
        guard case .string(let key)? = members["targetingKey"] else { return }
        targetingKey = key
        attributes["targetingKey"] = nil
    }
}

extension EvaluationContext: ExpressibleByDictionaryLiteral {
    /// Makes a context from attributes, whose values are whatever a flag can be: `["email": account.email, "age": 42]`.
    ///
    /// A text under `targetingKey` becomes the ``targetingKey``; of a name that occurs twice the last value counts. An
    /// optional that is `nil` leaves its attribute out. What cannot be used is left out as well, and is reported to
    /// ``/TacklineCore/FlagIssueReporter/current``: a targeting key that is no text, above all a number, by which no rollout
    /// could place anybody; and a value that has no neutral form.
    public init(dictionaryLiteral elements: (String, any FlagValue)...) {
        self.init()
        for (name, value) in elements {
            let encoded: EncodedFlagValue
            do throws(FlagValueError) {
                encoded = try value.encoded
            } catch {
                let what = "the attribute \"\(name)\" has no neutral form: \(error)"
                FlagIssueReporter.current.report(.invalidContext(what))
                continue
            }
            let isAbsent = encoded == .null && !(value is EncodedFlagValue)
            if name == "targetingKey" {
                if case .string(let key) = encoded { targetingKey = key }
                if isAbsent { targetingKey = nil }
                if let issue = FlagIssue.refusedTargetingKey(encoded) { FlagIssueReporter.current.report(issue) }
            } else {
                attributes[name] = isAbsent ? nil : .some(encoded)
            }
        }
    }
}

// So that `.string(name)` can still be written in a context, whose values may be of any flag type. Disfavoured, because
// elsewhere the cases of the neutral form are meant.
extension FlagValue where Self == EncodedFlagValue {
    /// No value.
    @_disfavoredOverload public static var null: EncodedFlagValue { EncodedFlagValue.null }
    /// A truth value.
    @_disfavoredOverload public static func bool(_ value: Bool) -> EncodedFlagValue { EncodedFlagValue.bool(value) }
    /// A whole number.
    @_disfavoredOverload public static func integer(_ value: Int128) -> EncodedFlagValue {
        EncodedFlagValue.integer(value)
    }
    /// A number with a fraction or an exponent.
    @_disfavoredOverload public static func double(_ value: Double) -> EncodedFlagValue {
        EncodedFlagValue.double(value)
    }
    /// A text.
    @_disfavoredOverload public static func string(_ value: String) -> EncodedFlagValue {
        EncodedFlagValue.string(value)
    }
    /// An ordered list, of elements of different types too.
    @_disfavoredOverload public static func array(_ value: [EncodedFlagValue]) -> EncodedFlagValue {
        EncodedFlagValue.array(value)
    }
    /// Named members, of different types too.
    @_disfavoredOverload public static func object(_ value: [String: EncodedFlagValue]) -> EncodedFlagValue {
        EncodedFlagValue.object(value)
    }
}
