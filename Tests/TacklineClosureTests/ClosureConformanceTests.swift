import Synchronization
import TacklineClosure
import TacklineCore
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("The provider conformance suite passes", .hangLimit)
struct ClosureConformanceTests {
    private static let document: [String: EncodedFlagValue] = [
        "flat/key": true, "nested": ["key": 1], "both/key": "flat", "both": ["key": "nested"],
    ]
    private static let held: [FlagKeyPath: EncodedFlagValue] = ["flat/key": true, "nested/key": 1, "both/key": "flat"]

    /// Remembers the source of each provider.
    private final class Sources: Sendable {
        private let all = Mutex<[ObjectIdentifier: (any FlagProvider, FakeSource)]>([:])

        func remember(_ provider: any FlagProvider, _ source: FakeSource) -> any FlagProvider {
            all.withLock { $0[ObjectIdentifier(provider as AnyObject)] = (provider, source) }
            return provider
        }

        func source(of provider: any FlagProvider) -> FakeSource? {
            all.withLock { $0[ObjectIdentifier(provider as AnyObject)]?.1 }
        }
    }

    @Test("a provider of closures and one around a vendor's SDK", arguments: SourceProvider.allCases)
    func closures(kind: SourceProvider) async {
        let sources = Sources()
        var suite = FlagProviderConformance(holding: Self.held) {
            let source = FakeSource(Self.document)
            return sources.remember(kind.make(source), source)
        }
        suite.change = { provider, values in sources.source(of: provider)?.set(values) }
        await suite.expectConformance()
        let passed = await suite.report().passed
        #expect(
            passed.contains(.completeNotices) && passed.contains(.unchangedValues) && passed.contains(.everyObserver)
                && passed.contains(.weakObservers) && passed.contains(.everyValueType))
    }

    @Test("one around a vendor's SDK that calls back although nothing differs")
    func chatty() async {
        let sources = Sources()
        var suite = FlagProviderConformance(holding: Self.held) {
            let source = FakeSource(Self.document, isChatty: true)
            return sources.remember(SourceProvider.vendor.make(source), source)
        }
        suite.change = { provider, values in sources.source(of: provider)?.set(values) }
        await suite.expectConformance()
    }

    @Test("one around an SDK that only says whether a name is active, with the part for read-only providers")
    func isActive() async {
        let suite = FlagProviderConformance(holding: ["on": true, "off": false]) {
            let source = FakeSource(["on": true, "off": false])
            return VendorProvider(
                knownNames: { Set(source.values.keys) }, isActive: { source.isActive($0) },
                observe: { source.addListener($0) }, stopObserving: { source.removeListener($0) })
        }
        await suite.expectConformance()
        let passed = await suite.report().passed
        #expect(passed == [.name, .absentKeys, .heldValues, .document, .weakObservers])
    }

    @Test("UnimplementedProvider")
    func unimplemented() async {
        let suite = FlagProviderConformance { UnimplementedProvider(issueReporter: .silent) }
        await suite.expectConformance()
    }
}
