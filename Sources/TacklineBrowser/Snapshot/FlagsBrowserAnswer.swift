#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the moment at which a value ends.

/// The answer of one provider for one flag.
public struct FlagsBrowserAnswer: Sendable, Hashable, Codable {
    /// The kind of answer.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// The provider holds a value that the flag's type accepts.
        case value
        /// The provider holds no value.
        case absent
        /// The provider was not asked, because the flag excludes it or because it is inactive in the present mode.
        case excluded
        /// The provider holds a value that the flag's type refuses.
        case refused
    }

    /// The provider's id in the chain.
    public var provider: String
    /// The kind of answer.
    public var outcome: Outcome
    /// The provider's value, usable or not, or `nil` if it holds none or was not asked.
    public var value: FlagsBrowserValue?
    /// The time at which the value expires, or `nil` if it never does or there is no value.
    public var expires: Date?
    /// The reason why the flag's type refuses the value, or `nil` if it doesn't.
    public var refusal: String?
    /// `true` if the launch guard holds the value back, so that it can be released; otherwise `nil`.
    public var isHeldBack: Bool?
    /// The variant that the provider served, or `nil` if there is none.
    public var variant: String?
    /// The reason for the answer in the terms of OpenFeature, such as `TARGETING_MATCH`, or `nil` if the provider gives
    /// none.
    public var reason: String?
    /// A description of an error in the provider and of what to do about it, or `nil` if there was none.
    public var errorMessage: String?
    /// Data about the flag from the provider's source, such as a version, or `nil` if there is none.
    public var metadata: [String: FlagsBrowserValue]?

    /// Creates an answer.
    public init(
        provider: String, outcome: Outcome, value: FlagsBrowserValue? = nil, expires: Date? = nil,
        refusal: String? = nil, variant: String? = nil, reason: String? = nil, errorMessage: String? = nil,
        metadata: [String: FlagsBrowserValue]? = nil
    ) {
        self.provider = provider
        self.outcome = outcome
        self.value = value
        self.expires = expires
        self.refusal = refusal
        self.variant = variant
        self.reason = reason
        self.errorMessage = errorMessage
        self.metadata = metadata
    }

    /// Whether the provider holds a value, which can be reset.
    public var holdsValue: Bool { value != nil }
}
