import TacklineCore
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which an override ends.

/// A snapshot of a loader's chain for the browser.
struct BrowserChain {
    let chain: FlagChain
    /// The ids of the providers whose values count as overrides.
    let overrideLayers: Set<String>
    /// The id of the provider that edits go to if a command names none.
    let defaultDestination: String?
    /// Whether overrides are allowed. The `FlagOverrides` of the chain whose permission is decided at run time decide
    /// it, or else the environment does.
    let allowsOverrides: Bool
    /// The ids of the providers that edits can go to.
    private let writable: Set<String>
    private let launchGuard: (any FlagContentGuard)?

    init(of core: LoaderCore, in environment: DeploymentEnvironment, configuration: FlagsBrowserConfiguration) {
        let chain = core.chain
        let permissions = chain.links.map { $0.guardedOverrides?.isAllowed }
        let decisions = permissions.compactMap(\.self)
        let allowsOverrides = decisions.isEmpty ? environment.admitsOverrides : decisions.contains(true)
        let isOpen = environment.admitsOverrides || configuration.access == .dangerouslyEditingInProduction
        // Where only some people may override, only their overrides can be edited.
        let links = zip(chain.links, permissions).filter { link, isAllowed in
            link.provider is any WritableFlagProvider && (isAllowed ?? isOpen)
        }.map(\.0)
        let writable = Set(links.map(\.id))
        let marked = chain.links.filter { $0.traits.contains(.overridesPins) }
        // No provider is asked before a writable one at the head, so its values override all others.
        let layers = marked.isEmpty ? chain.links.prefix(1).filter { writable.contains($0.id) } : marked
        self.chain = chain
        self.allowsOverrides = allowsOverrides
        self.writable = writable
        launchGuard = core.launchGuard
        overrideLayers = Set(layers.map(\.id))
        let chosen = links.first { $0.id == configuration.destination }
        let destination =
            chosen ?? layers.first { writable.contains($0.id) } ?? links.first { chain.isAsked($0) }
        defaultDestination = destination?.id
    }

    /// Returns whether edits can go to a provider.
    func isWritable(_ link: FlagChain.Link) -> Bool { writable.contains(link.id) }

    /// The providers with their present status.
    var providers: [FlagsBrowserProvider] {
        chain.links.map { link in
            let status = link.provider.status
            let isHeldBack = launchGuard?.holdsBack(link.id) == true
            return FlagsBrowserProvider(
                id: link.id, status: isHeldBack ? "\(status), held back" : "\(status)",
                isReady: status == .ready && !isHeldBack, isWritable: isWritable(link),
                isOverrideLayer: overrideLayers.contains(link.id), keepsExpiry: link.provider is FlagOverrides)
        }
    }

    /// The expiry dates of values, by the id of their provider and the text of their key.
    var expiries: [String: [String: Date]] {
        var expiries: [String: [String: Date]] = [:]
        for link in chain.links {
            guard let overrides = link.provider as? FlagOverrides else { continue }
            let ending = overrides.overrides.compactMap { override in override.expires.map { (override.key.text, $0) } }
            if !ending.isEmpty { expiries[link.id] = Dictionary(ending) { first, _ in first } }
        }
        return expiries
    }

    /// Whether every provider notifies observers, so that its answers stay valid until it sends a notice.
    var notifiesObservers: Bool { chain.links.allSatisfy(\.notifiesObservers) }

    /// Numbers that are equal only for this chain with the same permissions.
    var signature: [UInt64] {
        chain.links.map { $0.number << 1 | (isWritable($0) ? 1 : 0) } + [
            chain.isLocal ? 1 : 0, allowsOverrides ? 1 : 0,
        ]
    }
}

extension FlagChain.Link {
    /// The overrides in the provider whose permission is decided at run time, or `nil` if there are none.
    fileprivate var guardedOverrides: FlagOverrides? {
        traits.contains(.overridesPins) && !traits.contains(.override) ? provider.guardedOverrides : nil
    }
}

extension FlagProvider {
    /// The first `FlagOverrides` in the provider. The caller excludes providers that contain themselves, which have
    /// every trait.
    fileprivate var guardedOverrides: FlagOverrides? {
        if let overrides = self as? FlagOverrides { return overrides }
        for provider in wrappedProviders {
            if let overrides = provider.guardedOverrides { return overrides }
        }
        return nil
    }
}
