/// Providers in the order in which they are asked: what a loader or a manager is given.
///
/// An array literal makes one, and so does an array:
///
/// ```swift
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote, regionDefaults])
/// ```
///
/// `TacklineComposition` composes chains from conditions, priorities and deployment environments. A chain is a value:
/// changing it changes nothing until you give it to a loader.
public struct ProviderChain: Sendable {
    /// A provider in its place.
    public struct Entry: Sendable {
        /// The provider.
        public let provider: any FlagProvider
        /// How early it is asked where a chain is ordered by priorities; `nil` leaves that to the provider.
        package let rank: Int?

        package init(_ provider: any FlagProvider, rank: Int? = nil) {
            self.provider = provider
            self.rank = rank
        }
    }

    /// The providers in their places, as they are asked.
    public package(set) var entries: [Entry]
    /// Whether it takes providers that are marked as overrides; `nil` leaves that to the loader, which goes by the chain
    /// that it had before and at first by what is detected.
    package var admission: OverrideAdmission?
    /// Decides whether live providers are asked; `nil` leaves that to the loader, which keeps the gate that it had.
    package var gate: (any ProviderGate)?

    /// Makes a chain from providers, asked from the first to the last.
    public init(_ providers: [any FlagProvider] = []) { self.init(entries: providers.map { Entry($0) }) }

    package init(entries: [Entry]) { self.entries = entries }

    /// Adds a provider at the end, where it is asked last.
    public mutating func append(_ provider: any FlagProvider) { entries.append(Entry(provider)) }

    /// Inserts a provider, which is asked before the one that stands at the position now.
    public mutating func insert(_ provider: any FlagProvider, at position: Int) {
        entries.insert(Entry(provider), at: position)
    }

    /// Removes the entries that a condition picks.
    public mutating func removeAll(where isRemoved: (Entry) throws -> Bool) rethrows {
        try entries.removeAll(where: isRemoved)
    }

    /// Removes a provider, if the chain has it, as ``FlagProviderSelector/instance(_:)`` finds it.
    public mutating func remove(_ provider: any FlagProvider) {
        removeAll { FlagProviderSelector.isSame($0.provider, provider) }
    }
}

/// A chain as it may be put in force: without the overrides that are not taken.
package struct AdmittedChain: Sendable {
    /// The providers. They carry neither admission nor gate, so a chain that is handed from one loader to another takes
    /// neither along.
    package let providers: ProviderChain
    package let admission: OverrideAdmission
    package let gate: (any ProviderGate)?

    /// No providers, and what is detected.
    package static let empty = AdmittedChain(providers: [], admission: .detected, gate: nil)

    /// The providers with admission and gate, for a loader that shall go by them.
    package var deployed: ProviderChain {
        var chain = providers
        chain.admission = admission
        chain.gate = gate
        return chain
    }
}

extension ProviderChain {
    /// Returns what may be put in force after another chain, which decides what this one leaves open. Each override that is
    /// left out is reported.
    package func admitted(after old: AdmittedChain, reporter: FlagIssueReporter) -> AdmittedChain {
        let admission = admission ?? old.admission
        var providers = ProviderChain(entries: entries)
        if !admission.admitsOverrides {
            providers.removeAll { entry in
                guard entry.provider.isOverride else { return false }
                report(refused: entry.provider, in: admission, to: reporter)
                return true
            }
        }
        return AdmittedChain(providers: providers, admission: admission, gate: gate ?? old.gate)
    }

    private func report(
        refused provider: any FlagProvider, in admission: OverrideAdmission, to reporter: FlagIssueReporter
    ) {
        let message = """
            Provider "\(provider.name)" is marked as an override, and environment "\(admission.environment)" takes \
            none, so it was left out of the chain. Compose the chain with ProviderChain(for:_:), or, if customers shall \
            have overrides, deploy it in DeploymentEnvironment.dangerouslyAdmittingOverridesInProduction().
            """
        reporter.report(FlagIssue(.overrideRefused, message: message, provider: provider.name))
    }
}

extension ProviderChain: RandomAccessCollection {
    /// The first position: 0.
    public var startIndex: Int { 0 }
    /// The number of providers.
    public var endIndex: Int { entries.count }
    /// The provider at a position, as they are asked.
    public subscript(position: Int) -> any FlagProvider { entries[position].provider }
}

extension ProviderChain: ExpressibleByArrayLiteral {
    /// Makes a chain from a literal: `[overrides, remote]`.
    public init(arrayLiteral providers: any FlagProvider...) { self.init(providers) }
}
