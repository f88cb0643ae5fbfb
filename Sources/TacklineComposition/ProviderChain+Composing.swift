public import TacklineCore

extension ProviderChain {
    /// Makes a chain from what a closure lists, asked from the first to the last.
    public init(@ProviderChainBuilder _ list: () -> ProviderChain) {
        self = list()
    }

    /// Makes a chain from what a closure lists, the highest priority first, equal ones as listed.
    public static func byPriority(@ProviderChainBuilder _ list: () -> ProviderChain) -> ProviderChain {
        list().sortedByPriority()
    }

    /// Makes the chain of an environment from what a closure lists: only the providers whose priority the environment
    /// includes (``DeploymentEnvironment/includes(_:)``), the highest first, equal ones as listed.
    ///
    /// Providers that the environment does not have are left out without a report: this is how one list serves all
    /// environments. A loader that is given the chain goes by its environment from then on, also for later chains that
    /// name none.
    public init(for environment: DeploymentEnvironment, @ProviderChainBuilder _ list: () -> ProviderChain) {
        let all = list().sortedByPriority()
        self.init(entries: all.entries.filter { environment.includes($0.priority) })
        admission = environment.admission
    }

    /// Returns the chain for an environment: it decides whether overrides are taken. Nothing is left out here.
    public func deployed(in environment: DeploymentEnvironment) -> ProviderChain {
        var chain = self
        chain.admission = environment.admission
        return chain
    }

    /// Returns the chain under a switch: in local mode its live providers are not asked.
    public func switched(by modeSwitch: FlagModeSwitch) -> ProviderChain {
        var chain = self
        chain.gate = modeSwitch
        return chain
    }

    /// Returns the chain with the highest priority first; equal ones stay in their order.
    public func sortedByPriority() -> ProviderChain {
        var chain = self
        chain.entries = entries.inOrder { ~$0.priority.rawValue }
        return chain
    }

    /// Adds a provider before the first one of a lower priority, or at the end if there is none.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - priority: `nil` for the provider's own, or ``FlagPriority/business`` if it has none.
    public mutating func insert(_ provider: any FlagProvider, priority: FlagPriority? = nil) {
        let entry = Entry(provider, rank: priority?.rawValue)
        entries.insert(entry, at: entries.firstIndex { $0.priority < entry.priority } ?? entries.endIndex)
    }
}

extension ProviderChain.Entry {
    /// How early it is asked where priorities decide: as given, else the provider's own (``PrioritizedFlagProvider``), else
    /// ``FlagPriority/business``.
    public var priority: FlagPriority {
        rank.map { FlagPriority($0) } ?? (provider as? any PrioritizedFlagProvider)?.priority ?? .business
    }
}

extension FlagProvider {
    /// Gives the provider a priority in the chain in which it is listed, in place of its own.
    public func prioritized(_ priority: FlagPriority) -> ProviderChain.Entry {
        ProviderChain.Entry(self, rank: priority.rawValue)
    }
}

/// Lists the providers of a chain, with `if`, `if let`, `switch`, `for`, arrays and optionals.
@resultBuilder
public enum ProviderChainBuilder {
    /// A provider.
    public static func buildExpression(_ provider: any FlagProvider) -> ProviderChain {
        ProviderChain(entries: [ProviderChain.Entry(provider)])
    }

    /// A provider, or nothing.
    public static func buildExpression(_ provider: (any FlagProvider)?) -> ProviderChain {
        ProviderChain(entries: provider.map { [ProviderChain.Entry($0)] } ?? [])
    }

    /// A provider with a priority.
    public static func buildExpression(_ entry: ProviderChain.Entry) -> ProviderChain {
        ProviderChain(entries: [entry])
    }

    /// A provider with a priority, or nothing.
    public static func buildExpression(_ entry: ProviderChain.Entry?) -> ProviderChain {
        ProviderChain(entries: entry.map { [$0] } ?? [])
    }

    /// Several providers.
    public static func buildExpression(_ providers: [any FlagProvider]) -> ProviderChain {
        ProviderChain(entries: providers.map { ProviderChain.Entry($0) })
    }

    /// All providers of another chain, with their priorities. Its environment and its switch count for the whole: of several
    /// environments the first that refuses overrides, else the first; of several switches the first.
    public static func buildExpression(_ chain: ProviderChain) -> ProviderChain { chain }

    /// One part after the other.
    public static func buildBlock(_ parts: ProviderChain...) -> ProviderChain { buildArray(parts) }

    /// One part after the other.
    public static func buildArray(_ parts: [ProviderChain]) -> ProviderChain {
        var chain = ProviderChain(entries: parts.flatMap(\.entries))
        let admissions = parts.compactMap(\.admission)
        chain.admission = admissions.first { !$0.admitsOverrides } ?? admissions.first
        chain.gate = parts.lazy.compactMap(\.gate).first
        return chain
    }

    /// An `if` without `else`.
    public static func buildOptional(_ part: ProviderChain?) -> ProviderChain { part ?? ProviderChain() }

    /// The first branch.
    public static func buildEither(first part: ProviderChain) -> ProviderChain { part }

    /// Another branch.
    public static func buildEither(second part: ProviderChain) -> ProviderChain { part }

    /// A part behind `#available`.
    public static func buildLimitedAvailability(_ part: ProviderChain) -> ProviderChain { part }
}
