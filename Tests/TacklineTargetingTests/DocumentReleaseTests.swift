import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("A document that is replaced", .hangLimit)
struct DocumentReleaseTests {
    /// Reads the provider when it is released.
    private final class Witness: Sendable {
        let time: Int64 = 1
        private let read: @Sendable () -> Void

        init(_ read: @escaping @Sendable () -> Void) { self.read = read }

        deinit { read() }
    }

    @Test("is released where no read waits for it")
    func release() throws {
        let text = #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": VALUE}, "defaultVariant": "on"}}}"#
        let provider = DefinitionsProvider(
            try FlagDefinitions(json: text.replacing("VALUE", with: "1")), context: .fixed(EvaluationContext()))
        let seen = Mutex<[EncodedFlagValue?]>([])
        do {
            let witness = Witness { [weak provider] in
                let value = provider?.value(for: "a")
                seen.withLock { $0.append(value) }
            }
            let second = text.replacing("VALUE", with: "2")
            provider.update(try FlagDefinitions(json: second, timestamp: { witness.time }))
        }
        provider.update(try FlagDefinitions(json: text.replacing("VALUE", with: "3")))
        // A read under a lock that it takes itself would never end.
        let values = seen.withLock { $0 }
        #expect(values == [3])
    }
}
