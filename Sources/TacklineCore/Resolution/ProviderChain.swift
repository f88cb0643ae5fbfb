/// The providers of a loader or a manager, in the order in which they are asked.
///
/// Write a chain as an array literal:
///
/// ```swift
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote, regionDefaults])
/// ```
///
/// `ProviderChain(for:_:)` composes the chain of a deployment environment. A chain is a value: changing it has no
/// effect until you give it to a loader.
public struct ProviderChain: Sendable {
    /// A provider at its position in a chain.
    public struct Entry: Sendable {
        /// The provider that the chain asks.
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
    /// Whether the chain takes overrides. If it is `nil`, the loader keeps the decision for its previous chain. Its
    /// first chain then uses the detected environment.
    package var admission: OverrideAdmission?
    /// The switch for live providers. If it is `nil`, the loader keeps the switch of its previous chain.
    package var gate: (any ProviderGate)?

    /// Creates a chain from providers, from the first to the last.
    public init(_ providers: [any FlagProvider] = []) { self.init(entries: providers.map { Entry($0) }) }

    package init(entries: [Entry]) { self.entries = entries }

    /// The ids of the providers, in their order. An id is the provider's name, followed by a number if an earlier
    /// provider has the same name.
    public var ids: [String] {
        let names = entries.map(\.provider.name)
        // Usually there are few providers and no name is taken. That is found out without a set, whose type a process
        // would have to make.
        if names.count < 8, names.indices.allSatisfy({ !names[..<$0].contains(names[$0]) }) { return names }
        var taken: Set<String> = []
        // The next number of each name, so that many providers of one name take linear time.
        var numbers: [String: Int] = [:]
        return names.map { name in
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

    /// Removes a provider. An object is found by its identity, an `Equatable` value by equality, and any other value by
    /// its type and name. Does nothing if the chain doesn't have
    /// it.
    public mutating func remove(_ provider: any FlagProvider) {
        removeAll { FlagProviderSelector.isSame($0.provider, provider) }
    }
}

/// A chain without the overrides that its environment refuses.
package struct AdmittedChain: Sendable {
    /// The providers. Their chain has no admission and no gate, so a chain that is read from one loader and given to
    /// another leaves those of the other loader unchanged.
    package let providers: ProviderChain
    package let admission: OverrideAdmission
    /// Whether a chain has named the environment. Then only an environment that takes no overrides replaces it.
    package let isAdmissionNamed: Bool
    package let gate: (any ProviderGate)?
    /// The issue of an environment that was refused, to be reported when the chain is installed.
    package let issue: FlagError?

    /// No providers in the detected environment.
    package static let empty = AdmittedChain(
        providers: [], admission: .detected, isAdmissionNamed: false, gate: nil, issue: nil)

    /// The providers together with the admission and the gate.
    package var deployed: ProviderChain {
        var chain = providers
        chain.admission = isAdmissionNamed ? admission : nil
        chain.gate = gate
        return chain
    }
}

extension ProviderChain {
    /// Returns the chain without the overrides that its environment refuses. The previous chain decides the environment
    /// and the switch that this chain doesn't name. A named environment is replaced only by one that takes no
    /// overrides.
    package func admitted(after old: AdmittedChain) -> AdmittedChain {
        var issue: FlagError?
        var admission = admission ?? old.admission
        if old.isAdmissionNamed, admission.admitsOverrides, admission != old.admission {
            issue = self.issue(refused: admission, for: old.admission)
            admission = old.admission
        }
        var providers = ProviderChain(entries: entries)
        if !admission.admitsOverrides { providers.removeAll { $0.kind.contains(.override) } }
        return AdmittedChain(
            providers: providers, admission: admission,
            isAdmissionNamed: old.isAdmissionNamed || self.admission != nil, gate: gate ?? old.gate, issue: issue)
    }

    private func issue(refused new: OverrideAdmission, for old: OverrideAdmission) -> FlagError {
        let message = """
            A chain for environment "\(new.environment)" was given to a loader or a manager for environment \
            "\(old.environment)", which it keeps. Name the same environment in every chain, or only in the first.
            """
        return FlagError(.environmentRefused, message)
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
