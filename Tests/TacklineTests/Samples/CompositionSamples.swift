import Foundation
import Tackline

// What the guides "Composition" and "Overrides" show, so that it is run.

extension FlagPriority {
    static let demo = FlagPriority(250)
}

extension DeploymentEnvironment {
    static let staging = DeploymentEnvironment(name: "staging", isProduction: false)
}

/// What the samples need.
struct CompositionSamples {
    let remote = MemoryProvider(name: "remote")
    let regionDefaults = MemoryProvider(name: "region defaults")
    let testValues = MemoryProvider(name: "test values")
    let demoValues = MemoryProvider(name: "demo values")
    let forcedValues = MemoryProvider(name: "forced values")
    let settings = MemoryProvider(name: "settings")
    let overridesFile = MemoryProvider(name: "overrides file")
    var partner: MemoryProvider?
    var isInternalBuild = true
    var region = "eu"
    var experiments = ["a", "b"]

    func chains() -> [ProviderChain] {
        let fixed = ProviderChain([remote, regionDefaults])

        var internalChain = fixed
        if isInternalBuild { internalChain.insert(testValues, at: 0) }

        let listed = ProviderChain(for: .staging) {
            if isInternalBuild { testValues }
            if let partner { partner }
            switch region {
            case "eu": MemoryProvider(name: "EU rules")
            default: MemoryProvider(name: "world rules")
            }
            for experiment in experiments { MemoryProvider(name: experiment) }
            [remote, regionDefaults]
            demoValues.prioritized(.demo)
            forcedValues.prioritized(.forced)
        }
        return [fixed, internalChain, listed]
    }

    func changing() -> FlagsLoader<AppFlags> {
        let flags = FlagsLoader(AppFlags.self, providers: [remote])
        flags.providers = [testValues, remote]
        flags.updateProviders { $0.insert(demoValues, at: 0) }
        flags.updateProviders { $0.remove(testValues) }
        return flags
    }

    func environments() -> FlagsLoader<AppFlags> {
        let overrides = FlagOverrides(storage: overridesFile)

        let chain = ProviderChain(for: .detected) {
            forcedValues.prioritized(.forced)
            overrides
            MemoryProvider(name: "simulator").prioritized(.simulator)
            testValues.prioritized(.testing)
            remote
            regionDefaults
        }
        let flags = FlagsLoader(AppFlags.self, providers: chain)
        return flags
    }

    func optIn(overrides: FlagOverrides) -> FlagsLoader<AppFlags> {
        let flags = FlagsLoader(
            AppFlags.self,
            providers: ProviderChain([overrides, remote])
                .deployed(in: .production.dangerouslyAdmittingOverridesInProduction())
        )
        return flags
    }

    func configurations() -> FlagsLoader<AppFlags> {
        let configuration = FlagConfiguration(AppFlags.self) {
            $0.enable(\.newCheckout)
            $0.disable(\.debugMenu)
            $0.set(\.maxAttempts, to: 5)
            if isInternalBuild { $0.enable(\.debugMenu) }
        }
        let flags = FlagsLoader(AppFlags.self, providers: [configuration])
        return flags
    }

    func features() -> Bool {
        let configuration = FlagConfiguration(AppFeature.self) { $0.enable(.newCheckout) }
        let flags = FlagsLoader(AppFeature.self, providers: [remote, configuration])

        if flags.isEnabled(.newCheckout) { /* … */  }
        print(flags.handle(of: .newCheckout)?.explain() ?? "")

        let limits = FlagsLoader(Limit.self, providers: [remote])
        let attempts = limits.value(of: .attempts)
        return attempts > 0 && flags.isEnabled(AppFeature.newCheckout)
    }

    func inside() -> Bool {
        let flags = FlagsLoader(AppFlags.self, providers: [remote])
        return flags.features.isEnabled(.newCheckout)
    }

    func modes() throws {
        let mode = FlagModeSwitch(storage: settings)
        let flags = FlagsLoader(AppFlags.self, providers: ProviderChain([remote, regionDefaults]).switched(by: mode))
        try mode.setMode(.local)
        print(flags.maxAttempts)
    }

    func overriding() throws -> [FlagOverride] {
        let overrides = FlagOverrides(storage: overridesFile)
        let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])

        try flags.$newCheckout.setValue(true, providers: [overrides])
        try overrides.setValue(9, for: flags.$maxAttempts, expires: Date(timeIntervalSinceNow: 3600))
        for override in overrides.overrides { print(override.key, override.value) }

        let report = try overrides.exportBundle()
        try overrides.setValue(nil, for: "new_checkout")
        try overrides.removeAll()
        try overrides.importBundle(report, replacing: true)
        return overrides.overrides
    }
}

// Nested, so that other samples may have types of the same names.
extension CompositionSamples {
    struct AppFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "The new checkout")
        var newCheckout: Bool

        @Flag(default: true, description: "The menu for developers")
        var debugMenu: Bool

        @Flag(default: 3, description: "How often to try")
        var maxAttempts: Int

        @FlagCollection(keyConfiguration: .skip)
        var features: FlagFeatureCollection<AppFeature>
    }

    enum AppFeature: String, FlagFeature {
        case newCheckout = "checkout-v2", oneClick
    }

    enum Limit: String, FlagFeature {
        typealias Value = Int

        case attempts, depth

        var defaultValue: Int { self == .attempts ? 3 : 100 }
    }

    /// Logs each question.
    struct LoggingProvider: FlagProvider {
        let inner: any FlagProvider
        let log: @Sendable (FlagKeyPath) -> Void

        var name: String { inner.name }
        var wrappedProviders: [any FlagProvider] { [inner] }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? {
            log(key)
            return inner.value(for: key)
        }
    }
}
