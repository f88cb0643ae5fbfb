/// How a provider is doing.
public enum FlagProviderStatus: Sendable, Hashable {
    /// Its values are as fresh as it promises.
    case ready
    /// It has no values yet, and is still trying.
    case notReady
    /// It answers with values that are older than it promises.
    ///
    /// The age is counted from when the values were last known to be right.
    case stale(age: Duration)
    /// It could not do its work. Values that it had before stay in force.
    case failed(FlagProviderError)
}

extension FlagProviderStatus: CustomStringConvertible {
    /// One word or sentence for people.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .notReady: "not ready"
        case .stale(let age): "stale for \(age)"
        case .failed(let error): "failed: \(error)"
        }
    }
}
