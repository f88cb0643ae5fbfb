import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineRecording
import TacklineShadow
import TacklineTestSupport
import Testing

/// Every public way to give a loader or a manager a chain. Each returns what reads the flag, and what the chain has.
private enum WayIn: String, CaseIterable, Sendable {
    case loaderProviders, loaderChain, loaderBuilder, loaderByPriority, loaderForOtherEnvironment
    case builderIf, builderIfLet, builderSwitch, builderFor, builderArray, builderChain, builderOptional, builderEntry
    case sortedByPriority, insertedIntoChain
    case featureProviders, featureChain
    case setProviders, appendToProviders, setChain, insertIntoChain, updateProviders, modeSwitch
    case managerProviders, managerChain, managerSetProviders, managerSetChain, managerUpdateChain
    case managerCollectionBefore, loaderOfManager, chainOfAnotherLoader, providersOfAnotherManager

    typealias Result = (isOn: Bool, count: Int)

    func run(_ provider: any FlagProvider, in environment: DeploymentEnvironment, log: IssueRecorder) -> Result {
        switch self {
        case .loaderProviders, .loaderChain, .loaderBuilder, .loaderByPriority, .loaderForOtherEnvironment, .builderIf,
            .builderIfLet, .builderSwitch, .builderFor, .builderArray, .builderChain, .builderOptional, .builderEntry,
            .sortedByPriority, .insertedIntoChain:
            Self.read(
                FlagsLoader(
                    CompositionFlags.self, providers: construction(provider).deployed(in: environment),
                    issueReporter: log.reporter))
        case .featureProviders, .featureChain:
            Self.readFeature(provider, environment, log, isChain: self == .featureChain)
        case .managerProviders, .managerChain, .managerSetProviders, .managerSetChain, .managerUpdateChain,
            .managerCollectionBefore, .loaderOfManager, .providersOfAnotherManager:
            manager(provider, environment, log)
        default:
            change(provider, environment, log)
        }
    }

    private func construction(_ provider: any FlagProvider) -> ProviderChain {
        switch self {
        case .loaderProviders: ProviderChain([provider])
        case .loaderChain: ProviderChain { provider.prioritized(.business) }
        case .loaderByPriority: ProviderChain.byPriority { provider.prioritized(.forced) }
        // Composed for one environment and used in another.
        case .loaderForOtherEnvironment: ProviderChain(for: .nonProduction) { provider.prioritized(.localOverrides) }
        case .sortedByPriority: ProviderChain([provider]).sortedByPriority()
        case .insertedIntoChain: Self.inserting(provider)
        default: built(provider)
        }
    }

    private static func inserting(_ provider: any FlagProvider) -> ProviderChain {
        var chain = ProviderChain()
        chain.insert(provider, priority: .business)
        return chain
    }

    private func built(_ provider: any FlagProvider) -> ProviderChain {
        let isListed = self != .loaderBuilder
        let some: (any FlagProvider)? = provider
        return switch self {
        case .builderIf: ProviderChain { if isListed { provider } else { FixedProvider() } }
        case .builderIfLet: ProviderChain { if let some { some } }
        case .builderSwitch:
            ProviderChain {
                switch self {
                case .builderSwitch: provider
                default: FixedProvider()
                }
            }
        case .builderFor: ProviderChain { for provider in [provider] { provider } }
        case .builderArray: ProviderChain { [provider] }
        case .builderChain: ProviderChain { ProviderChain([provider]) }
        case .builderOptional: ProviderChain { some }
        case .builderEntry: ProviderChain { some?.prioritized(.business) }
        default: ProviderChain { provider }
        }
    }

    private func change(
        _ provider: any FlagProvider, _ environment: DeploymentEnvironment, _ log: IssueRecorder
    ) -> Result {
        let mode = FlagModeSwitch()
        let flags = FlagsLoader(
            CompositionFlags.self,
            providers: ProviderChain(self == .modeSwitch ? [provider] : []).deployed(in: environment).switched(
                by: mode),
            issueReporter: log.reporter)
        switch self {
        case .setProviders: flags.providers = [provider]
        case .appendToProviders: flags.providers.append(provider)
        case .setChain: flags.providers = ProviderChain { provider }
        case .insertIntoChain: flags.providers.insert(provider, priority: .business)
        case .updateProviders: flags.updateProviders { $0 = ProviderChain { provider } }
        case .modeSwitch: try? mode.setMode(.local)
        case .chainOfAnotherLoader:
            let tests = FlagsLoader(
                CompositionFlags.self, providers: ProviderChain([provider]).deployed(in: .nonProduction))
            flags.providers = tests.providers
        default: Issue.record("\(self) is not covered")
        }
        return Self.read(flags)
    }

    private func manager(
        _ provider: any FlagProvider, _ environment: DeploymentEnvironment, _ log: IssueRecorder
    ) -> Result {
        let isConstruction = self == .managerProviders || self == .managerChain
        let manager =
            self == .managerProviders
            ? FlagsManager(providers: ProviderChain([provider]).deployed(in: environment), issueReporter: log.reporter)
            : FlagsManager(
                providers: (isConstruction ? ProviderChain { provider } : []).deployed(in: environment),
                issueReporter: log.reporter)
        if self == .managerCollectionBefore { manager.addCollection(CompositionFlags.self) }
        switch self {
        case .managerProviders, .managerChain: break
        case .managerSetProviders, .managerCollectionBefore: manager.providers = [provider]
        case .managerSetChain: manager.providers = ProviderChain { provider }
        case .managerUpdateChain: manager.updateProviders { $0.insert(provider) }
        case .loaderOfManager: manager.addCollection(CompositionFlags.self).providers = [provider]
        case .providersOfAnotherManager:
            manager.providers =
                FlagsManager(providers: ProviderChain([provider]).deployed(in: .nonProduction)).providers
        default: Issue.record("\(self) is not covered")
        }
        let result = Self.read(manager.addCollection(CompositionFlags.self))
        return (result.isOn, result.count + manager.providers.entries.count + manager.providers.count)
    }

    private static func read(_ flags: FlagsLoader<CompositionFlags>) -> Result {
        let explained = flags.$newCheckout.explain().answers.count
        return (flags.newCheckout, explained + flags.providers.count + flags.providers.entries.count)
    }

    private static func readFeature(
        _ provider: any FlagProvider, _ environment: DeploymentEnvironment, _ log: IssueRecorder, isChain: Bool
    ) -> Result {
        let flags =
            isChain
            ? FlagsLoader(
                CompositionFeature.self, providers: ProviderChain { provider }.deployed(in: environment),
                issueReporter: log.reporter)
            : FlagsLoader(
                CompositionFeature.self, providers: ProviderChain([provider]).deployed(in: environment),
                issueReporter: log.reporter)
        return (flags.isEnabled(.newCheckout), flags.providers.count)
    }
}

@Suite("An override in production")
struct OverrideLeakTests {
    private static let marked: [any FlagProvider] = [
        MarkedOverride(),
        WrappingProvider(wrappedProviders: [MarkedOverride()]),
        WrappingProvider(wrappedProviders: [
            FixedProvider(), WrappingProvider(wrappedProviders: [FixedProvider(), MarkedOverride()]),
        ]),
        ShadowProvider(MarkedOverride(), shadow: FixedProvider()),
        SessionRecorder().recording(MarkedOverride()),
    ]

    @Test("gets into no chain in any way, and each attempt is reported")
    fileprivate func refused() {
        for way in WayIn.allCases {
            for provider in Self.marked {
                let log = IssueRecorder()
                let result = way.run(provider, in: .production, log: log)
                #expect(!result.isOn, "\(way)")
                #expect(result.count == 0, "\(way)")
                let attempts = log.issues.filter { $0.code == .overrideRefused }
                #expect(!attempts.isEmpty, "\(way)")
                #expect(attempts.allSatisfy { $0.provider == provider.name }, "\(way)")
            }
        }
    }

    @Test("gets in everywhere else, so that the other tests can fail")
    fileprivate func admitted() {
        for way in WayIn.allCases {
            let open = DeploymentEnvironment.production.dangerouslyAdmittingOverridesInProduction()
            for environment in [DeploymentEnvironment.nonProduction, .simulator, open] {
                for provider in Self.marked {
                    let log = IssueRecorder()
                    let result = way.run(provider, in: environment, log: log)
                    #expect(result.isOn, "\(way)")
                    #expect(result.count > 0, "\(way)")
                    #expect(!log.codes.contains(.overrideRefused), "\(way)")
                }
            }
        }
    }

    @Test("cannot be written to, and leaves the other providers in their order")
    func others() {
        let log = IssueRecorder()
        let flags = FlagsLoader(
            CompositionFlags.self,
            providers: ProviderChain([
                FixedProvider(name: "a"), MarkedOverride(), MemoryProvider(name: "b"), MarkedOverride(),
            ]).deployed(in: .production), issueReporter: log.reporter)
        #expect(flags.providers.ids == ["a", "b"])
        #expect(flags.$newCheckout.flagValue(from: MarkedOverride.self) == nil)
        #expect(log.codes == [.overrideRefused, .overrideRefused])
        #expect(
            log.issues.first?.message == """
                Provider "marked" is marked as an override, and environment "production" takes none, so it was left \
                out of the chain. Compose the chain with ProviderChain(for:_:), or, if customers shall have overrides, \
                deploy it in DeploymentEnvironment.dangerouslyAdmittingOverridesInProduction().
                """)
    }

    @Test("is refused inside a wrapper of itself, which never ends")
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

    /// A new public way to make a chain or to hand one over has to be added to the enumeration above, and then here.
    @Test("has no way in that the enumeration above does not know, in any module")
    func completeness() throws {
        var found: Set<String> = []
        for (file, source) in try Self.sources() {
            let name = file.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }
            found.formUnion(Self.declarations(in: source).map { "\(name).\($0)" })
        }
        let handingOver: Set<String> = [
            "Feature.init", "FlagsLoader.init", "FlagsLoader.var providers", "FlagsLoader.func updateProviders",
            "FlagsManager.init", "FlagsManager.var providers", "FlagsManager.func updateProviders",
        ]
        // `remove` takes something out. The functions of the builder are what `if`, `for` and so on become.
        let making: Set<String> = [
            "ProviderChain.struct ProviderChain", "ProviderChain.let provider", "ProviderChain.init",
            "ProviderChain.subscript position", "ProviderChain.static func byPriority",
            "ProviderChain.mutating func append", "ProviderChain.func deployed", "ProviderChain.func switched",
            "ProviderChain.func sortedByPriority",
            "ProviderChain.mutating func insert", "ProviderChain.mutating func remove",
            "ProviderChain.func prioritized", "ProviderChain.enum ProviderChainBuilder",
            "ProviderChain.static func buildExpression", "ProviderChain.static func buildBlock",
            "ProviderChain.static func buildArray", "ProviderChain.static func buildOptional",
            "ProviderChain.static func buildEither",
            "ProviderChain.static func buildLimitedAvailability",
        ]
        // They look a provider up in the chain that there is, or say which of it a flag does not ask.
        let lookups: Set<String> = [
            "Flag.init",
            "FlagHandle.func flagValue", "FlagHandle.func resolution", "FlagHandle.func setValue",
            "FlagHandle.func resetValue", "FlagChain.static func instance", "FlagChain.static func type",
        ]
        // They check providers and have no flags.
        let checks: Set<String> = [
            "FlagProviderConformance.var change", "FlagProviderConformance.var stuckWrite",
            "FlagProviderConformance.init",
        ]
        // The mark of a wrapper itself, and the wrappers that say by it whom they ask.
        let marks: Set<String> = [
            "FlagProviderWrapper.protocol FlagProviderWrapper", "GuardedProvider.var wrappedProviders",
            "EvaluatedProvider.var wrappedProviders", "SessionRecorder.var wrappedProviders",
            "ShadowProvider.var wrappedProviders",
        ]
        // RealFlags' order of the parameters of loader and manager, handed on to those; and where old values are read from.
        let moving: Set<String> = ["OldNames.init", "RealFlagsImport.init"]
        let known = handingOver.union(making).union(lookups).union(checks).union(marks).union(moving)
        #expect(found.subtracting(known) == [])
        #expect(handingOver.union(making).subtracting(found) == [])
    }

    /// Every file of every module.
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

    /// The public declarations of a source that speak of providers or chains.
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
