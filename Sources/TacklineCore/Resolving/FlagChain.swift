import Synchronization

/// The providers of a loader in the order in which they are asked, each with the id that tells it from the others.
///
/// What users write is a ``ProviderChain``; this is the form in which a loader has installed it.
package final class FlagChain: Sendable {
    /// A provider in its place.
    package final class Link: Sendable {
        package let id: String
        package let provider: any FlagProvider
        package let type: ObjectIdentifier
        /// Kept here, since providers hold observers weakly; `nil` if the provider cannot tell changes.
        private let observer: FlagProviderObserver?
        package let isLive: Bool
        package let isOverride: Bool
        /// Tells the link from all others that the process ever made.
        package let number = Link.lastNumber.add(1, ordering: .relaxed).newValue

        /// Whether the provider says when what it answers changes.
        package var tellsChanges: Bool { observer != nil }

        package init(
            id: String, provider: any FlagProvider, type: ObjectIdentifier, observer: FlagProviderObserver?,
            isLive: Bool, isOverride: Bool
        ) {
            self.id = id
            self.provider = provider
            self.type = type
            self.observer = observer
            self.isLive = isLive
            self.isOverride = isOverride
        }

        private static let lastNumber = Atomic<UInt64>(0)

        /// Returns a link in the same place whose answers come from another provider.
        package func answering(by provider: any FlagProvider) -> Link {
            Link(id: id, provider: provider, type: type, observer: observer, isLive: isLive, isOverride: isOverride)
        }
    }

    package let links: [Link]
    /// The chain as it was given, less what was refused.
    package let given: AdmittedChain
    /// Counts the installations of a loader.
    package let revision: UInt64

    package init(links: [Link], given: AdmittedChain, revision: UInt64) {
        self.links = links
        self.given = given
        self.revision = revision
    }

    /// Whether live providers are left out at present.
    package var isLocal: Bool { given.gate.map { !$0.isOpen } ?? false }

    /// Whether a link is asked at present.
    package func isAsked(_ link: Link) -> Bool { !link.isLive || !isLocal }

    /// The first link whose provider is of a type, or has an id, or is an instance.
    package func link(_ selector: FlagProviderSelector) -> Link? {
        links.first { selector.matches(id: $0.id, type: $0.type, provider: $0.provider) }
    }

    /// Returns how many links stand above a source: those before its provider; all for the default, none for what is
    /// computed.
    package func position(above source: FlagSource) -> Int {
        switch source {
        case .scope, .computed: 0
        case .provider(let id): links.firstIndex { $0.id == id } ?? links.count
        case .default: links.count
        }
    }

    /// Returns an id for each provider: its name, with a number behind it if a provider before it has taken the name.
    package static func ids(for providers: some Sequence<any FlagProvider>) -> [String] {
        var taken: Set<String> = []
        return providers.map { provider in
            let name = provider.name
            var id = name
            var number = 2
            while !taken.insert(id).inserted {
                id = "\(name) \(number)"
                number += 1
            }
            return id
        }
    }
}

/// Decides whether live providers (``LiveFlagProvider``) are asked.
package protocol ProviderGate: AnyObject, Sendable {
    /// Whether live providers are asked now. Read at each resolution, so it must be as cheap as an atomic load.
    var isOpen: Bool { get }

    /// Takes an observer, held weakly, which is told when ``isOpen`` has changed.
    func observe(_ observer: FlagProviderObserver)
}

/// Names one provider of a chain, by its id or itself: `user.$allowsSSON.flagValue(from: .named("remote"))`. Types of
/// providers need none of it: `flagValue(from: LocalProvider.self)`.
public struct FlagProviderSelector: Sendable {
    private enum Kind: Sendable {
        case type(any FlagProvider.Type)
        case instance(any FlagProvider)
        case id(String)
    }

    private let kind: Kind

    /// The first provider of exactly this type.
    public static func type(_ type: any FlagProvider.Type) -> FlagProviderSelector {
        FlagProviderSelector(kind: .type(type))
    }

    /// A provider: the same object, an equal value, or one of the same type and name where values cannot be compared.
    public static func instance(_ provider: any FlagProvider) -> FlagProviderSelector {
        FlagProviderSelector(kind: .instance(provider))
    }

    /// The provider with this id, which is its name unless another one had taken it.
    public static func named(_ id: String) -> FlagProviderSelector { FlagProviderSelector(kind: .id(id)) }

    package func matches(id: String, type: ObjectIdentifier, provider: any FlagProvider) -> Bool {
        switch kind {
        case .type(let wanted): type == ObjectIdentifier(wanted)
        case .instance(let wanted): FlagProviderSelector.isSame(wanted, provider)
        case .id(let wanted): id == wanted
        }
    }

    /// Whether two providers are one, as ``instance(_:)`` tells them.
    package static func isSame(_ left: any FlagProvider, _ right: any FlagProvider) -> Bool {
        guard Swift.type(of: left) == Swift.type(of: right) else { return false }
        if Swift.type(of: left) is AnyClass {
            return ObjectIdentifier(left as AnyObject) == ObjectIdentifier(right as AnyObject)
        }
        if let left = left as? any Hashable, let right = right as? any Hashable {
            return AnyHashable(left) == AnyHashable(right)
        }
        return left.name == right.name
    }
}

extension FlagProviderSelector: CustomStringConvertible {
    /// The type's name, the provider's name or the id.
    public var description: String {
        switch kind {
        case .type(let type): String(describing: type)
        case .instance(let provider): provider.name
        case .id(let id): id
        }
    }
}
