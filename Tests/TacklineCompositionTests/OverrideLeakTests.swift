import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

/// A public way to give providers to a loader or a manager.
private enum ChainInstallation: CaseIterable {
    case loader, features, manager, updateProviders, managerSetProviders

    /// Returns the value of the flag and the number of the chain's providers.
    func run(
        _ provider: any FlagProvider, in environment: DeploymentEnvironment, _ log: IssueRecorder
    ) -> (isOn: Bool, count: Int) {
        if self == .features {
            let flags = FlagsLoader(
                CompositionFeature.self, environment: environment, providers: [provider], issueReporter: log.reporter)
            return (flags.isEnabled(.newCheckout), flags.providers.count)
        }
        let first = self == .loader || self == .manager ? [provider] : []
        let manager = FlagsManager(environment: environment, providers: first, issueReporter: log.reporter)
        let flags =
            self == .manager || self == .managerSetProviders
            ? manager.addCollection(CompositionFlags.self)
            : FlagsLoader(
                CompositionFlags.self, environment: environment, providers: first, issueReporter: log.reporter)
        if self == .updateProviders { flags.updateProviders { $0.append(provider) } }
        if self == .managerSetProviders { manager.providers = [provider] }
        return (flags.newCheckout, flags.providers.count + flags.$newCheckout.explain().providers.count)
    }
}

/// An override that can be written to.
private struct WritableOverride: WritableFlagProvider {
    let traits = FlagProviderTraits.override
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {}
}

@Suite("An override")
struct OverrideLeakTests {
    private static let overrides: [any FlagProvider] = [
        FixedOverride(),
        WrappingProvider(wrappedProviders: [
            FixedProvider(), WrappingProvider(wrappedProviders: [FixedProvider(), FixedOverride()]),
        ]),
        WrappingProvider(wrappedProviders: [FixedOverride(traits: .overridesPins), FixedOverride()]),
    ]

    @Test("is left out in production by every installation of a chain, without an issue, unless it decides itself")
    func environments() {
        let open = DeploymentEnvironment.production.dangerouslyAdmittingOverridesInProduction()
        for installation in ChainInstallation.allCases {
            for environment in [DeploymentEnvironment.production, .nonProduction, .simulator, open] {
                let guarded = FixedOverride(traits: .overridesPins)
                let deciding: [any FlagProvider] = [guarded, WrappingProvider(wrappedProviders: [guarded])]
                for (index, provider) in (deciding + Self.overrides).enumerated() {
                    let log = IssueRecorder()
                    let result = installation.run(provider, in: environment, log)
                    let isTaken = environment != .production || index < deciding.count
                    #expect(result.isOn == isTaken && (result.count > 0) == isTaken, "\(installation) \(environment)")
                    #expect(log.issues.isEmpty, "\(installation) \(environment)")
                }
            }
        }
    }

    @Test("that is left out is neither asked nor written to, and leaves the other providers in their order")
    func others() {
        let flags = FlagsLoader(
            CompositionFlags.self, environment: .production,
            providers: [
                FixedProvider(name: "a"), FixedOverride(), MemoryProvider(name: "b"), WritableOverride(),
            ])
        #expect(flags.providers.map(\.name) == ["a", "b"])
        #expect(flags.$newCheckout.flagValue(from: FixedOverride.self) == nil && !flags.newCheckout)
        let error = #expect(throws: FlagError.self) {
            try flags.$newCheckout.setValue(true, providers: [WritableOverride.self])
        }
        #expect(error?.code == .unknownProvider)
    }
}
