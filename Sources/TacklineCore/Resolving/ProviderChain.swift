/// Providers in the order in which they are asked: what a loader or a manager is given.
///
/// ```swift
/// let chain = ProviderChain {
///     if isInternalBuild { overrides }
///     remote
///     regionDefaults.prioritized(.business)
/// }
/// let flags = FlagsLoader(AppFlags.self, chain: chain)
/// ```
///
/// The order is the one in which you write the providers. ``byPriority(_:)`` and ``init(for:_:)`` order them by priority
/// instead, the highest first and equal ones as written. A chain is a value: changing it changes nothing until
/// you set it.
public struct ProviderChain: Sendable {
    /// A provider with its priority.
    public struct Entry: Sendable {
        /// The provider.
        public let provider: any FlagProvider
        /// How early it is asked where priorities decide.
        public let priority: FlagPriority

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - provider: The provider.
        ///   - priority: `nil` for the provider's own (``PrioritizedFlagProvider``), or ``FlagPriority/business`` if it
        ///     has none.
        public init(_ provider: any FlagProvider, priority: FlagPriority? = nil) {
            self.provider = provider
            self.priority = priority ?? (provider as? any PrioritizedFlagProvider)?.priority ?? .business
        }
    }

    /// The providers with their priorities, as they are asked.
    public private(set) var entries: [Entry]

    /// The providers, as they are asked.
    public var providers: [any FlagProvider] { entries.map(\.provider) }

    /// Makes a chain from entries, asked from the first to the last.
    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Makes a chain from providers, asked from the first to the last.
    public init(_ providers: [any FlagProvider]) {
        self.init(providers.map { Entry($0) })
    }

    /// Makes a chain from what a closure lists, asked from the first to the last.
    public init(@ProviderChainBuilder _ list: () -> ProviderChain) {
        self = list()
    }

    /// Makes a chain from what a closure lists, the highest priority first, equal ones as listed.
    public static func byPriority(@ProviderChainBuilder _ list: () -> ProviderChain) -> ProviderChain {
        list().sortedByPriority()
    }

    /// Makes the chain of an environment from what a closure lists: only the priorities that
    /// ``FlagEnvironment/includes(_:)``, the highest first, equal ones as listed.
    ///
    /// Providers that the environment does not have are left out without a report: this is how one list serves all
    /// environments. Overrides are refused by loaders in production in any case, however a chain was made.
    public init(for environment: FlagEnvironment, @ProviderChainBuilder _ list: () -> ProviderChain) {
        let all = list().sortedByPriority()
        self.init(all.entries.filter { environment.includes($0.priority) })
    }
}

extension ProviderChain {
    /// Returns the chain with the highest priority first; equal ones stay in their order.
    public func sortedByPriority() -> ProviderChain {
        let sorted = entries.enumerated().sorted { left, right in
            left.element.priority == right.element.priority
                ? left.offset < right.offset : left.element.priority > right.element.priority
        }
        return ProviderChain(sorted.map(\.element))
    }

    /// Adds a provider before the first one of a lower priority, or at the end if there is none.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - priority: `nil` for the provider's own, or ``FlagPriority/business`` if it has none.
    public mutating func insert(_ provider: any FlagProvider, priority: FlagPriority? = nil) {
        let entry = Entry(provider, priority: priority)
        let index = entries.firstIndex { $0.priority < entry.priority } ?? entries.endIndex
        entries.insert(entry, at: index)
    }

    /// Removes the entries that a condition picks.
    public mutating func removeAll(where isRemoved: (Entry) throws -> Bool) rethrows {
        try entries.removeAll(where: isRemoved)
    }

    /// Removes a provider: the same object, an equal value, or one of the same type and name where values cannot be
    /// compared.
    public mutating func remove(_ provider: any FlagProvider) {
        removeAll { FlagProviderSelector.isSame($0.provider, provider) }
    }

    /// Returns the chain without the overrides that an environment does not take, and reports each of those.
    package func admitted(to environment: FlagEnvironment, reporter: FlagIssueReporter) -> ProviderChain {
        guard !environment.admitsOverrides else { return self }
        var admitted = self
        admitted.removeAll { entry in
            guard entry.provider.isOverride else { return false }
            let name = entry.provider.name
            reporter.report(
                FlagIssue(
                    .overrideRefused,
                    message: """
                        Provider "\(name)" is marked as an override, and environment "\(environment)" takes none, so \
                        it was left out of the chain. Compose the chain with ProviderChain(for:_:), or, if customers \
                        shall have overrides, give the loader \
                        FlagEnvironment.dangerouslyAdmittingOverridesInProduction().
                        """,
                    provider: name))
            return true
        }
        return admitted
    }
}

extension FlagProvider {
    /// Gives the provider a priority in the chain in which it is listed, in place of its own.
    public func prioritized(_ priority: FlagPriority) -> ProviderChain.Entry {
        ProviderChain.Entry(self, priority: priority)
    }
}
