import TacklineCore

/// The value that a flag would have if a provider held another value.
struct EditOutlook {
    private let explanation: FlagExplanation
    private let destination: String
    private let stored: EncodedFlagValue?
    /// The value that a read would return.
    let effective: EncodedFlagValue
    /// The source of that value.
    let source: FlagSource
    /// Whether it would be a pinned value.
    private let isPinned: Bool

    /// - Parameters:
    ///   - flag: The flag.
    ///   - destination: The provider's id.
    ///   - stored: The value that the provider would hold, as the flag's type encodes it, or `nil` for none.
    init(_ flag: AnyFlagHandle, destination: String, stored: EncodedFlagValue?) {
        explanation = flag.explain()
        self.destination = destination
        self.stored = stored
        (effective, source, isPinned) = flag.core.preview(flag.ordinal, ifProvider: destination, has: stored)
    }

    var changesAnything: Bool { effective != explanation.value }

    private var isExcluded: Bool {
        explanation.providers.contains { $0.provider == destination && $0.isExcluded }
    }

    /// A sentence for people that describes the effect.
    var message: String {
        let verb = changesAnything ? "becomes" : "stays"
        return "The flag \(verb) \(explanation.metadata.shown("\(effective)")): \(cause)."
    }

    private var cause: String {
        let name = destination.quoted
        if isPinned {
            let end = explanation.updatePolicy == .session ? "a new session begins" : "the next launch"
            return "it is pinned until \(end)"
        }
        switch source {
        case .scope: return "a value that holds for the current task wins over every provider"
        case .computed: return "it computes its value, which still wins over every provider"
        case .provider(destination):
            if stored == nil { return "provider \(name) holds it" }
            let isFirst = explanation.providers.first { !$0.isExcluded }?.provider == destination
            let reason = isFirst ? "it is asked first" : "no provider before it has a usable value"
            return "the value in \(name) wins, because \(reason)"
        case .provider(let winner):
            if isExcluded { return "the flag does not ask \(name), and the value from \(winner.quoted) wins" }
            let isFallback = stored == nil && changesAnything
            if isFallback { return "without the value in \(name), the one from \(winner.quoted) wins" }
            if stored == nil { return "the value from \(winner.quoted) wins" }
            return "the value from \(winner.quoted) still wins, because it is asked before \(name)"
        case .default:
            if isExcluded { return "the flag does not ask \(name), and no provider that it asks has a usable value" }
            return "that is the default, and no provider has a usable value then"
        }
    }
}
