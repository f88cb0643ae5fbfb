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

    @Test("a provider whose source announces its changes")
    func closures() async {
        for kind in SourceProvider.allCases {
            await closures(kind: kind)
        }
    }

    private func closures(kind: SourceProvider) async {
        let sources = Sources()
        var suite = FlagProviderConformance(holding: Self.held) {
            let source = FakeSource(Self.document)
            return sources.remember(kind.make(source), source)
        }
        suite.change = { provider, values in sources.source(of: provider)?.set(values) }
        let report = await suite.report()
        #expect(report.failures.isEmpty)
        let passed = report.passed
        #expect(
            passed.contains(.completeNotices) && passed.contains(.unchangedValues) && passed.contains(.everyObserver)
                && passed.contains(.weakObservers) && passed.contains(.everyValueType))
    }

    @Test("one whose source calls back although nothing differs")
    func chatty() async {
        let sources = Sources()
        var suite = FlagProviderConformance(holding: Self.held) {
            let source = FakeSource(Self.document, isChatty: true)
            return sources.remember(SourceProvider.together.make(source), source)
        }
        suite.change = { provider, values in sources.source(of: provider)?.set(values) }
        await suite.expectConformance()
    }

    @Test("one around an SDK that only says whether a name is active, with the part for read-only providers")
    func isActive() async {
        let suite = FlagProviderConformance(holding: ["on": true, "off": false]) {
            let source = FakeSource(["on": true, "off": false])
            return ClosureProvider(
                values: {
                    Dictionary(uniqueKeysWithValues: ["on", "off"].map { ($0, .bool(source.isActive($0))) })
                }, observe: { source.observe($0) })
        }
        let report = await suite.report()
        #expect(report.failures.isEmpty)
        let passed = report.passed
        #expect(passed == [.name, .absentKeys, .heldValues, .document, .weakObservers])
    }

    @Test("one whose changes the app announces")
    func announcedByApp() async {
        for kind in SourceProvider.allCases {
            await announcedByApp(kind: kind)
        }
    }

    private func announcedByApp(kind: SourceProvider) async {
        let sources = Sources()
        var suite = FlagProviderConformance(holding: Self.held) {
            let source = FakeSource(Self.document)
            return sources.remember(kind.make(source, isObserved: false, announcesChanges: true), source)
        }
        suite.change = { provider, values in
            guard let source = sources.source(of: provider), source.setSilently(values) else { return }
            (provider as? ClosureProvider)?.valuesDidChange()
        }
        let report = await suite.report()
        #expect(report.failures.isEmpty)
        let passed = report.passed
        #expect(
            passed.contains(.completeNotices) && passed.contains(.unchangedValues) && passed.contains(.everyObserver))
    }

    @Test("one that announces no changes, with the part for read-only providers")
    func askedAtEachRead() async {
        for kind in SourceProvider.allCases {
            await askedAtEachRead(kind: kind)
        }
    }

    private func askedAtEachRead(kind: SourceProvider) async {
        let suite = FlagProviderConformance(holding: Self.held) {
            kind.make(FakeSource(Self.document), isObserved: false)
        }
        await suite.expectConformance()
    }

    @Test("one that can be written to, whether it announces changes or not")
    func writable() async {
        // At the same time, because several checks take as long as they are given.
        await withTaskGroup(of: Void.self) { group in
            for announcesChanges in [true, false] {
                group.addTask { await writable(announcesChanges: announcesChanges) }
            }
        }
    }

    private func writable(announcesChanges: Bool) async {
        let suite = FlagProviderConformance(holding: Self.held) {
            let source = FakeSource(Self.document)
            return WritableClosureProvider(
                value: { source.value(for: $0) }, set: { value, key in source.setSilently([key: value]) },
                announcesChanges: announcesChanges)
        }
        let report = await suite.report()
        #expect(report.failures.isEmpty)
        let passed = report.passed
        #expect(passed.contains(.completeNotices) == announcesChanges)
        #expect(passed.contains(.unchangedValues) == announcesChanges)
    }

    @Test("UnimplementedProvider")
    func unimplemented() async {
        let suite = FlagProviderConformance { UnimplementedProvider(issueReporter: .silent) }
        await suite.expectConformance()
    }
}
