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

    /// All of another chain.
    public static func buildExpression(_ chain: ProviderChain) -> ProviderChain { chain }

    /// One part after the other.
    public static func buildBlock(_ parts: ProviderChain...) -> ProviderChain { buildArray(parts) }

    /// One part after the other.
    public static func buildArray(_ parts: [ProviderChain]) -> ProviderChain {
        ProviderChain(entries: parts.flatMap(\.entries))
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
