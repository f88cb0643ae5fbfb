/// The providers of a loader or a manager, in the order in which they are asked.
///
/// Write a chain as an array literal:
///
/// ```swift
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote, regionDefaults])
/// ```
///
/// `ProviderChain(for:_:)` composes the chain of a deployment environment. A chain is a value: changing it has no effect until
/// you give it to a loader.
public struct ProviderChain: Sendable {
    /// A provider at its position in a chain.
    public struct Entry: Sendable {
        /// The provider.
        public let provider: any FlagProvider
        /// The priority in a chain that is sorted by priority, or `nil` for the default of the provider's kind.
        package let rank: Int?
        /// The kind of the provider and of the providers in it.
        package let kind: FlagProviderKind

        package init(_ provider: any FlagProvider, rank: Int? = nil) {
            self.provider = provider
            self.rank = rank
            kind = provider.effectiveKind
        }
    }

    /// The providers with their priorities, from the first to the last.
    public package(set) var entries: [Entry]
    /// Whether the chain takes overrides. If it is `nil`, the loader decides as for its chain before, or for its first chain
    /// by the detected environment.
    package var admission: OverrideAdmission?
    /// The switch for live providers. If it is `nil`, the loader keeps the switch of its chain before.
    package var gate: (any ProviderGate)?

    /// Creates a chain from providers, from the first to the last.
    public init(_ providers: [any FlagProvider] = []) { self.init(entries: providers.map { Entry($0) }) }

    package init(entries: [Entry]) { self.entries = entries }

    /// The ids of the providers, in their order: the name of each, with a number behind it if a provider before it has the
    /// same name.
    public var ids: [String] {
        if entries.count < 2 { return entries.map(\.provider.name) }
        var taken: Set<String> = []
        // The next number of each name, so that many providers of one name take linear time.
        var numbers: [String: Int] = [:]
        return entries.map { entry in
            let name = entry.provider.name
            var (id, number) = (name, numbers[name] ?? 2)
            while !taken.insert(id).inserted {
                id = "\(name) \(number)"
                number += 1
            }
            numbers[name] = number
            return id
        }
    }

    /// Adds a provider at the end, so that it is asked last.
    public mutating func append(_ provider: any FlagProvider) { entries.append(Entry(provider)) }

    /// Inserts a provider before the one at a position.
    ///
    /// - Precondition: `position` is a valid position or the end of the chain.
    public mutating func insert(_ provider: any FlagProvider, at position: Int) {
        entries.insert(Entry(provider), at: position)
    }

    /// Removes the entries that satisfy a condition.
    public mutating func removeAll(where shouldBeRemoved: (Entry) throws -> Bool) rethrows {
        try entries.removeAll(where: shouldBeRemoved)
    }

    /// Removes a provider in the sense of ``FlagProviderSelector/instance(_:)``. Does nothing if the chain doesn't have it.
    public mutating func remove(_ provider: any FlagProvider) {
        removeAll { FlagProviderSelector.isSame($0.provider, provider) }
    }
}

/// A chain without the overrides that its environment refuses.
package struct AdmittedChain: Sendable {
    /// The providers, without admission and gate, so that a chain which is passed from one loader to another takes neither
    /// along.
    package let providers: ProviderChain
    package let admission: OverrideAdmission
    package let gate: (any ProviderGate)?

    /// No providers in the detected environment.
    package static let empty = AdmittedChain(providers: [], admission: .detected, gate: nil)

    /// The providers together with the admission and the gate.
    package var deployed: ProviderChain {
        var chain = providers
        chain.admission = admission
        chain.gate = gate
        return chain
    }
}

extension ProviderChain {
    /// Returns the chain that may be installed after another one, which decides what this chain leaves open, and the overrides
    /// that are refused.
    package func admitted(after old: AdmittedChain) -> (chain: AdmittedChain, refused: [any FlagProvider]) {
        let admission = admission ?? old.admission
        var providers = ProviderChain(entries: entries)
        var refused: [any FlagProvider] = []
        if !admission.admitsOverrides {
            refused = entries.filter { $0.kind.contains(.override) }.map(\.provider)
            providers.removeAll { $0.kind.contains(.override) }
        }
        return (AdmittedChain(providers: providers, admission: admission, gate: gate ?? old.gate), refused)
    }
}

extension AdmittedChain {
    /// Reports each override that is refused. Call it after the chain is in force, because the reporter may change the chain.
    package func report(refused: [any FlagProvider], to reporter: FlagIssueReporter) {
        for provider in refused {
            let message = """
                Provider "\(provider.name)" is marked as an override, and environment "\(admission.environment)" takes \
                none, so it was left out of the chain. Compose the chain with ProviderChain(for:_:), or, if customers \
                shall have overrides, deploy it in DeploymentEnvironment.dangerouslyAdmittingOverridesInProduction().
                """
            reporter.report(FlagIssue(.overrideRefused, message: message, provider: provider.name))
        }
    }
}

extension ProviderChain: RandomAccessCollection {
    /// The position of the first provider: 0.
    public var startIndex: Int { 0 }
    /// The number of providers.
    public var endIndex: Int { entries.count }
    /// Returns the provider at a position.
    public subscript(position: Int) -> any FlagProvider { entries[position].provider }
}

extension ProviderChain: ExpressibleByArrayLiteral {
    /// Creates a chain from a literal: `[overrides, remote]`.
    public init(arrayLiteral providers: any FlagProvider...) { self.init(providers) }
}
