// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Logging

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

public protocol BaseEvaluation {
    associatedtype ValueType
    var value: ValueType { get }
    var variant: String? { get }
    var reason: String? { get }
    var errorCode: ErrorCode? { get }
    var errorMessage: String? { get }
}

public struct FlagEvaluationDetails<T: Equatable>: BaseEvaluation, Equatable {
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

public struct FlagEvaluationOptions {
    public let hooks: [any Hook]
    public let hookHints: [String: Any]
    public let logger: Logger?

    public init(hooks: [any Hook] = [], hookHints: [String: Any] = [:], logger: Logger? = nil) {
        self.hooks = hooks
        self.hookHints = hookHints
        self.logger = logger
    }
}

// MARK: Hooks

public protocol ClientMetadata {
    var name: String? { get }
}

public protocol ProviderMetadata {
    var name: String? { get }
}

public struct HookContext<T> {
    public var flagKey: String
    public var type: FlagValueType
    public var defaultValue: T
    public var ctx: EvaluationContext?
    public var clientMetadata: ClientMetadata?
    public var providerMetadata: ProviderMetadata?
}

public protocol Hook {
    associatedtype HookValue: AllowedFlagValueType

    func before<HookValue>(ctx: HookContext<HookValue>, hints: [String: Any])
    func after<HookValue>(ctx: HookContext<HookValue>, details: FlagEvaluationDetails<HookValue>, hints: [String: Any])
    func error<HookValue>(ctx: HookContext<HookValue>, error: Error, hints: [String: Any])
    func finally<HookValue>(
        ctx: HookContext<HookValue>, details: FlagEvaluationDetails<HookValue>, hints: [String: Any])
    func supportsFlagValueType(flagValueType: FlagValueType) -> Bool
}

extension Hook {
    public func before<HookValue>(ctx: HookContext<HookValue>, hints: [String: Any]) {}
    public func after<HookValue>(
        ctx: HookContext<HookValue>, details: FlagEvaluationDetails<HookValue>, hints: [String: Any]
    ) {}
    public func error<HookValue>(ctx: HookContext<HookValue>, error: Error, hints: [String: Any]) {}
    public func finally<HookValue>(
        ctx: HookContext<HookValue>, details: FlagEvaluationDetails<HookValue>, hints: [String: Any]
    ) {}
    public func supportsFlagValueType(flagValueType: FlagValueType) -> Bool {
        HookValue.flagValueType == flagValueType
    }
}

// MARK: Tracking

public protocol TrackingEventDetails: Structure {
    func getValue() -> Double?
}

public protocol Tracking {
    func track(key: String)
    func track(key: String, context: any EvaluationContext)
    func track(key: String, details: any TrackingEventDetails)
    func track(key: String, context: any EvaluationContext, details: any TrackingEventDetails)
}
