/// The health of a provider.
public enum FlagProviderStatus: Sendable, Equatable, CustomStringConvertible {
    /// The values are as fresh as the provider promises.
    case ready
    /// The provider has no values yet and is still trying.
    case notReady
    /// The values are older than the provider promises. The age counts from the time they were last confirmed.
    case stale(age: Duration)
    /// The provider failed. The values that it had before stay in force.
    case failed(FlagProviderError)

    /// The status in words, such as `stale for 17 minutes`.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .notReady: "not ready"
        case .stale(let age): "stale for \(age.roundedText)"
        case .failed(let error): "failed: \(error)"
        }
    }
}

extension Duration {
    /// The duration in its largest whole unit, such as `17 minutes`.
    fileprivate var roundedText: String {
        let seconds = max(0, components.seconds)
        let (count, unit) =
            switch seconds {
            case ..<120: (seconds, "second")
            case ..<7200: (seconds / 60, "minute")
            case ..<172_800: (seconds / 3600, "hour")
            default: (seconds / 86400, "day")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}

/// A failure of a provider, with the next step for the person who reads it.
public struct FlagProviderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable name for a kind of failure. Providers define their own; a name never changes its meaning.
    public struct Code: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name, in kebab case.
        public let name: String

        /// Creates a code with a name of your own.
        public init(_ name: String) { self.name = name }
        /// Creates a code from a literal.
        public init(stringLiteral name: String) { self.init(name) }
        /// The name.
        public var description: String { name }

        /// The provider's format cannot hold the value.
        public static let unsupportedValue: Code = "unsupported-value"
        /// The stored values cannot be read: wrong syntax, wrong encoding, over a limit.
        public static let unreadable: Code = "unreadable"
        /// Reading or writing failed: permissions, space, the disk.
        public static let inputOutput: Code = "input-output"
        /// No answer came over the network.
        public static let network: Code = "network"
        /// An answer came and is not usable.
        public static let rejected: Code = "rejected"
        /// The task that waited was cancelled.
        public static let cancelled: Code = "cancelled"
    }

    /// The kind of failure.
    public var code: Code
    /// The name of the provider.
    public var provider: String
    /// The flag concerned, or `nil` if the provider as a whole failed.
    public var key: FlagKeyPath?
    /// The value concerned, or `nil` if there is none.
    public var value: EncodedFlagValue?
    /// A description of the failure and its place, as a sentence without a full stop.
    public var reason: String
    /// The next step, as a sentence without a full stop; `nil` if there is no useful one.
    public var advice: String?

    /// Creates an error.
    public init(
        _ code: Code, provider: String, key: FlagKeyPath? = nil, value: EncodedFlagValue? = nil, reason: String,
        advice: String? = nil
    ) {
        self.code = code
        self.provider = provider
        self.key = key
        self.value = value
        self.reason = reason
        self.advice = advice
    }

    /// The provider, flag, reason, advice and code, in one or two sentences.
    public var description: String {
        var subject = "Provider \"\(provider)\""
        if let key { subject += ", flag \"\(key)\"" }
        let advice = advice.map { " \($0)." } ?? ""
        return "\(subject): \(reason).\(advice) [\(code)]"
    }
}
