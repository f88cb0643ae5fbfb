import Synchronization

/// The chain of a loader, or of all loaders of a manager, with what goes with it. It can be replaced while flags are read.
package final class InstalledChain: Sendable {
    /// The environment, in which overrides may be left out.
    package let environment: DeploymentEnvironment
    private let mode: FlagModeSwitch?
    package let reporter: FlagIssueReporter
    /// The observers of the values that reads are given.
    let observers: [any FlagResolutionObserver]
    /// The guard that may hold values back, or `nil` if there is none.
    package let launchGuard: (any FlagValueGuard)?
    private let loaders = ChainLoaders()
    private let current: ReadMostly<FlagChain>
    /// The observers of the mode switch and of the guard, which hold them weakly.
    private let modeObserver: FlagProviderObserver?
    private let guardObserver: FlagProviderObserver?

    /// Creates a chain. Providers are asked to notify it before any loader has it.
    package init(
        _ providers: [any FlagProvider], environment: DeploymentEnvironment, mode: FlagModeSwitch? = nil,
        reporter: FlagIssueReporter, observers: [any FlagResolutionObserver] = [],
        launchGuard: (any FlagValueGuard)? = nil
    ) {
        (self.environment, self.mode, self.reporter) = (environment, mode, reporter)
        (self.observers, self.launchGuard) = (observers, launchGuard)
        current = ReadMostly(
            FlagChain(providers, in: environment, mode) { [loaders] in loaders.makeObserver(reporter) })
        // A change of the mode ends all pinned values.
        modeObserver = mode.map { [loaders] mode in
            let observer = FlagProviderObserver(reporter: reporter) { _, pending in
                loaders.receive(.subjectChanged, pending: &pending)
            }
            mode.observe(observer)
            return observer
        }
        guardObserver = launchGuard.map { [loaders] launchGuard in
            let observer = FlagProviderObserver(reporter: reporter) { _, pending in
                loaders.receive(.reset, pending: &pending)
            }
            launchGuard.observe(observer)
            return observer
        }
        if let issue = mode?.issue { reporter.report(issue) }
    }

    /// The chain in force.
    @inline(never) package var links: FlagChain { current.read { unsafe $0.pointee } }

    /// Replaces the providers. A read of any loader sees the old ones or the new ones.
    package func setProviders(_ providers: [any FlagProvider]) { install(providers, over: nil) }

    /// Changes the providers. `change` is called again if they have been replaced meanwhile.
    package func updateProviders(_ change: (inout [any FlagProvider]) throws -> Void) rethrows {
        // The number of attempts ends a closure that replaces them itself at each call.
        for attempt in 1... {
            let old = links
            var new = old.providers
            try change(&new)
            if install(new, over: attempt < 1000 ? old : nil) { return }
        }
    }

    /// Puts providers in force, without the overrides that the environment refuses.
    ///
    /// - Parameter expected: The chain that they replace, or `nil` to replace any.
    /// - Returns: `false`, with nothing changed, if another chain is in force.
    @discardableResult
    private func install(_ providers: [any FlagProvider], over expected: FlagChain?) -> Bool {
        let new = FlagChain(providers, in: environment, mode) { [loaders, reporter] in loaders.makeObserver(reporter) }
        var pending = PendingResumptions()
        let old = current.withLock { current -> FlagChain? in
            guard expected == nil || current === expected else { return nil }
            defer { current = new }
            // Nothing stays pinned beside a provider whose answers differ from task to task.
            loaders.receive(new.taskDependent == nil ? .reset : .subjectChanged, pending: &pending)
            return current
        }
        pending.resume()
        guard let old else { return false }
        let removed = Set(old.links.map(\.id)).subtracting(new.links.map(\.id))
        for loader in loaders.all { loader.chainWasReplaced(without: removed) }
        // Providers that left the chain are released here, outside the lock.
        withExtendedLifetime(old) {}
        return true
    }

    /// Adds a loader, which is held weakly, before it resolves its first flag.
    func add(_ loader: LoaderCore) { loaders.add(loader) }

    /// Removes a loader that is being deallocated.
    func remove(_ tracker: FlagChangeTracker) { loaders.remove(tracker) }
}

/// The loaders that have a chain, as the observers of its providers know them.
///
/// Notices arrive under the locks of providers. So nothing is released under the lock of the loaders that could run
/// foreign code.
private final class ChainLoaders: Sendable {
    /// A class, because copying a weak reference is slow.
    private final class Member: Sendable {
        let tracker: FlagChangeTracker
        let pins: PinnedFlagValues
        weak let core: LoaderCore?

        init(_ core: LoaderCore) { (tracker, pins, self.core) = (core.tracker, core.pins, core) }
    }

    private let members = Mutex<[Member]>([])

    /// The loaders that still exist.
    var all: [LoaderCore] { members.withLock { $0.compactMap(\.core) } }

    func add(_ core: LoaderCore) {
        let member = Member(core)
        members.withLock { $0.append(member) }
    }

    func remove(_ tracker: FlagChangeTracker) {
        members.withLock { members in members.removeAll { $0.tracker === tracker } }
    }

    /// Returns an observer for a provider of the chain. Providers hold it weakly.
    func makeObserver(_ reporter: FlagIssueReporter) -> FlagProviderObserver {
        FlagProviderObserver(reporter: reporter) { [self] notice, pending in receive(notice, pending: &pending) }
    }

    /// Passes a notice to every loader. Another subject ends all its pinned values.
    func receive(_ notice: CompactNotice, pending: inout PendingResumptions) {
        members.withLock { members in
            for member in members {
                guard case .subjectChanged = notice else {
                    member.tracker.receive(notice, pending: &pending)
                    continue
                }
                member.pins.endAll { member.tracker.receive(notice, pending: &pending) }
            }
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
        /// The observer that was passed to the provider. It is kept here because providers hold observers weakly.
        let observer: FlagProviderObserver
        /// A number that is unique in the process.
        package let number = Link.lastNumber.add(1, ordering: .relaxed).newValue
        /// Whether the provider notifies observers of every change, and its values are the same in every task.
        package let notifiesObservers: Bool

        private static let lastNumber = Atomic<UInt64>(0)

        /// Adds the observer to the provider.
        init(id: String, provider: any FlagProvider, traits: FlagProviderTraits, observer: FlagProviderObserver) {
            (self.id, self.provider, self.traits, self.observer) = (id, provider, traits, observer)
            type = ObjectIdentifier(Swift.type(of: provider))
            notifiesObservers = provider.observe(observer) && !traits.contains(.taskDependent)
        }

        /// Creates a copy of a link that asks another provider.
        fileprivate init(_ link: Link, asking provider: any FlagProvider) {
            (id, self.provider, traits, observer) = (link.id, provider, link.traits, link.observer)
            (type, notifiesObservers) = (link.type, link.notifiesObservers)
        }
    }

    package let links: [Link]
    private let mode: FlagModeSwitch?

    private init(links: [Link], mode: FlagModeSwitch?) { (self.links, self.mode) = (links, mode) }

    /// Creates a chain of the providers that an environment admits.
    ///
    /// The id of a provider is its name, followed by a number if an earlier provider has the same name.
    fileprivate convenience init(
        _ providers: [any FlagProvider], in environment: DeploymentEnvironment, _ mode: FlagModeSwitch?,
        makeObserver: () -> FlagProviderObserver
    ) {
        var links: [Link] = []
        links.reserveCapacity(providers.count)
        // The next number of each name, so that many providers of one name take linear time.
        var numbers: [String: Int] = [:]
        for provider in providers {
            let traits = provider.effectiveTraits
            if traits.contains(.override), !environment.admitsOverrides { continue }
            let name = provider.name
            var (id, number) = (name, numbers[name] ?? 2)
            while links.contains(where: { $0.id == id }) {
                id = "\(name) \(number)"
                number += 1
            }
            if id != name { numbers[name] = number }
            links.append(Link(id: id, provider: provider, traits: traits, observer: makeObserver()))
        }
        self.init(links: links, mode: mode)
    }

    /// The providers of the chain.
    package var providers: [any FlagProvider] { links.map(\.provider) }

    /// Returns the chain with those providers replaced for which `replacement` returns another one.
    func replacingProviders(_ replacement: (Link) -> (any FlagProvider)?) -> FlagChain {
        FlagChain(links: links.map { link in replacement(link).map { Link(link, asking: $0) } ?? link }, mode: mode)
    }

    /// Whether live providers are left out at present.
    package var isLocal: Bool { mode?.mode == .local }

    /// Returns whether a provider is asked at present.
    package func isAsked(_ link: Link) -> Bool { !link.traits.contains(.live) || !isLocal }

    /// The first provider whose answers may differ from task to task, or `nil` if there is none.
    var taskDependent: Link? { links.first { $0.traits.contains(.taskDependent) && isAsked($0) } }

    /// Returns the first link that a selector matches, or `nil` if there is none.
    package func link(_ selector: FlagProviderSelector) -> Link? { links.first { selector.matches($0) } }

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
    /// The given provider. An object matches itself, and an `Equatable` value matches an equal one. Any other value
    /// matches a provider of the same type and name.
    case instance(any FlagProvider)
    /// The provider with this id. The id is the provider's name, followed by a number if an earlier provider of the
    /// chain has the same name.
    case named(String)

    package func matches(_ link: FlagChain.Link) -> Bool {
        switch self {
        case .type(let type): link.type == ObjectIdentifier(type)
        case .instance(let provider): FlagProviderSelector.isSame(provider, link.provider)
        case .named(let id): link.id == id
        }
    }

    private static func isSame(_ left: any FlagProvider, _ right: any FlagProvider) -> Bool {
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
    package var description: String {
        switch self {
        case .type(let type): String(describing: type)
        case .instance(let provider): provider.name
        case .named(let id): id
        }
    }
}
