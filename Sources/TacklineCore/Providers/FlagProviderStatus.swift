/// The health of a provider.
public enum FlagProviderStatus: Sendable, Equatable, CustomStringConvertible {
    /// Values that are as fresh as the provider promises.
    case ready
    /// No values yet. The provider is still trying to get them.
    case notReady
    /// Values that are older than the provider promises. `age` is the time since they were last confirmed.
    case stale(age: Duration)
    /// A failure. The values that the provider had before stay in force.
    case failed(FlagError)

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
