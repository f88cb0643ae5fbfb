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
    /// `nil`, and likewise the empty text, means that a rollout cannot place this subject: it then gives no variant.
    public var targetingKey: String?

    /// What rules can ask for with `var`, by name.
    ///
    /// An attribute named `$flagd` is hidden by the values of the evaluation, and one named `targetingKey` by
    /// ``targetingKey`` unless that is `nil`.
    public var attributes: [String: EncodedFlagValue]

    /// Makes a context that says nothing.
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

extension EvaluationContext: ExpressibleByDictionaryLiteral {
    /// Makes a context from attributes. A text under `targetingKey` becomes the ``targetingKey``; of a name that occurs
    /// twice the last value counts.
    public init(dictionaryLiteral elements: (String, EncodedFlagValue)...) {
        var attributes = Dictionary(elements) { _, newer in newer }
        var targetingKey: String?
        if case .string(let key)? = attributes["targetingKey"] {
            targetingKey = key
            attributes["targetingKey"] = nil
        }
        self.init(targetingKey: targetingKey, attributes: attributes)
    }
}
