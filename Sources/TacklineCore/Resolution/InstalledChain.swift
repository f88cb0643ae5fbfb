import Synchronization

/// The chain of a loader, or of all loaders of a manager, with what goes with it. It can be replaced while flags are read.
package final class InstalledChain: Sendable {
    package let environment: DeploymentEnvironment
    private let mode: FlagModeSwitch?
    package var reporter: FlagIssueReporter { loaders.reporter }
    let observers: [any FlagResolutionObserver]
    package let launchGuard: (any FlagContentGuard)?
    private let loaders: ChainLoaders
    private let current: ReadMostly<FlagChain>

    /// Creates a chain. Providers are asked to notify it before any loader has it.
    package init(
        _ providers: [any FlagProvider], environment: DeploymentEnvironment, mode: FlagModeSwitch? = nil,
        reporter: FlagIssueReporter, observers: [any FlagResolutionObserver] = [],
        launchGuard: (any FlagContentGuard)? = nil
    ) {
        (self.environment, self.mode, loaders) = (environment, mode, ChainLoaders(reporter: reporter))
        (self.observers, self.launchGuard) = (observers, launchGuard)
        current = ReadMostly(FlagChain(providers, in: environment, mode, launchGuard, loaders.makeObserver()))
    }

    @inline(never) package var links: FlagChain { current.read { unsafe $0.pointee } }

    /// Changes the providers. A read of any loader sees the old ones or the new ones. `change` is called again, with the
    /// newer ones, if another thread has replaced them meanwhile.
    package func updateProviders(_ change: (inout [any FlagProvider]) throws -> Void) rethrows {
        for attempt in 1... {
            let old = links
            var providers = old.providers
            try change(&providers)
            // A closure that itself replaces the providers at each call must come to an end, too.
            if install(providers, over: attempt < 1000 ? old : nil) { return }
        }
    }

    /// Puts providers in force and returns `true`, unless another chain has taken the place of an old one.
    @inline(never)
    private func install(_ providers: [any FlagProvider], over old: FlagChain?) -> Bool {
        let new = FlagChain(providers, in: environment, mode, launchGuard, loaders.makeObserver())
        var pending = PendingResumptions()
        let replaced = current.withLock { current -> FlagChain? in
            guard old == nil || current === old else { return nil }
            defer { current = new }
            // Nothing stays pinned beside a provider whose answers differ from task to task.
            loaders.receive(new.taskDependent == nil ? .reset : .subjectChanged, pending: &pending)
            return current
        }
        pending.resume()
        // Providers that left the chain are released here, outside the lock.
        guard let replaced else { return false }
        let gone = replaced.links.filter { new.link(.named($0.id)) == nil }
        for link in gone { reporter.resolveAll(ofProvider: link.id) }
        for tracker in loaders.trackers.withLock({ $0 }) { tracker.notifyObservation() }
        return true
    }

    func add(_ tracker: FlagChangeTracker) { loaders.trackers.withLock { $0.append(tracker) } }

    func remove(_ tracker: FlagChangeTracker) { loaders.trackers.withLock { $0.removeAll { $0 === tracker } } }
}

/// The loaders that have a chain, as the observers of its providers know them.
///
/// Notices arrive under the locks of providers. So nothing is released under this lock that could run foreign code.
private final class ChainLoaders: Sendable {
    let trackers = Mutex<[FlagChangeTracker]>([])
    let reporter: FlagIssueReporter

    init(reporter: FlagIssueReporter) { self.reporter = reporter }

    /// Returns an observer for the providers of a chain, which hold it weakly.
    func makeObserver() -> FlagProviderObserver {
        FlagProviderObserver(reporter: reporter) { [self] notice, pending in receive(notice, pending: &pending) }
    }

    func receive(_ notice: FlagProviderNotice, pending: inout PendingResumptions) {
        trackers.withLock { trackers in
            for tracker in trackers { tracker.receive(notice, pending: &pending) }
        }
    }
}

/// The providers of a chain in the order in which they are asked, each with its id.
package final class FlagChain: Sendable {
    /// A provider at its position in a chain.
    package final class Link: Sendable {
        package let id: String
        package let provider: any FlagProvider
        package let type: ObjectIdentifier
        package let traits: FlagProviderTraits
        /// Whether the provider notifies observers of every change, and its values are the same in every task.
        package let notifiesObservers: Bool

        init(id: String, provider: any FlagProvider, traits: FlagProviderTraits, observer: FlagProviderObserver) {
            (self.id, self.provider, self.traits) = (id, provider, traits)
            type = ObjectIdentifier(Swift.type(of: provider))
            notifiesObservers = provider.observe(observer) && !traits.contains(.taskDependent)
        }
    }

    /// Returns the evaluation that is taken in place of a provider's, or `nil` to ask the provider.
    package typealias Substitute = (Link, FlagKeyPath) -> FlagEvaluation?

    package let links: [Link]
    /// The observer of the providers, the mode and the guard, which hold it weakly.
    private let observer: FlagProviderObserver
    private let mode: FlagModeSwitch?

    /// Creates a chain of the providers that an environment admits.
    ///
    /// The id of a provider is its name, followed by a number if an earlier provider has the same name.
    fileprivate init(
        _ providers: [any FlagProvider], in environment: DeploymentEnvironment, _ mode: FlagModeSwitch?,
        _ launchGuard: (any FlagContentGuard)?, _ observer: FlagProviderObserver
    ) {
        (self.observer, self.mode) = (observer, mode)
        mode?.observe(observer)
        launchGuard?.observe(observer)
        var links: [Link] = []
        links.reserveCapacity(providers.count)
        for provider in providers {
            let traits = provider.effectiveTraits
            if traits.contains(.override), !environment.admitsOverrides { continue }
            var (id, number) = (provider.name, 2)
            while links.contains(where: { $0.id == id }) {
                id = "\(provider.name) \(number)"
                number += 1
            }
            links.append(Link(id: id, provider: provider, traits: traits, observer: observer))
        }
        self.links = links
    }

    package var providers: [any FlagProvider] { links.map(\.provider) }

    package var isLocal: Bool { mode?.mode == .local }

    package func isAsked(_ link: Link) -> Bool { !link.traits.contains(.live) || !isLocal }

    /// The first provider whose answers may differ from task to task, or `nil` if there is none.
    var taskDependent: Link? { links.first { $0.traits.contains(.taskDependent) && isAsked($0) } }

    package func link(_ selector: FlagProviderSelector) -> Link? {
        switch selector {
        case .type(let type): return links.first { $0.type == ObjectIdentifier(type) }
        case .named(let id): return links.first { $0.id == id }
        case .instance(let provider):
            let ofType = links.filter { $0.type == ObjectIdentifier(Swift.type(of: provider)) }
            let same = ofType.filter { FlagProviderSelector.isSame(provider, $0.provider) }
            let isExact = provider is any Equatable || Swift.type(of: provider) is AnyClass
            if isExact || same.count == 1 { return same.first }
            // Of several that are alike, such as those with nothing but closures, none is meant for sure.
            let alike = (same.isEmpty ? ofType : same).filter { $0.provider.name == provider.name }
            return alike.count > 1 ? nil : alike.first
        }
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

/// A selector for a provider of a chain.
package enum FlagProviderSelector: Sendable {
    /// The first provider of exactly this type.
    case type(any FlagProvider.Type)
    /// The given provider. An object selects itself, and an `Equatable` value an equal one. Any other value selects its
    /// copy, or else the only provider of the same type and name.
    case instance(any FlagProvider)
    /// The provider with this id. The id is the provider's name, followed by a number if an earlier provider of the
    /// chain has the same name.
    case named(String)

    /// Returns whether two values are one object, are equal, or have the same stored properties. Closures are not compared.
    fileprivate static func isSame(_ left: Any, _ right: Any) -> Bool {
        func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
        if Swift.type(of: left) is AnyClass { return (left as AnyObject) === (right as AnyObject) }
        if let left = left as? any Equatable { return isEqual(left) }
        let (left, right) = (Mirror(reflecting: left).children, Mirror(reflecting: right).children)
        return left.count == right.count && zip(left, right).allSatisfy { isSame($0.value, $1.value) }
    }
}

extension FlagProviderSelector: CustomStringConvertible {
    /// The name of the type, the provider's name, or the id.
    package var description: String {
        switch self {
        case .type(let type): String(describing: type)
        case .instance(let provider): provider.name
        case .named(let id): id
        }
    }
}
