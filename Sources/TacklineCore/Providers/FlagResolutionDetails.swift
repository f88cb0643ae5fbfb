/// A provider's value and details about it.
public struct DetailedFlagValue: Sendable, Equatable {
    /// The value, or `nil` if the provider has none.
    public var value: EncodedFlagValue?
    /// The details of this value, or `nil` if the provider has none.
    public var details: FlagResolutionDetails?

    /// Creates a value with its details.
    public init(value: EncodedFlagValue?, details: FlagResolutionDetails? = nil) {
        self.value = value
        self.details = details
    }
}

/// A provider's reasons for a value, in the terms of OpenFeature.
public struct FlagResolutionDetails: Sendable, Equatable, CustomStringConvertible {
    /// The name of the variant that the value belongs to, or `nil` if it has none.
    public var variant: String?
    /// The reason for the value.
    public var reason: FlagResolutionReason
    /// Metadata from the source of the flag, such as a version or an owner. The source chooses names and values.
    public var metadata: [String: EncodedFlagValue]
    /// The kind of failure, or `nil` if nothing failed.
    public var errorCode: FlagResolutionErrorCode?
    /// A description of the failure, its place, and the next step; `nil` if nothing failed.
    public var errorMessage: String?
    /// A remark about how the value was chosen, in a few words; `nil` if there is none.
    public var note: String?
    /// The subject that the value was chosen for, such as the targeting key of a user; `nil` if the value is the same
    /// for everybody or the subject has no key. It is not part of ``description``.
    public var subject: String?

    /// Creates details.
    public init(
        variant: String? = nil, reason: FlagResolutionReason, metadata: [String: EncodedFlagValue] = [:],
        errorCode: FlagResolutionErrorCode? = nil, errorMessage: String? = nil, note: String? = nil,
        subject: String? = nil
    ) {
        self.variant = variant
        self.reason = reason
        self.metadata = metadata
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.note = note
        self.subject = subject
    }

    /// Adds a remark that the value comes from a cache: `from the cache of 17 minutes ago`. The note so far stays before it.
    ///
    /// For providers that keep values over a restart.
    ///
    /// - Parameter age: The time since the source last confirmed the value. The note gives it in its largest whole unit;
    ///   less than none is 0 seconds.
    public mutating func noteCache(age: Duration) {
        let remark = "from the cache of \(age.roundedText) ago"
        note = note.map { "\($0), \(remark)" } ?? remark
    }

    /// The variant, reason, note and error message: `variant "on", TARGETING_MATCH`.
    public var description: String { shown(isSecret: false) }

    /// Returns the description. That of a secret flag's value has no error message, which may quote the value.
    func shown(isSecret: Bool) -> String {
        let variant = variant.map { "variant \"\($0)\", " } ?? ""
        let note = note.map { ", \($0)" } ?? ""
        return variant + reason.description + note + (isSecret ? "" : errorMessage.map { ": \($0)" } ?? "")
    }
}

/// The reason for a provider's value, in the terms of OpenFeature. Providers may define reasons of their own.
public struct FlagResolutionReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Creates a reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A value that everybody gets, because the flag has no rules.
    public static let `static` = FlagResolutionReason(rawValue: "STATIC")
    /// A default: the definition's, because no rule chose a variant, or the one in code, because the definition has no
    /// default variant.
    public static let `default` = FlagResolutionReason(rawValue: "DEFAULT")
    /// A value that a rule chose for this context.
    public static let targetingMatch = FlagResolutionReason(rawValue: "TARGETING_MATCH")
    /// A value that a stable random assignment chose.
    public static let split = FlagResolutionReason(rawValue: "SPLIT")
    /// A flag that is switched off at its source.
    public static let disabled = FlagResolutionReason(rawValue: "DISABLED")
    /// A value that was kept from an earlier evaluation.
    public static let cached = FlagResolutionReason(rawValue: "CACHED")
    /// A value that is older than it should be.
    public static let stale = FlagResolutionReason(rawValue: "STALE")
    /// A reason that the provider doesn't know.
    public static let unknown = FlagResolutionReason(rawValue: "UNKNOWN")
    /// A flag that could not be resolved.
    public static let error = FlagResolutionReason(rawValue: "ERROR")

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

/// The kind of a failed resolution, in the terms of OpenFeature. Providers may use codes of their own.
public struct FlagResolutionErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A key that no flag has.
    public static let flagNotFound = FlagResolutionErrorCode(rawValue: "FLAG_NOT_FOUND")
    /// A mistake in the flag's definition.
    public static let parseError = FlagResolutionErrorCode(rawValue: "PARSE_ERROR")
    /// A value whose type differs from the flag's type.
    public static let typeMismatch = FlagResolutionErrorCode(rawValue: "TYPE_MISMATCH")
    /// Any other failure: a rule names no variant, or a limit was reached.
    public static let general = FlagResolutionErrorCode(rawValue: "GENERAL")

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

extension FlagProvider {
    /// Returns the value and its details.
    ///
    /// If the provider gives no details, the first provider inside it that holds the same value does.
    package func inspectedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        var answer = detailedValue(for: key)
        guard answer.details == nil else { return answer }
        let wrapped = wrappedProviders
        guard !wrapped.isEmpty else { return answer }
        // A provider may contain itself, so the search is bounded.
        var remaining = 1000
        answer.details = wrapped.details(of: answer.value, for: key, remaining: &remaining, depth: 0)
        return answer
    }
}

extension [any FlagProvider] {
    fileprivate func details(
        of value: EncodedFlagValue?, for key: FlagKeyPath, remaining: inout Int, depth: Int
    ) -> FlagResolutionDetails? {
        for provider in self {
            guard remaining > 0, depth < 64 else { return nil }
            remaining -= 1
            let answer = provider.detailedValue(for: key)
            guard answer.value == value else { continue }
            let details =
                answer.details
                ?? provider.wrappedProviders.details(of: value, for: key, remaining: &remaining, depth: depth + 1)
            // A provider without a value and without details must not hide the details of a later one.
            if details != nil || value != nil { return details }
        }
        return nil
    }
}
