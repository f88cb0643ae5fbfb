import TacklineCore
import TacklineTestSupport
import Testing

private struct ReportingProvider: FlagProvider {
    let name: String
    let status: FlagProviderStatus
    var number: EncodedFlagValue? = 5
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { number }
}

private struct NumberFlags: FlagCollectionProtocol {
    @Flag(default: 0) var number: Int
}

@Suite("The status of a provider")
struct FlagProviderStatusTests {
    private static let failure = FlagError(
        .network, provider: "remote", reason: "the host does not answer", advice: "Check the connection")

    @Test("is printed in words, with an age in its largest whole unit, and is ready unless the provider implements it")
    func text() {
        struct Plain: FlagProvider { func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil } }
        #expect(Plain().status == .ready && Plain().name == "Plain")
        let cases: [(FlagProviderStatus, String)] = [
            (FlagProviderStatus.ready, "ready"), (.notReady, "not ready"),
            (.stale(age: .seconds(1029.487390607759)), "stale for 17 minutes"),
            (.stale(age: .seconds(1.9)), "stale for 1 second"), (.stale(age: .seconds(119)), "stale for 119 seconds"),
            (.stale(age: .seconds(120)), "stale for 2 minutes"), (.stale(age: .seconds(10_800)), "stale for 3 hours"),
            (.stale(age: .seconds(180_000)), "stale for 2 days"), (.stale(age: .seconds(-5)), "stale for 0 seconds"),
        ]
        for (status, text) in cases { #expect("\(status)" == text, "\(status)") }
    }

    @Test("appears in explanations and does not affect which value is used")
    func explanation() {
        let failed = ReportingProvider(name: "failed", status: .failed(Self.failure))
        let pending = ReportingProvider(name: "pending", status: .notReady, number: nil)
        let old = ReportingProvider(name: "old", status: .stale(age: .seconds(1100)))
        let flags = FlagsLoader(NumberFlags.self, providers: [pending, old, failed])
        #expect(flags.number == 5 && flags.$number.resolution().source == .provider("old"))
        #expect(
            flags.$number.explain().description == """
                number = 5 (Int), from provider "old": the first usable value in the chain
                    pending  no value (not ready)
                  > old      5 (stale for 18 minutes)
                    failed   5 (failed: Provider "remote": the host does not answer. Check the connection. [network])
                    default  0
                """)
        flags.providers = [failed, old]
        #expect(flags.$number.resolution().source == .provider("failed"))
    }
}
