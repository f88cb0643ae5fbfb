import Synchronization
import Tackline
import TacklineTesting
import TacklineTestSupport
import Testing

// What the guide "Writing a provider" shows, so that it is run.

private struct RegionDefaults: WritableFlagProvider {
    let name = "region defaults"
    private let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
}

/// Logs each use of a value.
private struct LoggingProvider: WritableFlagProvider {
    let base: any WritableFlagProvider
    let log: @Sendable (FlagKeyPath) -> Void

    var name: String { base.name }
    var status: FlagProviderStatus { base.status }
    var document: FlagDocument? { base.document }
    var wrappedProviders: [any FlagProvider] { [base] }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        log(key)
        return base.value(for: key)
    }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation { base.evaluation(for: key) }

    func observe(_ observer: FlagProviderObserver) -> Bool { base.observe(observer) }

    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws {
        try base.setValue(value, for: key)
    }
}

private struct RegionRules: FlagProvider {
    let rules: [FlagKeyPath: EncodedFlagValue]
    let region: String

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { rules[key] }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        guard let value = rules[key] else { return FlagEvaluation(value: nil) }
        return FlagEvaluation(value: value, variant: region, reason: .targetingMatch)
    }

    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}

private struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: 14, description: "Days in which an order can be sent back") var returnDays: Int
}

@Suite("The guide \"Writing a provider\"", .hangLimit)
struct ProviderSamples {
    @Test("shows a provider with a store, and one around it, which pass the conformance suite")
    func conformance() async {
        await FlagProviderConformance { RegionDefaults() }.expectConformance()
        await FlagProviderConformance { LoggingProvider(base: RegionDefaults()) { _ in } }.expectConformance()
    }

    @Test("shows a provider around another one that logs uses and no inspections")
    func logging() async throws {
        let isLoggedOnce = try await succeedsUndisturbed {
            let keys = Mutex<[FlagKeyPath]>([])
            let logging = LoggingProvider(base: RegionDefaults()) { key in keys.withLock { $0.append(key) } }
            let flags = FlagsLoader(ShopFlags.self, providers: [logging])
            try flags.$returnDays.setValue(15)
            #expect(flags.$returnDays.explain().source == .provider("region defaults"))
            #expect(keys.withLock { $0 } == [])
            #expect(flags.returnDays == 15 && flags.returnDays == 15)
            return keys.withLock { $0 } == ["return_days"]
        }
        #expect(isLoggedOnce)
    }

    @Test("shows a provider whose details an explanation has")
    func details() {
        let rules = RegionRules(rules: ["return_days": 30], region: "es")
        let flags = FlagsLoader(ShopFlags.self, providers: [rules])
        #expect(flags.$returnDays.resolution().variant == "es")
        #expect(flags.$returnDays.explain().description.contains("variant \"es\", TARGETING_MATCH"))
    }
}
