import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

/// A provider with details of every value that counts uses.
private final class VariantProvider: FlagProvider {
    let name: String
    private let answers: Mutex<[String: DetailedFlagValue]>
    private let uses = Mutex(0)

    init(name: String = "rules", _ answers: [String: DetailedFlagValue]) {
        self.name = name
        self.answers = Mutex(answers)
    }

    var useCount: Int { uses.withLock { $0 } }

    func set(_ answer: DetailedFlagValue, for key: String) { answers.withLock { $0[key] = answer } }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        uses.withLock { $0 += 1 }
        return answers.withLock { $0[key.text]?.value }
    }

    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        answers.withLock { $0[key.text] } ?? DetailedFlagValue(value: nil)
    }
}

/// A provider with the values of other providers, without details of its own.
private struct WrapperWithoutDetails: FlagProvider {
    let name: String
    let wrappedProviders: [any FlagProvider]

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        wrappedProviders.lazy.compactMap { $0.value(for: key) }.first
    }
}

private struct DetailedFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout")
    var newCheckout: Bool
    @Flag(default: true, description: "The menu for developers")
    var debugMenu: Bool
    @Flag(default: 3, description: "How often to try")
    var maxAttempts: UInt8
    @Flag(default: "none", description: "A nickname")
    var nickname: String?
}

@Suite("Details of a resolution", .hangLimit)
struct FlagResolutionDetailsTests {
    private let on = DetailedFlagValue(
        value: true, details: FlagResolutionDetails(variant: "on", reason: .split, metadata: ["owner": "payments"]))
    private let off = DetailedFlagValue(value: nil, details: FlagResolutionDetails(reason: .disabled))

    @Test("come from the provider that wins")
    func winner() {
        let rules = VariantProvider(["new_checkout": on])
        let flags = FlagsLoader(DetailedFlags.self, providers: [MemoryProvider(), rules])
        let resolution = flags.$newCheckout.resolution()
        #expect(resolution.value && resolution.source == .provider("rules"))
        #expect(resolution.variant == "on" && resolution.reason == .split)
        #expect(resolution.metadata == ["owner": "payments"])
        #expect(flags.$newCheckout.resolution(from: rules).variant == "on")
        #expect(flags.$newCheckout.explain().details == on.details)
    }

    @Test("are absent if the winner gives none")
    func absent() {
        let flags = FlagsLoader(
            DetailedFlags.self,
            providers: [MemoryProvider(values: ["new_checkout": true]), VariantProvider(["new_checkout": on])])
        let resolution = flags.$newCheckout.resolution()
        #expect(resolution.variant == nil && resolution.reason == nil && resolution.metadata.isEmpty)
        #expect(flags.$newCheckout.explain().details == nil)
        #expect(flags.$newCheckout.explain().providers.map(\.details) == [nil, on.details])
        #expect(flags.$debugMenu.resolution().details == nil)
    }

    @Test("are printed in an explanation, also for a provider without a value")
    func printed() {
        let flags = FlagsLoader(
            DetailedFlags.self,
            providers: [
                VariantProvider(name: "first", ["new_checkout": off]), VariantProvider(["new_checkout": on]),
            ])
        #expect(
            flags.$newCheckout.explain().description == """
                new_checkout = true (Bool), from provider "rules" (variant "on", SPLIT): the first usable value in the chain
                  The new checkout
                    first    no value [DISABLED]
                  > rules    true [variant "on", SPLIT]
                    default  false
                """)
    }

    @Test("include the message of a failure")
    func failure() {
        let failed = FlagResolutionDetails(
            reason: .error, errorCode: .parseError, errorMessage: "the rule has no operator \"iff\"")
        let flags = FlagsLoader(
            DetailedFlags.self,
            providers: [VariantProvider(["new_checkout": DetailedFlagValue(value: nil, details: failed)])])
        let text = flags.$newCheckout.explain().description
        #expect(text.contains("no value [ERROR: the rule has no operator \"iff\"]"))
        #expect(flags.$newCheckout.explain().details == nil, "the default won")
    }

    @Test("of a wrapper are those of the provider in it whose value it returns")
    func wrapper() {
        let rules = VariantProvider(["new_checkout": on, "debug_menu": off])
        let inner = WrapperWithoutDetails(
            name: "inner", wrappedProviders: [MemoryProvider(values: ["nickname": "x"]), rules])
        let flags = FlagsLoader(
            DetailedFlags.self,
            providers: [WrapperWithoutDetails(name: "outer", wrappedProviders: [MemoryProvider(), inner])])
        #expect(flags.$newCheckout.resolution().variant == "on")
        #expect(flags.$nickname.resolution().details == nil)
        #expect(flags.$debugMenu.explain().providers.map(\.details) == [off.details])

        let shadowed = WrapperWithoutDetails(
            name: "outer", wrappedProviders: [MemoryProvider(values: ["new_checkout": true]), rules])
        #expect(FlagsLoader(DetailedFlags.self, providers: [shadowed]).$newCheckout.resolution().variant == nil)
    }

    @Test("are absent for a provider that wraps itself")
    func endlessWrapper() {
        struct Endless: FlagProvider {
            var wrappedProviders: [any FlagProvider] { [Endless(), Endless()] }
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { true }
        }
        let flags = FlagsLoader(DetailedFlags.self, providers: [Endless()])
        #expect(flags.$newCheckout.resolution().value && flags.$newCheckout.resolution().details == nil)
    }

    @Test("are inspected without a use of the flag, which a read is")
    func uses() {
        let rules = VariantProvider(["new_checkout": on])
        for providers: [any FlagProvider] in [[rules], [WrappingProvider(wrappedProviders: [rules])]] {
            let flags = FlagsLoader(DetailedFlags.self, providers: ProviderChain(providers))
            let before = rules.useCount
            _ = flags.$newCheckout.resolution()
            _ = flags.$newCheckout.resolution(fromProviderNamed: providers[0].name)
            _ = flags.$newCheckout.explain()
            _ = flags.flag(at: "new_checkout")?.explain()
            _ = flags.flag(at: "new_checkout")?.value
            _ = "\(flags.$newCheckout)"
            _ = flags.snapshot()
            #expect(rules.useCount == before)
            _ = flags.newCheckout
            let afterReading = rules.useCount
            #expect(afterReading > before)
            _ = flags.$newCheckout.flagValue(fromProviderNamed: providers[0].name)
            #expect(rules.useCount > afterReading)
        }
    }

    @Test("are printed with their note")
    func note() {
        let details = FlagResolutionDetails(variant: "on", reason: .split, note: "bucket 12 of 100")
        #expect("\(details)" == "variant \"on\", SPLIT, bucket 12 of 100")
    }

    @Test("are pinned with the value")
    func pinned() {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: false, updatePolicy: .session) var newCheckout: Bool
        }
        let rules = VariantProvider(["new_checkout": on])
        let flags = FlagsLoader(Flags.self, providers: [rules])
        #expect(flags.newCheckout)
        rules.set(off, for: "new_checkout")
        #expect(flags.$newCheckout.resolution().variant == "on")
        #expect(flags.$newCheckout.explain().details?.variant == "on")
        flags.beginSession()
        #expect(!flags.newCheckout && flags.$newCheckout.resolution().details == nil)
    }

    @Test("belong to the value beside them while the provider changes")
    func atomicity() async {
        let rules = VariantProvider(["new_checkout": on])
        let flags = FlagsLoader(DetailedFlags.self, providers: [rules])
        let other = DetailedFlagValue(value: false, details: FlagResolutionDetails(variant: "off", reason: .static))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<2_000 { rules.set(round.isMultiple(of: 2) ? on : other, for: "new_checkout") }
            }
            group.addTask {
                for _ in 0..<2_000 {
                    let resolution = flags.$newCheckout.resolution()
                    #expect(resolution.variant == (resolution.value ? "on" : "off"))
                }
            }
        }
    }
}
