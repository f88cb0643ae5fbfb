import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

/// A provider with reasons for every value that counts uses.
private final class VariantProvider: FlagProvider {
    let name: String
    private let answers: Mutex<[String: FlagEvaluation]>
    let uses = Counter()

    init(name: String = "rules", _ answers: [String: FlagEvaluation]) {
        self.name = name
        self.answers = Mutex(answers)
    }

    func set(_ answer: FlagEvaluation, for key: String) { answers.withLock { $0[key] = answer } }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        _ = uses.next()
        return evaluation(for: key).value
    }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        answers.withLock { $0[key.text] } ?? FlagEvaluation(value: nil)
    }
}

private struct CheckoutFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout") var newCheckout: Bool
    @Flag(default: true, description: "The menu for developers") var debugMenu: Bool
    @Flag(default: "none", description: "A nickname") var nickname: String?
    @Flag(default: false, updatePolicy: .session, description: "A flag of the session") var pinned: Bool
}

@Suite("A provider's evaluation", .hangLimit)
struct FlagEvaluationTests {
    private let on = FlagEvaluation(value: true, variant: "on", reason: .split, metadata: ["owner": "payments"])
    private let off = FlagEvaluation(value: nil, reason: .disabled)

    @Test("is that of the provider that wins, with its reasons if it gives any")
    func winner() {
        let rules = VariantProvider(["new_checkout": on, "pinned": on])
        let memory = MemoryProvider(values: ["debug_menu": false])
        let flags = FlagsLoader(CheckoutFlags.self, providers: [memory, rules])
        let resolution = flags.$newCheckout.resolution()
        #expect(resolution.value && resolution.key == "new_checkout" && resolution.source == .provider("rules"))
        #expect(resolution.variant == "on" && resolution.reason == .split && resolution.evaluation == on)
        #expect(resolution.metadata.description == "The new checkout")
        #expect(flags.$newCheckout.resolution(from: rules).variant == "on")
        #expect(flags.$newCheckout.explain().evaluation == on)
        #expect(flags.$debugMenu.resolution().evaluation == FlagEvaluation(value: false))
        #expect(flags.$nickname.resolution().evaluation == nil, "the default won")
        #expect(flags.$nickname.explain().evaluation == nil)
        // It is pinned with the value.
        #expect(flags.pinned)
        rules.set(off, for: "pinned")
        #expect(flags.$pinned.resolution().variant == "on" && flags.$pinned.explain().evaluation?.variant == "on")
    }

    @Test("is printed in an explanation, also without a value, with its failure and its note")
    func printed() {
        var failed = FlagEvaluation(
            value: nil, reason: .error, errorCode: .parseError, errorMessage: "the rule has no operator \"iff\"")
        failed.note = "bucket 12 of 100"
        let flags = FlagsLoader(
            CheckoutFlags.self,
            providers: [
                VariantProvider(name: "first", ["new_checkout": off]), VariantProvider(["new_checkout": on]),
                VariantProvider(name: "last", ["new_checkout": failed]),
            ])
        #expect(
            flags.$newCheckout.explain().description == """
                new_checkout = true (Bool), from provider "rules" (variant "on", SPLIT): the first usable value in the chain
                  The new checkout
                    first    no value [DISABLED]
                  > rules    true [variant "on", SPLIT]
                    last     no value [ERROR, bucket 12 of 100: the rule has no operator "iff"]
                    default  false
                """)
        #expect("\(FlagEvaluation(value: true))".isEmpty)
    }

    @Test("is inspected without a use of the flag, which a read is")
    func uses() {
        let rules = VariantProvider(["new_checkout": on])
        for provider: any FlagProvider in [rules, WrappingProvider(wrappedProviders: [rules])] {
            let flags = FlagsLoader(CheckoutFlags.self, providers: [provider])
            let before = rules.uses.count
            _ = (flags.$newCheckout.resolution(), flags.$newCheckout.resolution(from: provider))
            _ = (flags.$newCheckout.explain(), flags.flag(at: "new_checkout")?.explain())
            _ = (flags.flag(at: "new_checkout")?.value, "\(flags.$newCheckout)", flags.snapshot())
            #expect(rules.uses.count == before)
            _ = flags.newCheckout
            let afterReading = rules.uses.count
            #expect(afterReading > before)
            _ = flags.$newCheckout.flagValue(fromProviderNamed: provider.name)
            #expect(rules.uses.count > afterReading)
            // A pinned value is used once a session.
            let uses = [flags.pinned, flags.pinned].map { _ in rules.uses.count }
            #expect(flags.pinned == false && rules.uses.count == uses[0])
        }
    }
}
