/// A provider that knows the variant of a value, the reason for it, and metadata of the flag.
///
/// Resolutions and ``FlagHandle/explain()`` show these details; reading a flag does not ask for them.
public protocol DetailedFlagProvider: MarkedFlagProvider {
    /// Returns the value that ``FlagProvider/value(for:)`` would return now, and its details, from one moment.
    ///
    /// A provider that counts who was given which value must not count this call. Otherwise the rules of
    /// ``FlagProvider/value(for:)`` apply.
    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue
}

extension DetailedFlagProvider {
    /// Returns the details of the present value, or `nil` if there are none.
    ///
    /// The value may change between two calls; ``detailedValue(for:)`` returns both from one moment.
    public func resolutionDetails(for key: FlagKeyPath) -> FlagResolutionDetails? { detailedValue(for: key).details }
}

/// A provider's value and details about it.
public struct DetailedFlagValue: Sendable, Equatable {
    /// The value, or `nil` where the provider has no opinion.
    public var value: EncodedFlagValue?
    /// The details of this value; `nil` if the provider has none.
    public var details: FlagResolutionDetails?

    /// Makes a value with its details.
    public init(value: EncodedFlagValue?, details: FlagResolutionDetails? = nil) {
        self.value = value
        self.details = details
    }
}

/// What a provider knows about a value, in the terms of OpenFeature.
public struct FlagResolutionDetails: Sendable, Equatable, CustomStringConvertible {
    /// The name of the value among the values of the flag; `nil` if it has none.
    public var variant: String?
    /// Why the provider returned this value.
    public var reason: FlagResolutionReason
    /// Metadata from the source of the flag, such as a version or an owner. The source chooses names and values.
    public var metadata: [String: EncodedFlagValue]
    /// The kind of failure; `nil` if nothing failed.
    public var errorCode: FlagResolutionErrorCode?
    /// What failed, where, and what to do about it; `nil` if nothing failed.
    public var errorMessage: String?
    /// What else people should know about how the value was chosen, in a few words; `nil` for nothing.
    public var note: String?

    /// Makes details.
    public init(
        variant: String? = nil, reason: FlagResolutionReason, metadata: [String: EncodedFlagValue] = [:],
        errorCode: FlagResolutionErrorCode? = nil, errorMessage: String? = nil, note: String? = nil
    ) {
        self.variant = variant
        self.reason = reason
        self.metadata = metadata
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.note = note
    }

    /// Variant, reason, note and error message: `variant "on", TARGETING_MATCH`.
    public var description: String {
        let variant = variant.map { "variant \"\($0)\", " } ?? ""
        let note = note.map { ", \($0)" } ?? ""
        return variant + reason.description + note + (errorMessage.map { ": \($0)" } ?? "")
    }
}

/// Why a provider returned a value, in the terms of OpenFeature. Providers may use reasons of their own.
public struct FlagResolutionReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everybody gets the value: the flag has no rules.
    public static let `static` = FlagResolutionReason(rawValue: "STATIC")
    /// No rule chose a variant, or there is no default variant.
    public static let `default` = FlagResolutionReason(rawValue: "DEFAULT")
    /// A rule chose the value for this context.
    public static let targetingMatch = FlagResolutionReason(rawValue: "TARGETING_MATCH")
    /// A stable random assignment chose the value.
    public static let split = FlagResolutionReason(rawValue: "SPLIT")
    /// The flag is switched off at its source.
    public static let disabled = FlagResolutionReason(rawValue: "DISABLED")
    /// The value was kept from an earlier evaluation.
    public static let cached = FlagResolutionReason(rawValue: "CACHED")
    /// The value is older than it should be.
    public static let stale = FlagResolutionReason(rawValue: "STALE")
    /// The provider does not know the reason.
    public static let unknown = FlagResolutionReason(rawValue: "UNKNOWN")
    /// The flag could not be resolved.
    public static let error = FlagResolutionReason(rawValue: "ERROR")

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

/// The kind of a failed resolution, in the terms of OpenFeature. Providers may use codes of their own.
public struct FlagResolutionErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No flag has this key.
    public static let flagNotFound = FlagResolutionErrorCode(rawValue: "FLAG_NOT_FOUND")
    /// The definition of the flag is wrong.
    public static let parseError = FlagResolutionErrorCode(rawValue: "PARSE_ERROR")
    /// The value is of another type than the flag.
    public static let typeMismatch = FlagResolutionErrorCode(rawValue: "TYPE_MISMATCH")
    /// Anything else: a rule names no variant, or a limit was reached.
    public static let general = FlagResolutionErrorCode(rawValue: "GENERAL")

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

/// Tells providers that a value is only inspected, not used.
///
/// A wrapper that is not a ``DetailedFlagProvider`` can only be inspected by reading its value, and then reads those of the
/// providers inside. By ``isActive`` they can tell that nobody is given the value.
public enum FlagInspection {
    /// Whether the current task explains a flag, so that the values it reads are not used.
    ///
    /// Only providers that count exposures need to check it.
    @TaskLocal public static var isActive = false
}

extension FlagProvider {
    /// Whether ``inspectedValue(for:)`` is another question than ``value(for:)``.
    package var tellsLooksFromUses: Bool {
        self is any MarkedFlagProvider && (self is any DetailedFlagProvider || self is any FlagProviderWrapper)
    }

    /// Returns the value and its details without counting as a use of the flag.
    package func inspectedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        guard let marked = self as? any MarkedFlagProvider else { return DetailedFlagValue(value: value(for: key)) }
        if let provider = marked as? any DetailedFlagProvider { return provider.detailedValue(for: key) }
        guard let wrapper = marked as? any FlagProviderWrapper else { return DetailedFlagValue(value: value(for: key)) }
        return FlagInspection.$isActive.withValue(true) {
            let value = wrapper.value(for: key)
            var remaining = 1000
            return DetailedFlagValue(
                value: value, details: wrapper.wrappedDetails(of: value, for: key, remaining: &remaining, depth: 0))
        }
    }
}

extension FlagProviderWrapper {
    /// Returns the details of the first provider inside that returns `value`.
    ///
    /// - Parameters:
    ///   - remaining: How many providers may still be asked, since a wrapper may contain itself.
    ///   - depth: How many wrappers are around this one.
    fileprivate func wrappedDetails(
        of value: EncodedFlagValue?, for key: FlagKeyPath, remaining: inout Int, depth: Int
    ) -> FlagResolutionDetails? {
        for provider in wrappedProviders {
            guard remaining > 0, depth < 64 else { return nil }
            remaining -= 1
            if let provider = provider as? any DetailedFlagProvider {
                let answer = provider.detailedValue(for: key)
                // `nil` without details must not hide the details of a later provider.
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
