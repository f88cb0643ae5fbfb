import TacklineCore
import TacklineOverrides

import TacklineFoundation

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

    /// - Parameters:
    ///   - destination: The id of the provider that edits go to if it can be written to.
    init(of core: LoaderCore, in environment: DeploymentEnvironment, access: FlagsBrowser.Access, destination: String?)
    {
        let chain = core.chain
        let permissions = chain.links.map { link -> Bool? in
            guard link.traits.contains(.overridesPins), !link.traits.contains(.override) else { return nil }
            return link.provider.overrides()?.isAllowed
        }
        let decisions = permissions.compactMap(\.self)
        let isOpen = environment.admitsOverrides || access == .dangerouslyEditingInProduction
        // Where only some people may override, only their overrides can be edited.
        let links = zip(chain.links, permissions).filter { link, isAllowed in
            link.provider is any WritableFlagProvider && (isAllowed ?? isOpen)
        }.map(\.0)
        let writable = Set(links.map(\.id))
        let marked = chain.links.filter { $0.traits.contains(.overridesPins) }
        // No provider is asked before a writable one at the head, so its values override all others.
        let layers = marked.isEmpty ? chain.links.prefix(1).filter { writable.contains($0.id) } : marked
        let chosen =
            links.first { $0.id == destination } ?? layers.first { writable.contains($0.id) }
            ?? links.first { chain.isAsked($0) }
        self.chain = chain
        self.writable = writable
        allowsOverrides = decisions.isEmpty ? environment.admitsOverrides : decisions.contains(true)
        launchGuard = core.installedChain.launchGuard
        overrideLayers = Set(layers.map(\.id))
        defaultDestination = chosen?.id
    }

    /// The ids of the providers that edits can go to, in the order of the chain.
    var destinations: [String] { chain.links.map(\.id).filter(writable.contains) }

    /// Returns a provider that edits can go to, or `nil` if there is none with this id.
    func destination(_ id: String) -> BrowserDestination? {
        guard writable.contains(id), let provider = chain.link(.named(id))?.provider as? any WritableFlagProvider
        else { return nil }
        return BrowserDestination(id: id, provider: provider, overrides: provider.overrides())
    }

    /// The providers with their present status.
    var providers: [FlagsBrowserProvider] {
        chain.links.map { link in
            let status = link.provider.status
            let isHeldBack = launchGuard?.holdsBack(link.id) == true
            return FlagsBrowserProvider(
                id: link.id, status: isHeldBack ? "\(status), held back" : "\(status)",
                isReady: status == .ready && !isHeldBack, isWritable: writable.contains(link.id),
                isOverrideLayer: overrideLayers.contains(link.id), keepsExpiry: link.provider.overrides() != nil)
        }
    }

    /// The dates at which values expire, by the id of their provider and the text of their key.
    var expiries: [String: [String: Date]] {
        var expiries: [String: [String: Date]] = [:]
        for link in chain.links {
            for override in link.provider.overrides()?.overrides ?? [] {
                guard let expires = override.expires, link.provider.value(for: override.key) == override.value
                else { continue }
                expiries[link.id, default: [:]][override.key.text] = expires
            }
        }
        return expiries
    }
}

/// A provider that a command writes to.
struct BrowserDestination: Sendable {
    let id: String
    let provider: any WritableFlagProvider
    /// The overrides that the provider is or takes values from, which keep when a value expires; `nil` if there are
    /// none.
    let overrides: FlagOverrides?
}

extension FlagProvider {
    /// Returns the first `FlagOverrides` that the provider is or takes values from, or `nil` if there are none.
    ///
    /// - Parameter depth: The number of levels that are searched, since a provider may contain itself.
    fileprivate func overrides(depth: Int = 8) -> FlagOverrides? {
        if let overrides = self as? FlagOverrides { return overrides }
        guard depth > 0 else { return nil }
        return wrappedProviders.lazy.compactMap { $0.overrides(depth: depth - 1) }.first
    }
}
