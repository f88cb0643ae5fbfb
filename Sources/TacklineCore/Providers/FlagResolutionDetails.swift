/// What a provider can say about an answer besides its value, in the words of OpenFeature.
public struct FlagResolutionDetails: Sendable, Hashable {
    /// The name of the value among those that the flag can have; `nil` where there is none.
    public var variant: String?
    /// Why the provider gave this answer.
    public var reason: FlagResolutionReason
    /// What the source of the flag says about it, such as a version or an owner. Names and values are its own.
    public var metadata: [String: EncodedFlagValue]
    /// The kind of failure; `nil` where nothing failed.
    public var errorCode: FlagResolutionErrorCode?
    /// What is wrong, where, and what to do about it; `nil` where nothing failed.
    public var errorMessage: String?

    /// Makes details.
    public init(
        variant: String? = nil,
        reason: FlagResolutionReason,
        metadata: [String: EncodedFlagValue] = [:],
        errorCode: FlagResolutionErrorCode? = nil,
        errorMessage: String? = nil
    ) {
        self.variant = variant
        self.reason = reason
        self.metadata = metadata
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }
}

extension FlagResolutionDetails: CustomStringConvertible {
    /// Variant and reason, and what failed: `variant "on", TARGETING_MATCH`.
    public var description: String {
        var parts = [reason.description]
        if let variant { parts.insert("variant \"\(variant)\"", at: 0) }
        let text = parts.joined(separator: ", ")
        return errorMessage.map { "\(text): \($0)" } ?? text
    }
}
