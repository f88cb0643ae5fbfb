#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the moment at which a value ends.

/// What one provider answered for one flag.
public struct FlagsBrowserAnswer: Sendable, Hashable, Codable {
    /// How it answered.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// It holds a value that the flag's type takes.
        case value
        /// It has no opinion.
        case absent
        /// The flag does not ask it, or nobody does in the present mode.
        case excluded
        /// It holds a value that the flag's type refuses.
        case refused
    }

    /// The provider's id in the chain.
    public var provider: String
    /// How it answered.
    public var outcome: Outcome
    /// What it holds, usable or not; `nil` where it holds nothing or was not asked.
    public var value: FlagsBrowserValue?
    /// When the value ends by itself; `nil` for never, and where there is no value.
    public var expires: Date?
    /// Why the flag's type refuses the value; `nil` unless it does.
    public var refusal: String?
    /// The variant that it served; `nil` if it has none.
    public var variant: String?
    /// Why it answered so, in the words of OpenFeature: `TARGETING_MATCH`; `nil` if it does not say.
    public var reason: String?
    /// What failed there, and what to do about it; `nil` if nothing did.
    public var errorMessage: String?
    /// What its source says about the flag, such as a version; `nil` if it says nothing.
    public var metadata: [String: FlagsBrowserValue]?

    /// Makes an answer.
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

    /// Whether it holds anything, so that there is something to reset.
    public var holdsValue: Bool { value != nil }
}
