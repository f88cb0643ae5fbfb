import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineTestSupport
import Testing

/// A public way to give a chain to a loader or a manager.
private enum ChainInstallation: String, CaseIterable, Sendable {
    case loaderProviders, loaderForEnvironment, loaderForOtherEnvironment
    case builderIf, builderIfLet, builderSwitch, builderFor, builderArray, builderChain, builderOptional, builderEntry
    case builderOptionalEntry, appendedToChain, insertedIntoChain
    case featureProviders, featureForEnvironment
    case setProviders, setProvidersForEnvironment, appendToProviders, insertIntoProviders, updateProviders, modeSwitch
    case managerProviders, managerForEnvironment, managerSetProviders, managerSetProvidersForEnvironment
    case managerUpdateProviders, managerCollectionBefore, loaderOfManager
    case chainOfAnotherLoader, providersOfAnotherManager

    /// The value of the flag, and the number of places in which the chain shows a provider.
    typealias Result = (isOn: Bool, count: Int)

    func run(_ provider: any FlagProvider, in environment: DeploymentEnvironment, log: IssueRecorder) -> Result {
        switch self {
        case .loaderProviders, .loaderForEnvironment, .loaderForOtherEnvironment, .builderIf, .builderIfLet,
            .builderSwitch, .builderFor, .builderArray, .builderChain, .builderOptional, .builderEntry,
            .builderOptionalEntry, .appendedToChain, .insertedIntoChain:
            Self.read(
                FlagsLoader(
                    CompositionFlags.self, providers: chain(of: provider, in: environment),
                    issueReporter: log.reporter))
        case .featureProviders, .featureForEnvironment:
            features(provider, environment, log)
        case .managerProviders, .managerForEnvironment, .managerSetProviders, .managerSetProvidersForEnvironment,
            .managerUpdateProviders, .managerCollectionBefore, .loaderOfManager, .providersOfAnotherManager:
            manager(provider, environment, log)
        case .setProviders, .setProvidersForEnvironment, .appendToProviders, .insertIntoProviders, .updateProviders,
            .modeSwitch, .chainOfAnotherLoader:
            change(provider, environment, log)
        }
    }

    /// Returns a chain for an environment. Its priority would include the provider in production.
    private static func composed(_ provider: any FlagProvider, for environment: DeploymentEnvironment) -> ProviderChain
    {
        ProviderChain(for: environment) { provider.prioritized(.business) }
    }

    private func chain(of provider: any FlagProvider, in environment: DeploymentEnvironment) -> ProviderChain {
        switch self {
        case .loaderProviders: ProviderChain([provider]).deployed(in: environment)
        case .loaderForEnvironment: Self.composed(provider, for: environment)
        // Composed for one environment and used in another.
        case .appendedToChain, .insertedIntoChain: edited(provider).deployed(in: environment)
        default: built(provider).deployed(in: environment)
        }
    }

    private func edited(_ provider: any FlagProvider) -> ProviderChain {
        var chain = ProviderChain()
        if self == .appendedToChain { chain.append(provider) } else { chain.insert(provider, at: 0) }
        return chain
    }

    private func built(_ provider: any FlagProvider) -> ProviderChain {
        let isListed = self != .loaderProviders
        let some: (any FlagProvider)? = provider
        return ProviderChain(for: .nonProduction) {
            switch self {
            case .builderIf: if isListed { provider } else { FixedProvider() }
            case .builderIfLet: if let some { some }
            case .builderSwitch:
                switch isListed {
                case true: provider
                case false: FixedProvider()
                }
            case .builderFor: for provider in [provider] { provider }
            case .builderArray: [provider]
            case .builderChain: ProviderChain([provider])
            case .builderOptional: some
            case .builderEntry: provider.prioritized(.forced)
            case .builderOptionalEntry: some?.prioritized(.business)
            default: provider
            }
        }
    }

    private func change(
        _ provider: any FlagProvider, _ environment: DeploymentEnvironment, _ log: IssueRecorder
    ) -> Result {
        let mode = FlagModeSwitch()
        let first = ProviderChain(self == .modeSwitch ? [provider] : []).deployed(in: environment).switched(by: mode)
        let flags = FlagsLoader(CompositionFlags.self, providers: first, issueReporter: log.reporter)
        switch self {
        case .setProviders: flags.providers = [provider]
        case .setProvidersForEnvironment: flags.providers = Self.composed(provider, for: environment)
        case .appendToProviders: flags.providers.append(provider)
        case .insertIntoProviders: flags.providers.insert(provider, at: 0)
        case .updateProviders: flags.updateProviders { $0 = [provider] }
        case .modeSwitch: try? mode.setMode(.local)
        case .chainOfAnotherLoader:
            let other = ProviderChain([provider]).deployed(in: .nonProduction)
            flags.providers = FlagsLoader(CompositionFlags.self, providers: other).providers
        default: Issue.record("\(self) is not covered")
        }
        return Self.read(flags)
    }

    private func manager(
        _ provider: any FlagProvider, _ environment: DeploymentEnvironment, _ log: IssueRecorder
    ) -> Result {
        let first =
            switch self {
            case .managerProviders: ProviderChain([provider]).deployed(in: environment)
            case .managerForEnvironment: Self.composed(provider, for: environment)
            default: ProviderChain().deployed(in: environment)
            }
        let manager = FlagsManager(providers: first, issueReporter: log.reporter)
        if self == .managerCollectionBefore { manager.addCollection(CompositionFlags.self) }
        switch self {
        case .managerProviders, .managerForEnvironment: break
        case .managerSetProviders, .managerCollectionBefore: manager.providers = [provider]
        case .managerSetProvidersForEnvironment: manager.providers = Self.composed(provider, for: environment)
        case .managerUpdateProviders: manager.updateProviders { $0.append(provider) }
        case .loaderOfManager: manager.addCollection(CompositionFlags.self).providers = [provider]
        case .providersOfAnotherManager:
            let other = ProviderChain([provider]).deployed(in: .nonProduction)
            manager.providers = FlagsManager(providers: other).providers
        default: Issue.record("\(self) is not covered")
        }
        let result = Self.read(manager.addCollection(CompositionFlags.self))
        return (result.isOn, result.count + manager.providers.entries.count + manager.providers.count)
    }

    private static func read(_ flags: FlagsLoader<CompositionFlags>) -> Result {
        let explained = flags.$newCheckout.explain().providers.count
        return (flags.newCheckout, explained + flags.providers.count + flags.providers.entries.count)
    }

    private func features(
        _ provider: any FlagProvider, _ environment: DeploymentEnvironment, _ log: IssueRecorder
    ) -> Result {
        let chain =
            self == .featureProviders
            ? ProviderChain([provider]).deployed(in: environment) : Self.composed(provider, for: environment)
        let flags = FlagsLoader(CompositionFeature.self, providers: chain, issueReporter: log.reporter)
        return (flags.isEnabled(.newCheckout), flags.providers.count)
    }
}

/// An override that can be written to.
private struct WritableOverride: WritableFlagProvider {
    let kind = FlagProviderKind.override
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {}
}

@Suite("An override")
struct OverrideLeakTests {
    private static let overrides: [any FlagProvider] = [
        FixedOverride(),
        WrappingProvider(wrappedProviders: [FixedOverride()]),
        WrappingProvider(wrappedProviders: [
            FixedProvider(), WrappingProvider(wrappedProviders: [FixedProvider(), FixedOverride()]),
        ]),
    ]

    @Test("is refused in production by every installation of a chain, without an issue")
    fileprivate func refused() {
        for installation in ChainInstallation.allCases {
            for provider in Self.overrides {
                let log = IssueRecorder()
                let result = installation.run(provider, in: .production, log: log)
                #expect(!result.isOn, "\(installation)")
                #expect(result.count == 0, "\(installation)")
                #expect(log.issues.isEmpty, "\(installation)")
            }
        }
    }

    @Test("that decides itself is taken in production by every installation of a chain, unless another one is in it")
    fileprivate func guarded() {
        let guarded: [any FlagProvider] = [
            FixedOverride(kind: .guardedOverride),
            WrappingProvider(wrappedProviders: [FixedOverride(kind: .guardedOverride)]),
        ]
        let mixed = WrappingProvider(wrappedProviders: [FixedOverride(kind: .guardedOverride), FixedOverride()])
        for installation in ChainInstallation.allCases {
            for provider in guarded {
                let result = installation.run(provider, in: .production, log: IssueRecorder())
                #expect(result.isOn && result.count > 0, "\(installation)")
            }
            let result = installation.run(mixed, in: .production, log: IssueRecorder())
            #expect(!result.isOn && result.count == 0, "\(installation)")
        }
    }

    @Test("that decides itself is in the chain that is composed for production, but a simulator's only on a simulator")
    func guardedPriorities() {
        func ids(_ priority: FlagPriority?, in environment: DeploymentEnvironment) -> [String] {
            let override = FixedOverride(kind: .guardedOverride)
            return ProviderChain(for: environment) {
                FixedProvider()
                if let priority { override.prioritized(priority) } else { override }
            }.ids
        }
        #expect(ids(nil, in: .production) == ["override", "fixed"])
        #expect(ids(.forced, in: .production) == ["override", "fixed"])
        #expect(ids(.simulator, in: .production) == ["fixed"])
        #expect(ids(.simulator, in: .simulator) == ["override", "fixed"])
    }

    @Test("is taken by every installation of a chain outside of production")
    fileprivate func admitted() {
        for installation in ChainInstallation.allCases {
            let open = DeploymentEnvironment.production.dangerouslyAdmittingOverridesInProduction()
            for environment in [DeploymentEnvironment.nonProduction, .simulator, open] {
                for provider in Self.overrides {
                    let log = IssueRecorder()
                    let result = installation.run(provider, in: environment, log: log)
                    #expect(result.isOn, "\(installation)")
                    #expect(result.count > 0, "\(installation)")
                    #expect(log.issues.isEmpty, "\(installation)")
                }
            }
        }
    }

    @Test("that is refused is neither asked nor written to, and leaves the other providers in their order")
    func others() {
        let log = IssueRecorder()
        let chain: ProviderChain = [
            FixedProvider(name: "a"), FixedOverride(), MemoryProvider(name: "b"), FixedOverride(), WritableOverride(),
        ]
        let flags = FlagsLoader(
            CompositionFlags.self, providers: chain.deployed(in: .production), issueReporter: log.reporter)
        #expect(flags.providers.ids == ["a", "b"])
        #expect(flags.$newCheckout.flagValue(from: FixedOverride.self) == nil)
        let error = #expect(throws: FlagError.self) {
            try flags.$newCheckout.setValue(true, providers: [WritableOverride.self])
        }
        #expect(error?.code == .unknownProvider)
        #expect(log.issues.isEmpty)
    }

    @Test("is refused by a loader and a manager whose first named environment is production, whatever comes later")
    func environmentStays() {
        let later = ProviderChain([FixedOverride()]).deployed(in: .nonProduction)
        let first = ProviderChain().deployed(in: .production)
        let log = IssueRecorder()
        let loader = FlagsLoader(CompositionFlags.self, providers: first, issueReporter: log.reporter)
        let manager = FlagsManager(providers: first, issueReporter: log.reporter)
        loader.providers = later
        manager.providers = later
        #expect(loader.environment == .production && !loader.newCheckout)
        #expect(manager.environment == .production && manager.providers.isEmpty)
        #expect(log.codes == [.environmentRefused, .environmentRefused])
        #expect(
            log.issues.first?.message == """
                A chain for environment "non-production" was given to a loader or a manager for environment "production", \
                which it keeps. Name the same environment in every chain, or only in the first.
                """)
    }

    @Test("leaves a loader that takes overrides when it gets a chain for production")
    func environmentBecomesStricter() {
        let flags = FlagsLoader(
            CompositionFlags.self, providers: ProviderChain([FixedOverride()]).deployed(in: .nonProduction),
            issueReporter: .silent)
        #expect(flags.newCheckout)
        flags.providers = ProviderChain([FixedOverride()]).deployed(in: .production)
        #expect(flags.environment == .production && !flags.newCheckout)
    }

    @Test("that wraps itself is refused in production")
    func endless() {
        final class Ouroboros: FlagProvider {
            var wrappedProviders: [any FlagProvider] { [self] }
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { true }
        }
        let flags = FlagsLoader(
            CompositionFlags.self, providers: ProviderChain([Ouroboros()]).deployed(in: .production),
            issueReporter: .silent)
        #expect(!flags.newCheckout)
    }

    /// Add a new public way to make a chain or to install one to `ChainInstallation`, and then here.
    @Test("can be installed by no public API that these tests do not know, in any module")
    func completeness() throws {
        var found: Set<String> = []
        for (file, source) in try Self.sources() {
            let name = file.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }
            found.formUnion(Self.declarations(in: source).map { "\(name).\($0)" })
        }
        // A wrapper names the providers that it asks.
        found = found.filter { !$0.hasSuffix(".var wrappedProviders") }
        let installing: Set<String> = [
            "FlagFeature.init", "FlagsLoader.init", "FlagsLoader.var providers", "FlagsLoader.func updateProviders",
            "FlagsManager.init", "FlagsManager.var providers", "FlagsManager.func updateProviders",
        ]
        // `remove` takes a provider out. The functions of the builder implement `if`, `for` and so on.
        let making: Set<String> = [
            "ProviderChain.struct ProviderChain", "ProviderChain.let provider", "ProviderChain.init",
            "ProviderChain.subscript position", "ProviderChain.mutating func append",
            "ProviderChain.mutating func insert", "ProviderChain.mutating func remove",
            "ProviderChain.func deployed", "ProviderChain.func switched", "ProviderChain.func prioritized",
            "ProviderChain.enum ProviderChainBuilder", "ProviderChain.static func buildExpression",
            "ProviderChain.static func buildBlock", "ProviderChain.static func buildArray",
            "ProviderChain.static func buildOptional", "ProviderChain.static func buildEither",
            "ProviderChain.static func buildLimitedAvailability",
        ]
        // They look a provider up in an installed chain, or name the providers that a flag excludes.
        let lookups: Set<String> = [
            "Flag.init", "FlagHandle.func flagValue", "FlagHandle.func resolution",
            "FlagWriting.func setValue", "FlagWriting.func resetValue", "FlagChain.static func instance",
            "FlagChain.static func type",
        ]
        // They check or compare providers and have no flags.
        let checks: Set<String> = [
            "FlagProviderConformance.var change", "FlagProviderConformance.var changeSource",
            "FlagProviderConformance.var stuckWrite", "FlagProviderConformance.init", "FlagShadow.init",
        ]
        // The parameters of RealFlags' loader and manager, which are passed on to ours, and the source of an import.
        let moving: Set<String> = ["OldNames.init", "RealFlagsImport.init"]
        let known = installing.union(making).union(lookups).union(checks).union(moving)
        #expect(found.subtracting(known) == [])
        #expect(installing.union(making).subtracting(found) == [])
    }

    /// Returns every file of every module with its text.
    private static func sources() throws -> [(URL, String)] {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return try ["Sources", "Providers"].flatMap { folder -> [(URL, String)] in
            let root = package.appendingPathComponent(folder).resolvingSymlinksInPath()
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap {
                $0 as? URL
            }
            return try (files ?? []).filter { $0.pathExtension == "swift" }.map {
                ($0, try String(contentsOf: $0, encoding: .utf8))
            }
        }
    }

    /// Returns the public declarations of a source that mention providers or chains.
    private static func declarations(in source: String) -> [String] {
        source.components(separatedBy: "\n").map { $0.drop { $0 == " " } }
            .filter { !$0.hasPrefix("//") && !$0.hasPrefix("public import ") }
            .joined(separator: "\n")
            .components(separatedBy: "public ").dropFirst()
            .compactMap { text -> String? in
                let head = text.prefix { $0 != "{" && $0 != "}" }
                guard
                    head.contains("FlagProvider]") || head.contains("any FlagProvider")
                        || head.contains("some FlagProvider") || head.contains("ProviderChain")
                else { return nil }
                let words = head.replacingOccurrences(of: "convenience ", with: "")
                    .split { !$0.isLetter }.prefix(3).map(String.init)
                if words.first == "init" { return "init" }
                let modifiers: Set = ["static", "mutating"]
                return words.prefix(modifiers.contains(words.first ?? "") ? 3 : 2).joined(separator: " ")
            }
    }
}
