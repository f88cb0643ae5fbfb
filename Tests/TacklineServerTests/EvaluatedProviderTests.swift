import TacklineCore
import TacklineMemory
import TacklineServer
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A provider whose evaluations are told", .hangLimit)
struct EvaluatedProviderTests {
    @Test("tells each read of a flag that is evaluated for a request, with variant and reason")
    func requests() throws {
        let told = Told<String>()
        let provider = EvaluatedProvider(try ServerFlags.provider()) { key, answer in
            told.add("\(key) \(answer.details?.variant ?? "") \(answer.details?.reason.rawValue ?? "")")
        }
        let flags = FlagsLoader(ServerFlags.self, providers: [provider])
        for plan in ["gold", "plain", "gold"] {
            withEvaluationContext(["targetingKey": "ada", "plan": .string(plan)]) { _ = flags.newCheckout }
        }
        #expect(
            told.all == [
                "new_checkout on TARGETING_MATCH", "new_checkout off TARGETING_MATCH",
                "new_checkout on TARGETING_MATCH",
            ])
    }

    @Test("reports each read once, with its details, and the exposure is recorded once")
    func once() async throws {
        let told = Told<String?>()
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        let provider = EvaluatedProvider(try ServerFlags.provider(exposures: recorder)) { _, answer in
            told.add(answer.details?.variant)
        }
        let flags = FlagsLoader(ServerFlags.self, providers: [provider])
        for user in ["ada", "bob", "ada"] {
            withEvaluationContext(["targetingKey": .string(user), "plan": "gold"]) { #expect(flags.newCheckout) }
        }
        await recorder.flush()
        #expect(told.all == ["on", "on", "on"])
        #expect(recording.exposed.all.map(\.variant) == ["on", "on"], "one for each user")
    }

    @Test("uses the provider once for a read, and inspects it for the details")
    func uses() {
        let counting = CountingProvider()
        let told = Told<String?>()
        let provider = EvaluatedProvider(counting) { _, answer in told.add(answer.details?.variant) }
        let flags = FlagsLoader(ServerFlags.self, providers: [provider])
        for _ in 0..<3 { #expect(flags.newCheckout) }
        #expect(counting.uses.all.count == 3)
        #expect(told.all == ["on", "on", "on"])
        _ = flags.$newCheckout.explain()
        #expect(counting.uses.all.count == 3 && told.all.count == 3)
    }

    /// A provider that is asked at each read and counts its uses.
    private struct CountingProvider: FlagProvider {
        let uses = Told<FlagKeyPath>()

        func value(for key: FlagKeyPath) -> EncodedFlagValue? {
            uses.add(key)
            return true
        }

        func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
            DetailedFlagValue(value: true, details: FlagResolutionDetails(variant: "on", reason: .static))
        }
    }

    /// An observer that keeps the exposures.
    private struct Recording: ExposureObserver {
        let exposed = Told<FlagExposure>()
        func observe(_ exposures: [FlagExposure]) async { for exposure in exposures { exposed.add(exposure) } }
    }

    @Test("tells what a loader keeps once for each change, or at each read where that is asked for")
    func keptValues() {
        for everyRead in [false, true] {
            let told = Told<EncodedFlagValue?>()
            let memory = MemoryProvider(values: ["page_size": 50])
            let provider = EvaluatedProvider(memory, everyRead: everyRead) { _, answer in told.add(answer.value) }
            let flags = FlagsLoader(ServerFlags.self, providers: [provider])
            for _ in 0..<3 { #expect(flags.pageSize == 50) }
            memory.setValue(60, for: "page_size")
            for _ in 0..<3 { #expect(flags.pageSize == 60) }
            #expect(told.all == (everyRead ? [50, 50, 50, 60, 60, 60] : [50, 60]))
            #expect(!flags.newCheckout, "what is absent is told nothing of")
            #expect(told.all.count == (everyRead ? 6 : 2))
        }
    }

    @Test("tells nothing of looks, and leaves exposures to the provider")
    func looks() async throws {
        let recording = Recording()
        let told = Told<FlagKeyPath>()
        let recorder = ExposureRecorder(observer: recording)
        let provider = EvaluatedProvider(try ServerFlags.provider(exposures: recorder)) { key, _ in told.add(key) }
        let flags = FlagsLoader(ServerFlags.self, providers: [provider])
        withEvaluationContext(["targetingKey": "ada", "plan": "gold"]) {
            #expect(flags.$newCheckout.explain().source == .provider("rules"))
            #expect(flags.$newCheckout.resolution().variant == "on")
            _ = flags.snapshot()
        }
        await recorder.flush()
        #expect(told.all.isEmpty && recording.exposed.all.isEmpty)
        withEvaluationContext(["targetingKey": "ada", "plan": "gold"]) { _ = flags.newCheckout }
        await recorder.flush()
        #expect(told.all == ["new_checkout"] && recording.exposed.all.map(\.variant) == ["on"])
    }

    @Test("keeps the rules of providers")
    func conformance() async {
        for everyRead in [false, true] {
            await FlagProviderConformance(holding: ["a/b": 1]) {
                EvaluatedProvider(MemoryProvider(values: ["a": ["b": 1]]), everyRead: everyRead) { _, _ in }
            }.expectConformance()
        }
    }

    @Test("leaves flags secret that are, their parts, and what they are in")
    func secrets() {
        let secrets = SecretFlagKeys(of: ServerFlags.self)
        for key in ["token", "token/part", "group", "group/hidden"] {
            #expect(secrets.contains(FlagKeyPath(key)), "\(key)")
        }
        for key in ["new_checkout", "tokens", "group/other"] { #expect(!secrets.contains(FlagKeyPath(key)), "\(key)") }
        #expect(!SecretFlagKeys.none.contains("token"))
    }
}
