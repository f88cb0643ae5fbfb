// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The SDK's hooks and evaluations, without tracking and loggers.

public struct ProviderEvaluation<T> {
    public var value: T
    public var flagMetadata: [String: FlagMetadataValue]
    public var variant: String?
    public var reason: String?
    public var errorCode: ErrorCode?
    public var errorMessage: String?

    public init(
        value: T, flagMetadata: [String: FlagMetadataValue] = [:], variant: String? = nil, reason: String? = nil,
        errorCode: ErrorCode? = nil, errorMessage: String? = nil
    ) {
        self.value = value
        self.flagMetadata = flagMetadata
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }
}

public struct FlagEvaluationDetails<T: Equatable>: Equatable {
    public var flagKey: String
    public var value: T
    public var variant: String?
    public var reason: String?
    public var flagMetadata: [String: FlagMetadataValue]
    public var errorCode: ErrorCode?
    public var errorMessage: String?

    public init(
        flagKey: String, value: T, flagMetadata: [String: FlagMetadataValue] = [:], variant: String? = nil,
        reason: String? = nil, errorCode: ErrorCode? = nil, errorMessage: String? = nil
    ) {
        self.flagKey = flagKey
        self.value = value
        self.flagMetadata = flagMetadata
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }

    public static func from(providerEval: ProviderEvaluation<T>, flagKey: String) -> FlagEvaluationDetails<T> {
        FlagEvaluationDetails(
            flagKey: flagKey, value: providerEval.value, flagMetadata: providerEval.flagMetadata,
            variant: providerEval.variant, reason: providerEval.reason, errorCode: providerEval.errorCode,
            errorMessage: providerEval.errorMessage)
    }
}

// MARK: Hooks

public protocol ProviderMetadata {
    var name: String? { get }
}

public struct HookContext<T> {
    public var flagKey: String
    public var type: FlagValueType
    public var defaultValue: T
    public var ctx: EvaluationContext?
    public var providerMetadata: ProviderMetadata?
}

public protocol Hook {
    associatedtype HookValue: AllowedFlagValueType

    func before<HookValue>(ctx: HookContext<HookValue>, hints: [String: Any])
    func supportsFlagValueType(flagValueType: FlagValueType) -> Bool
}
