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
    var isInternalBuild = true

    func chains() -> [[any FlagProvider]] {
        let fixed: [any FlagProvider] = [remote, regionDefaults]
        let internalChain = (isInternalBuild ? [testValues] : []) + fixed
        let sorted = FlagPriority.sorted([
            (remote, .business), (regionDefaults, .business), (demoValues, .demo), (forcedValues, .forced),
        ])
        return [fixed, internalChain, sorted]
    }

    func changing() -> FlagsLoader<AppFlags> {
        let flags = FlagsLoader(AppFlags.self, providers: [remote])
        flags.providers = [testValues, remote]
        flags.updateProviders { $0.insert(demoValues, at: 0) }
        flags.updateProviders { $0.removeAll { $0.name == "test values" } }
        return flags
    }

    func environments() -> FlagsLoader<AppFlags> {
        let overrides = FlagOverrides(storage: overridesFile)

        let environment = DeploymentEnvironment.detected
        let list: [(any FlagProvider, FlagPriority)] = [
            (forcedValues, .forced), (overrides, .localOverrides), (MemoryProvider(name: "simulator"), .simulator),
            (testValues, .testing), (remote, .business), (regionDefaults, .business),
        ]
        let chain = FlagPriority.sorted(list.filter { environment.includes($0.1) })
        let flags = FlagsLoader(AppFlags.self, environment: environment, providers: chain)
        return flags
    }

    func optIn(overrides: FlagOverrides) -> FlagsLoader<AppFlags> {
        let flags = FlagsLoader(
            AppFlags.self, environment: .production.dangerouslyAdmittingOverridesInProduction(),
            providers: [overrides, remote])
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
        let flags = FlagsLoader(AppFlags.self, providers: [remote, regionDefaults], mode: mode)
        try mode.setMode(.local)
        print(flags.maxAttempts)
    }

    func overriding() throws -> [FlagOverrides.Entry] {
        let overrides = FlagOverrides(storage: overridesFile)
        let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])

        try flags.$newCheckout.setValue(true, in: overrides)
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
