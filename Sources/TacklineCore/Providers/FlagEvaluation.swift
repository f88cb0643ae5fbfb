/// A provider's answer for a flag: a value or none, with the reasons for it in the terms of OpenFeature.
///
/// A provider that gives no reasons leaves everything but the value at its default.
public struct FlagEvaluation: Sendable, Hashable {
    /// The value, or `nil` if the provider has none, so that the next one is asked.
    public var value: EncodedFlagValue?
    /// The name of the variant that the value belongs to, or `nil` if it has none.
    public var variant: String?
    /// The reason for the value, or `nil` if the provider gives none.
    public var reason: Reason?
    /// Metadata from the source of the flag, such as a version or an owner. The source chooses names and values.
    public var metadata: [String: EncodedFlagValue]
    /// The kind of failure, or `nil` if nothing failed. A flag that the provider doesn't have is no failure.
    public var errorCode: ErrorCode?
    /// A description of the failure, its place, and the next step; `nil` if nothing failed.
    public var errorMessage: String?
    /// A remark about how the value was chosen, in a few words; `nil` if there is none.
    public var note: String?
    /// The subject that the value was chosen for, such as the targeting key of a user; `nil` if the value is the same
    /// for everybody or the subject has no key. It is not part of ``description``.
    public var subject: String?

    /// The reason for a value, in the terms of OpenFeature. Providers may define reasons of their own.
    public struct Reason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The reason as OpenFeature writes it, in capitals.
        public var rawValue: String

        /// Creates a reason.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A value that everybody gets, because the flag has no rules.
        public static let `static` = Reason(rawValue: "STATIC")
        /// A default: the definition's, because no rule chose a variant, or the one in code, because the definition has
        /// no default variant.
        public static let `default` = Reason(rawValue: "DEFAULT")
        /// A value that a rule chose for this context.
        public static let targetingMatch = Reason(rawValue: "TARGETING_MATCH")
        /// A value that a stable random assignment chose.
        public static let split = Reason(rawValue: "SPLIT")
        /// A flag that is switched off at its source.
        public static let disabled = Reason(rawValue: "DISABLED")
        /// A value that was kept from an earlier evaluation.
        public static let cached = Reason(rawValue: "CACHED")
        /// A value that is older than it should be.
        public static let stale = Reason(rawValue: "STALE")
        /// A reason that the provider doesn't know.
        public static let unknown = Reason(rawValue: "UNKNOWN")
        /// A flag that could not be resolved.
        public static let error = Reason(rawValue: "ERROR")

        /// The same as ``rawValue``.
        public var description: String { rawValue }
    }

    /// The kind of a failed evaluation, in the terms of OpenFeature. Providers may use codes of their own.
    public struct ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as OpenFeature writes it, in capitals.
        public var rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A key that no flag has.
        public static let flagNotFound = ErrorCode(rawValue: "FLAG_NOT_FOUND")
        /// A mistake in the flag's definition.
        public static let parseError = ErrorCode(rawValue: "PARSE_ERROR")
        /// A value whose type differs from the flag's type.
        public static let typeMismatch = ErrorCode(rawValue: "TYPE_MISMATCH")
        /// Any other failure: a rule names no variant, or a limit was reached.
        public static let general = ErrorCode(rawValue: "GENERAL")

        /// The same as ``rawValue``.
        public var description: String { rawValue }
    }
}

extension FlagEvaluation {
    /// Creates an evaluation.
    public init(
        value: EncodedFlagValue?, variant: String? = nil, reason: Reason? = nil,
        metadata: [String: EncodedFlagValue] = [:], errorCode: ErrorCode? = nil, errorMessage: String? = nil,
        note: String? = nil
    ) {
        // The memberwise initialiser takes its arguments over, where assignments would end in a copy of the whole.
        self.init(
            value: value, variant: variant, reason: reason, metadata: metadata, errorCode: errorCode,
            errorMessage: errorMessage, note: note, subject: nil)
    }
}

extension FlagEvaluation: CustomStringConvertible {
    /// The variant, reason, note and error message, without the value: `variant "on", TARGETING_MATCH`. It is empty if
    /// the provider gives no reasons.
    public var description: String { shown(isSecret: false) }

    /// Returns the description. That of a secret flag's evaluation has no error message, which may quote the value.
    func shown(isSecret: Bool) -> String {
        let parts = [variant.map { "variant \"\($0)\"" }, reason?.description, note]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        guard !isSecret, let errorMessage else { return text }
        return text.isEmpty ? errorMessage : "\(text): \(errorMessage)"
    }
}
