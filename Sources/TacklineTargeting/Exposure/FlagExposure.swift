public import TacklineFoundation
public import TacklineCore

// Foundation: `Date` is the time of an exposure.

/// A value of a flag that a subject was given, and the reason. Experiments are evaluated by exposures.
public struct FlagExposure: Hashable, Sendable {
    /// The flag's key.
    public var flagKey: String
    /// The name of the variant; `nil` if there is no value.
    public var variant: String?
    /// The value; `nil` where there is none, or where the flag is secret.
    public var value: EncodedFlagValue?
    /// The reason for the value.
    public var reason: FlagEvaluation.Reason
    /// The time at which the exposure was made. It may be taken from the stream much later.
    public var date = Date()
    /// The targeting key of the context; `nil` if it has none.
    public var contextID: String?
    /// The provider that answered.
    public var providerName: String?
    /// The set of flags that this one belongs to: `flagSetId` of the metadata.
    public var flagSetID: String?
    /// The version of the rules: `version` of the metadata.
    public var version: String?
    /// The kind of error, if the evaluation failed.
    public var errorCode: FlagEvaluation.ErrorCode?
    /// A description of the mistake, if the evaluation failed.
    public var message: String?

    /// Makes an exposure from an evaluation.
    public init(
        _ evaluation: FlagEvaluation, of flagKey: String, for context: EvaluationContext, providerName: String? = nil
    ) {
        self.flagKey = flagKey
        variant = evaluation.variant
        value = evaluation.value
        reason = evaluation.reason ?? .unknown
        contextID = context.targetingKey
        self.providerName = providerName
        if case .string(let text)? = evaluation.metadata["flagSetId"] { flagSetID = text }
        if case .string(let text)? = evaluation.metadata["version"] { version = text }
        errorCode = evaluation.errorCode
        message = evaluation.errorMessage
    }

    /// Creates the exposure of a value that a read was given; `nil` if the value isn't from a provider that gives a reason.
    public init?(_ flag: FlagResolution<EncodedFlagValue>) {
        guard case .provider(let provider) = flag.source, let evaluation = flag.evaluation, evaluation.reason != nil
        else { return nil }
        let context = EvaluationContext(targetingKey: evaluation.subject)
        self.init(evaluation, of: flag.key.text, for: context, providerName: provider)
        value = flag.metadata.isSecret ? nil : flag.value
        if flag.metadata.isSecret { message = nil }
    }

    /// The name of the event that OpenTelemetry records for an exposure.
    public static let eventName = "feature_flag.evaluation"

    /// The exposure under the names of OpenTelemetry's semantic conventions for feature flags (status: release
    /// candidate), as the attributes of an event named ``eventName``. Unknown attributes are left out.
    ///
    /// Reasons and error types are in small letters, as the conventions write them.
    public var attributes: [String: EncodedFlagValue] {
        var attributes: [String: EncodedFlagValue] = [
            "feature_flag.key": .string(flagKey),
            "feature_flag.result.reason": .string(reason.rawValue.lowercased()),
        ]
        attributes["feature_flag.result.variant"] = variant.map { .string($0) }
        attributes["feature_flag.result.value"] = value
        attributes["feature_flag.context.id"] = contextID.map { .string($0) }
        attributes["feature_flag.provider.name"] = providerName.map { .string($0) }
        attributes["feature_flag.set.id"] = flagSetID.map { .string($0) }
        attributes["feature_flag.version"] = version.map { .string($0) }
        attributes["error.type"] = errorCode.map { .string($0.rawValue.lowercased()) }
        attributes["feature_flag.error.message"] = message.map { .string($0) }
        return attributes
    }
}
