import Synchronization
import TacklineClosure
import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("The provider conformance suite passes", .hangLimit)
struct ClosureConformanceTests {
    private static let document: [String: EncodedFlagValue] = [
        "flat/key": true, "nested": ["key": 1], "both/key": "flat", "both": ["key": "nested"],
    ]
    private static let held: [FlagKeyPath: EncodedFlagValue] = ["flat/key": true, "nested/key": 1, "both/key": "flat"]

    @Test("a provider whose source announces its changes, also where nothing differs")
    func announcing() async {
        for kind in SourceProvider.allCases {
            let sources = Mutex<[ObjectIdentifier: FakeSource]>([:])
            var suite = FlagProviderConformance(holding: Self.held) {
                let source = FakeSource(Self.document, isChatty: kind == .together)
                let provider = kind.make(source)
                sources.withLock { $0[ObjectIdentifier(provider)] = source }
                return provider
            }
            suite.change = { provider, values in
                sources.withLock { $0[ObjectIdentifier(provider as AnyObject)] }?.set(values)
            }
            await suite.expectConformance()
        }
    }

    @Test("one that announces no changes, and one that can be written to, whether it announces changes or not")
    func askedAtEachRead() async {
        await FlagProviderConformance(holding: Self.held) {
            let source = FakeSource(Self.document)
            return ClosureProvider { source.value(for: $0) }
        }.expectConformance()
        for isObserved in [true, false] {
            await FlagProviderConformance(holding: Self.held) {
                let source = FakeSource(Self.document)
                return WritableClosureProvider(
                    value: { source.value(for: $0) }, set: { value, key in source.setSilently([key: value]) },
                    observe: isObserved ? source.observe : nil)
            }.expectConformance()
        }
    }
}
