/// A provider that can name the variant of a value, the reason for it, and the flag's metadata.
///
/// Resolutions and ``FlagHandle/explain()`` show them; reading a flag does not ask for them.
public protocol DetailedFlagProvider: FlagProvider {
    /// Returns the value that ``FlagProvider/value(for:)`` would return at this moment, with its details.
    ///
    /// One call gives both, so that they belong together however often the provider changes meanwhile. It is a question and
    /// not a use: a provider that counts who was given which value does not count this one. Otherwise the rules of
    /// ``FlagProvider/value(for:)`` hold.
    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue
}

extension DetailedFlagProvider {
    /// Returns the details of the present answer, or `nil` where there are none.
    ///
    /// The value may have changed when you ask for it next; ``detailedValue(for:)`` gives both together.
    public func resolutionDetails(for key: FlagKeyPath) -> FlagResolutionDetails? {
        detailedValue(for: key).details
    }
}

/// A provider's answer with what it can say about it.
public struct DetailedFlagValue: Sendable, Hashable {
    /// The value, or `nil` where the provider has no opinion.
    public var value: EncodedFlagValue?
    /// What belongs to this very answer; `nil` where the provider has nothing to say about it.
    public var details: FlagResolutionDetails?

    /// Makes an answer.
    public init(value: EncodedFlagValue?, details: FlagResolutionDetails? = nil) {
        self.value = value
        self.details = details
    }
}

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

/// Why a provider gave what it gave, in the words of OpenFeature.
///
/// An open set: providers may use reasons of their own.
public struct FlagResolutionReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a reason.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Everybody gets the value: no rule was asked.
    public static let `static` = FlagResolutionReason(rawValue: "STATIC")
    /// The rule had nothing to say, or there is no default variant.
    public static let `default` = FlagResolutionReason(rawValue: "DEFAULT")
    /// A rule chose the value for this context.
    public static let targetingMatch = FlagResolutionReason(rawValue: "TARGETING_MATCH")
    /// A random but stable assignment decided.
    public static let split = FlagResolutionReason(rawValue: "SPLIT")
    /// The flag is switched off where it is managed.
    public static let disabled = FlagResolutionReason(rawValue: "DISABLED")
    /// The value was kept from an earlier answer.
    public static let cached = FlagResolutionReason(rawValue: "CACHED")
    /// The value is older than it should be.
    public static let stale = FlagResolutionReason(rawValue: "STALE")
    /// The provider cannot say.
    public static let unknown = FlagResolutionReason(rawValue: "UNKNOWN")
    /// The flag could not be resolved.
    public static let error = FlagResolutionReason(rawValue: "ERROR")

    /// The reason itself.
    public var description: String { rawValue }
}

/// The kind of a failed resolution, in the words of OpenFeature.
///
/// An open set: providers may use codes of their own.
public struct FlagResolutionErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a code.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// No flag has this key.
    public static let flagNotFound = FlagResolutionErrorCode(rawValue: "FLAG_NOT_FOUND")
    /// The definition of the flag is wrong.
    public static let parseError = FlagResolutionErrorCode(rawValue: "PARSE_ERROR")
    /// The value is of another type than the flag.
    public static let typeMismatch = FlagResolutionErrorCode(rawValue: "TYPE_MISMATCH")
    /// Anything else: a rule names no variant, or a limit was reached.
    public static let general = FlagResolutionErrorCode(rawValue: "GENERAL")

    /// The code itself.
    public var description: String { rawValue }
}

/// Tells whether a provider is asked only in order to look.
///
/// A wrapper that is not a ``DetailedFlagProvider`` itself can only be looked into by reading its value, and it reads those
/// of the providers inside. They can tell by ``isActive`` that nobody is given the value.
public enum FlagInspection {
    /// Whether the current task explains a flag, so that a value that it reads from a provider is not used.
    ///
    /// Only a provider that counts exposures needs to ask.
    @TaskLocal public static var isActive = false
}

extension FlagProvider {
    /// Asks for the value and its details without counting as a use of the flag.
    package func inspectedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        if let provider = self as? any DetailedFlagProvider { return provider.detailedValue(for: key) }
        guard let wrapper = self as? any FlagProviderWrapper else { return DetailedFlagValue(value: value(for: key)) }
        return FlagInspection.$isActive.withValue(true) {
            let value = wrapper.value(for: key)
            var remaining = 1000
            return DetailedFlagValue(
                value: value, details: wrapper.wrappedDetails(of: value, for: key, remaining: &remaining, depth: 0))
        }
    }
}

extension FlagProviderWrapper {
    /// The details of the first provider inside that gives a value, whatever the wrapper does with it.
    ///
    /// - Parameters:
    ///   - remaining: How many providers may still be asked, for a nest that contains itself.
    ///   - depth: How many wrappers are around this one.
    fileprivate func wrappedDetails(
        of value: EncodedFlagValue?, for key: FlagKeyPath, remaining: inout Int, depth: Int
    ) -> FlagResolutionDetails? {
        for provider in wrappedProviders {
            guard remaining > 0, depth < 64 else { return nil }
            remaining -= 1
            if let provider = provider as? any DetailedFlagProvider {
                let answer = provider.detailedValue(for: key)
                // A nil of a provider that knows nothing about the flag must not hide what the next one knows.
                if answer.value == value, value != nil || answer.details != nil { return answer.details }
            } else if let value, provider.value(for: key) == value {
                guard let wrapper = provider as? any FlagProviderWrapper else { return nil }
                return wrapper.wrappedDetails(of: value, for: key, remaining: &remaining, depth: depth + 1)
            } else if value == nil, let wrapper = provider as? any FlagProviderWrapper,
                let details = wrapper.wrappedDetails(of: nil, for: key, remaining: &remaining, depth: depth + 1)
            {
                return details
            }
        }
        return nil
    }
}
