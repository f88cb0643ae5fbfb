// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The SDK's evaluations, without what hooks do, tracking and loggers.

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
    public var flagMetadata: [String: FlagMetadataValue] = [:]
    public var errorCode: ErrorCode?
    public var errorMessage: String?
}

public protocol ProviderMetadata {
    var name: String? { get }
}

public protocol Hook {}
