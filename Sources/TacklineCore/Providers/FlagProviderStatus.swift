/// How a provider is doing.
public enum FlagProviderStatus: Sendable, Equatable, CustomStringConvertible {
    /// Its values are as fresh as it promises.
    case ready
    /// It has no values yet, and is still trying.
    case notReady
    /// Its values are older than it promises. The age counts from when they were last known to be right.
    case stale(age: Duration)
    /// It could not do its work. Values that it had before stay in force.
    case failed(FlagProviderError)

    /// The status in words.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .notReady: "not ready"
        case .stale(let age): "stale for \(age)"
        case .failed(let error): "failed: \(error)"
        }
    }
}

/// A failure of a provider, with what to do about it.
public struct FlagProviderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable name for a kind of failure. Providers add their own; a name never changes its meaning.
    public struct Code: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name, in kebab case.
        public let name: String

        /// Makes a code with a name of your own.
        public init(_ name: String) { self.name = name }
        /// Makes a code from a literal.
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

    /// What kind of failure this is.
    public var code: Code
    /// The name of the provider.
    public var provider: String
    /// The flag concerned, or `nil` if it is about the provider as a whole.
    public var key: FlagKeyPath?
    /// The value concerned, or `nil` if there is none.
    public var value: EncodedFlagValue?
    /// What happened and where, as a sentence without a full stop.
    public var reason: String
    /// What to do next, as a sentence without a full stop; `nil` where nothing sensible can be said.
    public var advice: String?

    /// Makes an error.
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

    /// Provider, flag, reason, advice and code, in one or two sentences.
    public var description: String {
        var subject = "Provider \"\(provider)\""
        if let key { subject += ", flag \"\(key)\"" }
        let advice = advice.map { " \($0)." } ?? ""
        return "\(subject): \(reason).\(advice) [\(code)]"
    }
}
