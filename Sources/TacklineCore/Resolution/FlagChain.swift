import Synchronization

/// The providers of a loader in the order in which they are asked, each with its id.
///
/// A ``ProviderChain`` is the form in which users write a chain. A `FlagChain` is the form in which a loader installs
/// it.
package final class FlagChain: Sendable {
    /// A provider at its position in a chain.
    package final class Link: Sendable {
        package let id: String
        package let provider: any FlagProvider
        package let type: ObjectIdentifier
        package let kind: FlagProviderKind
        /// The observer that was passed to the provider. It is kept here because providers hold observers weakly.
        let observer: FlagProviderObserver
        /// A number that is unique in the process.
        package let number = Link.lastNumber.add(1, ordering: .relaxed).newValue

        private static let lastNumber = Atomic<UInt64>(0)

        /// Whether the provider notifies observers of every change, and its values are the same in every task.
        package let notifiesObservers: Bool

        /// Adds the observer to the provider.
        convenience init(
            id: String, provider: any FlagProvider, observer: FlagProviderObserver, kind: FlagProviderKind
        ) {
            self.init(
                id: id, provider: provider, type: ObjectIdentifier(Swift.type(of: provider)), observer: observer,
                notifiesObservers: provider.observe(observer) && !kind.contains(.taskDependent), kind: kind)
        }

        private init(
            id: String, provider: any FlagProvider, type: ObjectIdentifier, observer: FlagProviderObserver,
            notifiesObservers: Bool, kind: FlagProviderKind
        ) {
            self.id = id
            self.provider = provider
            self.type = type
            self.observer = observer
            self.notifiesObservers = notifiesObservers
            self.kind = kind
        }

        /// Returns a copy of the link that asks another provider.
        package func replacingProvider(with provider: any FlagProvider) -> Link {
            Link(
                id: id, provider: provider, type: type, observer: observer, notifiesObservers: notifiesObservers,
                kind: kind)
        }
    }

    package let links: [Link]
    /// The chain as it was given, without the providers that were refused.
    package let given: AdmittedChain
    /// The observer of the chain's gate. It is kept here because the gate holds it weakly.
    let gateObserver: FlagProviderObserver?
    /// The number of chains that the loader had before. That of the empty chain before the first one is 0.
    package let revision: UInt64

    /// The chain of a loader before its first one is installed.
    package static let empty = FlagChain(links: [], given: .empty, gateObserver: nil, revision: 0)

    package init(links: [Link], given: AdmittedChain, gateObserver: FlagProviderObserver?, revision: UInt64) {
        self.links = links
        self.given = given
        self.gateObserver = gateObserver
        self.revision = revision
    }

    /// Returns the chain with some providers replaced.
    package func replacingLinks(_ replacement: (Link) -> Link) -> FlagChain {
        FlagChain(links: links.map(replacement), given: given, gateObserver: gateObserver, revision: revision)
    }

    /// Whether live providers are left out at present.
    package var isLocal: Bool { given.gate.map { !$0.isOpen } ?? false }

    /// Returns whether a provider is asked at present.
    package func isAsked(_ link: Link) -> Bool { !link.kind.contains(.live) || !isLocal }

    /// Returns the first link that a selector matches, or `nil` if there is none.
    package func link(_ selector: FlagProviderSelector) -> Link? { links.first { selector.matches($0) } }

    /// Returns the number of links that a step and those before it may have asked.
    func askedCount(for origin: FlagStep.Origin) -> Int {
        if case .provider(let link) = origin, let position = links.firstIndex(where: { $0 === link }) {
            return position + 1
        }
        return links.count
    }

    /// Returns the number of links that are asked before a source: those before its provider, or all for the default.
    /// It is 0 for a computed value.
    package func position(above source: FlagSource) -> Int {
        switch source {
        case .scope, .computed: 0
        case .provider(let id): links.firstIndex { $0.id == id } ?? links.count
        case .default: links.count
        }
    }
}

/// A switch that decides whether live providers are asked.
package protocol ProviderGate: AnyObject, Sendable {
    /// Whether live providers are asked at present. It is read at each resolution, so it must cost no more than an
    /// atomic load.
    var isOpen: Bool { get }

    /// Adds an observer, which is held weakly and notified when ``isOpen`` has changed.
    func observe(_ observer: FlagProviderObserver)

    /// An issue that each loader reports which installs a chain with the gate, or `nil` if there is none.
    var issue: FlagError? { get }
}

/// A call of an `updateProviders` method on the current thread.
///
/// An update whose chain was changed meanwhile begins again. If its own closure changes the chain, it would do so for
/// ever, so that change is replaced instead.
package final class ChainUpdate {
    private static let current = ThreadLocal<ChainUpdate>()

    /// The loader or manager whose chain is changed.
    private let owner: ObjectIdentifier
    private let outer = ChainUpdate.current.value
    /// Whether the closure of the update has changed the chain.
    package private(set) var closureChangedChain = false

    package init(of owner: AnyObject) { self.owner = ObjectIdentifier(owner) }

    /// Calls the closure of the update.
    package func run<Failure: Error>(_ change: () throws(Failure) -> Void) throws(Failure) {
        try ChainUpdate.current.withValue(self) { Result(catching: change) }.get()
    }

    /// Records that the current thread has changed a chain.
    package static func recordChange(of owner: AnyObject) {
        var update = current.value
        while let running = update {
            if running.owner == ObjectIdentifier(owner) { running.closureChangedChain = true }
            update = running.outer
        }
    }
}

/// A selector for a provider of a chain, by its id: `try flags.$limit.setValue(5, providers: [.named("overrides")])`.
///
/// Methods that take selectors also take types and providers: `providers: [LocalProvider.self]`,
/// `providers: [overrides]`.
public struct FlagProviderSelector: Sendable {
    private enum Kind: Sendable {
        case type(any FlagProvider.Type)
        case instance(any FlagProvider)
        case id(String)
    }

    private let kind: Kind

    /// Returns a selector for the first provider of exactly this type.
    package static func type(_ type: any FlagProvider.Type) -> FlagProviderSelector {
        FlagProviderSelector(kind: .type(type))
    }

    /// Returns a selector for the given provider. An object matches itself, and an `Equatable` value matches an equal
    /// one. Any other value matches a provider of the same type and name.
    package static func instance(_ provider: any FlagProvider) -> FlagProviderSelector {
        FlagProviderSelector(kind: .instance(provider))
    }

    /// Returns a selector for the provider with this id. The id is the provider's name, followed by a number if an
    /// earlier provider of the chain has the same name.
    public static func named(_ id: String) -> FlagProviderSelector { FlagProviderSelector(kind: .id(id)) }

    package func matches(_ link: FlagChain.Link) -> Bool {
        switch kind {
        case .type(let type): link.type == ObjectIdentifier(type)
        case .instance(let provider): FlagProviderSelector.isSame(provider, link.provider)
        case .id(let id): link.id == id
        }
    }

    /// Returns whether two providers are the same one, in the sense of ``instance(_:)``.
    package static func isSame(_ left: any FlagProvider, _ right: any FlagProvider) -> Bool {
        guard Swift.type(of: left) == Swift.type(of: right) else { return false }
        if Swift.type(of: left) is AnyClass {
            return ObjectIdentifier(left as AnyObject) == ObjectIdentifier(right as AnyObject)
        }
        func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
        guard let left = left as? any Equatable else { return left.name == right.name }
        return isEqual(left)
    }
}

extension FlagProviderSelector: CustomStringConvertible {
    /// The name of the type, the provider's name, or the id.
    public var description: String {
        switch kind {
        case .type(let type): String(describing: type)
        case .instance(let provider): provider.name
        case .id(let id): id
        }
    }
}
