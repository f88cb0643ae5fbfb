public import TacklineCore

/// The subject that a flag is evaluated for: a stable key, and the attributes that rules ask for.
///
/// ```swift
/// let user: EvaluationContext = ["email": "ada@example.com", "age": 36]
/// let context = EvaluationContext(targetingKey: "user-42", attributes: ["email": "ada@example.com"])
/// ```
///
/// A context is a plain value. Nothing in it leaves the process, since rules are evaluated locally.
public struct EvaluationContext: Hashable, Sendable {
    /// The identifier of the subject, such as a user, a device or a tenant. A rollout buckets by it, so it must stay
    /// the same for the same subject. Rules read it as `targetingKey`.
    ///
    /// `nil` and the empty text mean that a rollout cannot place the subject and gives it no variant. The key is a text
    /// even if the identifiers are numbers: `String(account.id)`.
    public var targetingKey: String?

    /// The values that rules can ask for with `var`, by name.
    ///
    /// An attribute named `$flagd` is hidden by the values of the evaluation, and one named `targetingKey` by
    /// ``targetingKey`` unless that is `nil`.
    public var attributes: [String: EncodedFlagValue]

    /// Makes a context without a targeting key and without attributes.
    public init() { attributes = [:] }

    /// Makes a context.
    public init(targetingKey: String? = nil, attributes: [String: EncodedFlagValue] = [:]) {
        self.targetingKey = targetingKey
        self.attributes = attributes
    }

    /// The value of an attribute; setting `nil` removes it.
    public subscript(attribute: String) -> EncodedFlagValue? {
        get { attributes[attribute] }
        set { attributes[attribute] = newValue }
    }

    /// Returns a context with the contents of both; if both have a value, that of `other` is used.
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
    /// Returns whether both contexts have the same key and attributes. Texts that differ only in their Unicode
    /// normalization are different: they may be the names of two users.
    public static func == (left: EvaluationContext, right: EvaluationContext) -> Bool {
        left.subject == right.subject
            && EncodedFlagValue.object(left.attributes) == EncodedFlagValue.object(right.attributes)
    }

    /// Hashes the key and the attributes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(subject)
        hasher.combine(EncodedFlagValue.object(attributes))
    }

    /// The targeting key in a form that is compared by bytes.
    var subject: EncodedFlagValue { targetingKey.map { .string($0) } ?? .null }

    /// An issue for a targeting key that was given as an attribute and is no text; `nil` if there is none.
    var mistake: FlagError? {
        targetingKey == nil ? attributes["targetingKey"].flatMap { .refusedTargetingKey($0) } : nil
    }
}

extension EvaluationContext {
    /// The source of the context that a provider's flags are evaluated for.
    public enum Source: Sendable {
        /// A context that stays the same.
        case fixed(EvaluationContext)
        /// The app's context, which may change. A change of the context or the document announces exactly the flags whose
        /// values are different. Another targeting key is announced as another subject, too, so that no pinned value
        /// outlives it. A loader keeps the values, and reading a flag costs as much as without rules.
        /// `withEvaluationContext` has no effect.
        case current(CurrentContext)
        /// The context of the task in which a flag is read, as `withEvaluationContext` sets it; outside of that, the
        /// fallback. Since every request has its own context, no value is kept, and each read of a flag that reaches the
        /// provider evaluates its rule. Changes are not announced to observers.
        case task(fallback: EvaluationContext = EvaluationContext())
    }
}

extension EvaluationContext: ExpressibleByDictionaryLiteral {
    /// Makes a context from attributes, whose values may be of any type that a flag can have, as in
    /// `["email": account.email, "age": 42]`.
    ///
    /// A text under `targetingKey` becomes the ``targetingKey``. If a name occurs twice, the last value counts. An
    /// optional that is `nil` leaves its attribute out.
    ///
    /// A value that cannot be used is left out and reported to ``/TacklineCore/FlagIssueReporter/current``: a targeting
    /// key that is no text, such as a number, by which no rollout can place a subject; and a value that has no neutral
    /// form.
    public init(dictionaryLiteral elements: (String, any FlagValue)...) {
        self.init()
        for (name, value) in elements {
            let encoded: EncodedFlagValue
            do throws(FlagValueError) {
                encoded = try value.encoded
            } catch {
                let what = "the attribute \"\(name)\" can't be encoded: \(error); give it as a text or a number"
                FlagIssueReporter.current.report(.invalidContext(what))
                continue
            }
            let isAbsent = encoded == .null && !(value is EncodedFlagValue)
            if name == "targetingKey" {
                if case .string(let key) = encoded { targetingKey = key }
                if isAbsent { targetingKey = nil }
                if let issue = FlagError.refusedTargetingKey(encoded) { FlagIssueReporter.current.report(issue) }
            } else {
                attributes[name] = isAbsent ? nil : .some(encoded)
            }
        }
    }
}

// These allow `.string(name)` in a context, whose values may be of any flag type. They are disfavoured, because
// elsewhere the cases of the neutral form are meant.
extension FlagValue where Self == EncodedFlagValue {
    /// No value.
    @_disfavoredOverload public static var null: EncodedFlagValue { EncodedFlagValue.null }
    /// Returns a text.
    @_disfavoredOverload public static func string(_ value: String) -> EncodedFlagValue {
        EncodedFlagValue.string(value)
    }
    /// Returns an ordered list, whose elements may have different types.
    @_disfavoredOverload public static func array(_ value: [EncodedFlagValue]) -> EncodedFlagValue {
        EncodedFlagValue.array(value)
    }
}
