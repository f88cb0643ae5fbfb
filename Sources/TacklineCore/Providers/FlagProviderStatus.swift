/// The health of a provider.
public enum FlagProviderStatus: Sendable, Equatable, CustomStringConvertible {
    /// Values that are as fresh as the provider promises.
    case ready
    /// No values yet. The provider is still trying to get them.
    case notReady
    /// Values that are older than the provider promises. `age` is the time since they were last confirmed.
    case stale(age: Duration)
    /// A failure. The values that the provider had before stay in force.
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
    package var roundedText: String {
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

        /// A value that the provider's format can't hold.
        public static let unsupportedValue: Code = "unsupported-value"
        /// Stored values that can't be read: wrong syntax, wrong encoding, over a limit.
        public static let unreadable: Code = "unreadable"
        /// A failure to read or write: permissions, space, the disk.
        public static let inputOutput: Code = "input-output"
        /// No answer over the network.
        public static let network: Code = "network"
        /// An answer over the network that is not usable.
        public static let rejected: Code = "rejected"
        /// The cancellation of the task that waited.
        public static let cancelled: Code = "cancelled"
    }

    /// The kind of failure.
    public var code: Code
    /// The name of the provider.
    public var provider: String
    /// The key of the flag concerned, or `nil` if the provider as a whole failed.
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
