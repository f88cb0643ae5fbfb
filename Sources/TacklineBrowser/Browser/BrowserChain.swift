import TacklineCore
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which an override ends.

/// A loader's chain as the browser looks at it, at one moment.
struct BrowserChain {
    let chain: FlagChain
    /// The ids of the providers whose values count as overrides.
    let overrideLayers: Set<String>
    /// The id of the provider that edits go to if none is chosen.
    let defaultDestination: String?

    init(of core: LoaderCore, configuration: FlagsBrowserConfiguration) {
        let chain = core.chain
        let marked = chain.links.filter { $0.kind.contains(.override) }
        // Nothing is asked before a writable provider at the head, so what is in it is there to override.
        let layers = marked.isEmpty ? chain.links.prefix(1).filter(\.isWritable) : marked
        self.chain = chain
        overrideLayers = Set(layers.map(\.id))
        let chosen = chain.links.first { $0.id == configuration.destination && $0.isWritable }
        let destination =
            chosen ?? layers.first(where: \.isWritable)
            ?? chain.links.first { $0.isWritable && chain.isAsked($0) }
        defaultDestination = destination?.id
    }

    /// The providers, with how they are doing now.
    var providers: [FlagsBrowserProvider] {
        chain.links.map { link in
            let status = link.provider.status
            return FlagsBrowserProvider(
                id: link.id, status: "\(status)", isReady: status == .ready, isWritable: link.isWritable,
                isOverrideLayer: overrideLayers.contains(link.id), keepsExpiry: link.provider is FlagOverrides)
        }
    }

    /// When values end by themselves, by the id of their provider and the text of their key.
    var expiries: [String: [String: Date]] {
        var expiries: [String: [String: Date]] = [:]
        for link in chain.links {
            guard let overrides = link.provider as? FlagOverrides else { continue }
            let ending = overrides.overrides.compactMap { override in override.expires.map { (override.key.text, $0) } }
            if !ending.isEmpty { expiries[link.id] = Dictionary(ending) { first, _ in first } }
        }
        return expiries
    }

    /// Whether every provider notifies observers, so that its answers stay valid until it does.
    var notifiesObservers: Bool { chain.links.allSatisfy(\.notifiesObservers) }

    /// What tells this chain from others.
    var signature: [UInt64] { chain.links.map(\.number) + [chain.isLocal ? 1 : 0] }
}

extension FlagChain.Link {
    /// Whether edits can go to it.
    var isWritable: Bool { provider is any WritableFlagProvider }
}
