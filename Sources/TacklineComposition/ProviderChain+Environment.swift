public import TacklineCore

extension ProviderChain {
    /// Creates the chain of a deployment environment.
    ///
    /// ```swift
    /// let chain = ProviderChain(for: .detected) {
    ///     overrides                                        // not in production
    ///     if let demo { demo.prioritized(.testing) }       // not in production either
    ///     remote
    /// }
    /// ```
    ///
    /// The chain has the providers whose priority the environment includes (``DeploymentEnvironment/includes(_:)``),
    /// the highest priority first, and providers of equal priority in the order of the list. The others are left out
    /// and not reported, so one list serves all environments. A ``/TacklineCore/FlagProviderKind/guardedOverride`` stays
    /// in production's chain, because it decides itself. A loader that gets the chain keeps the environment for
    /// later chains that name none.
    public init(for environment: DeploymentEnvironment, @ProviderChainBuilder _ list: () -> ProviderChain) {
        let list = list()
        let all = list.entries.sorted { $0.priority.rawValue > $1.priority.rawValue }
        self.init(entries: all.filter(environment.includes))
        // The strictest environment of the list counts, so a chain for production stays one.
        admission = list.admission.flatMap { $0.admitsOverrides ? nil : $0 } ?? environment.admission
        gate = list.gate
    }

    /// Returns a copy of the chain that names an environment, which decides whether a loader takes the overrides in the
    /// chain. The copy has every provider.
    public func deployed(in environment: DeploymentEnvironment) -> ProviderChain {
        var chain = self
        chain.admission = environment.admission
        return chain
    }

    /// Returns a copy of the chain with a mode switch. While the mode is ``FlagMode/local``, its live providers are not
    /// asked.
    public func switched(by modeSwitch: FlagModeSwitch) -> ProviderChain {
        var chain = self
        chain.gate = modeSwitch
        return chain
    }
}

extension ProviderChain.Entry {
    /// The priority of the provider. The default is ``FlagPriority/localOverrides`` for an override and
    /// ``FlagPriority/business`` for any other provider.
    public var priority: FlagPriority {
        rank.map { FlagPriority($0) } ?? (kind.contains(.guardedOverride) ? .localOverrides : .business)
    }
}

extension DeploymentEnvironment {
    /// Returns whether a chain for the environment has an entry. An override that decides itself is not left out because
    /// customers use the program.
    fileprivate func includes(_ entry: ProviderChain.Entry) -> Bool {
        let decidesItself = entry.kind.contains(.guardedOverride) && !entry.kind.contains(.override)
        return decidesItself ? isSimulator || entry.priority != .simulator : includes(entry.priority)
    }
}

extension FlagProvider {
    /// Returns an entry of a ``ProviderChainBuilder`` list: the provider with a priority.
    public func prioritized(_ priority: FlagPriority) -> ProviderChain.Entry {
        ProviderChain.Entry(self, rank: priority.rawValue)
    }
}

/// A builder of the list of providers in a chain. It supports `if`, `if let`, `switch`, `for`, arrays and optionals.
@resultBuilder
public enum ProviderChainBuilder {
    /// Adds a provider.
    public static func buildExpression(_ provider: any FlagProvider) -> ProviderChain {
        ProviderChain(entries: [ProviderChain.Entry(provider)])
    }

    /// Adds a provider if it is not `nil`.
    public static func buildExpression(_ provider: (any FlagProvider)?) -> ProviderChain {
        ProviderChain(entries: provider.map { [ProviderChain.Entry($0)] } ?? [])
    }

    /// Adds a provider with a priority.
    public static func buildExpression(_ entry: ProviderChain.Entry) -> ProviderChain {
        ProviderChain(entries: [entry])
    }

    /// Adds a provider with a priority if it is not `nil`.
    public static func buildExpression(_ entry: ProviderChain.Entry?) -> ProviderChain {
        ProviderChain(entries: entry.map { [$0] } ?? [])
    }

    /// Adds several providers.
    public static func buildExpression(_ providers: [any FlagProvider]) -> ProviderChain {
        ProviderChain(entries: providers.map { ProviderChain.Entry($0) })
    }

    /// Adds all providers of another chain, with their priorities.
    ///
    /// The switch of that chain applies to the whole chain. If there are several switches, the first one applies.
    public static func buildExpression(_ chain: ProviderChain) -> ProviderChain { chain }

    /// Combines the parts in their order.
    public static func buildBlock(_ parts: ProviderChain...) -> ProviderChain { buildArray(parts) }

    /// Combines the parts in their order.
    public static func buildArray(_ parts: [ProviderChain]) -> ProviderChain {
        var chain = ProviderChain(entries: parts.flatMap(\.entries))
        let admissions = parts.compactMap(\.admission)
        chain.admission = admissions.first { !$0.admitsOverrides } ?? admissions.first
        chain.gate = parts.lazy.compactMap(\.gate).first
        return chain
    }

    /// Adds the part of an `if` without `else`.
    public static func buildOptional(_ part: ProviderChain?) -> ProviderChain { part ?? ProviderChain() }

    /// Adds the first branch.
    public static func buildEither(first part: ProviderChain) -> ProviderChain { part }

    /// Adds another branch.
    public static func buildEither(second part: ProviderChain) -> ProviderChain { part }

    /// Adds a part behind `#available`.
    public static func buildLimitedAvailability(_ part: ProviderChain) -> ProviderChain { part }
}
