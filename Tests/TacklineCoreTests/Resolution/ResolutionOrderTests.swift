import TacklineCore
import TacklineTestSupport
import Testing

@Suite("The resolution order", .hangLimit)
struct ResolutionOrderTests {
    @Test("gives every kind of reading the same value and source")
    func readings() async throws {
        for example in ResolutionCase.all {
            try await expectAgreement(ResolutionFixture(example), example)
        }
    }

    @Test("is the same for a case of an enum")
    func features() async throws {
        for example in ResolutionCase.all where example.fitsFeature {
            try await expectAgreement(ResolutionFixture(example, .feature), example)
        }
    }

    private func expectAgreement(_ fixture: ResolutionFixture, _ example: ResolutionCase) async throws {
        let encoded = EncodedFlagValue.integer(Int128(example.value))
        let line = "\(fixture.key) = \(encoded) (\(example.source))"
        try await fixture.run(example) {
            let (handle, untyped) = (fixture.handle, fixture.untyped)
            // Inspections come first, because a read may pin the value.
            let resolution = handle.resolution()
            #expect(resolution.value == example.value && resolution.source == example.source, "resolution")
            for explanation in [handle.explain(), untyped.explain()] {
                #expect(explanation.value == encoded && explanation.source == example.source, "explanation")
                let names = fixture.loader.providers.map(\.name)
                #expect(explanation.providers.compactMap(\.provider) == names, "every provider")
                #expect(explanation.defaultValue == 0 && explanation.steps.last?.source == .default, "default")
                #expect(explanation.description.contains("\n  > \(example.winningRow) "), "explanation as text")
            }
            #expect("\(handle)" == line, "description of the handle")
            #expect(untyped.value == encoded, "untyped value")
            #expect("\(untyped)" == line, "description of the untyped handle")
            #expect(fixture.loader.debugDescription.contains("\n  \(line)"), "description of the loader")
            let snapshot = fixture.loader.snapshot().entries[fixture.key]
            #expect(snapshot == FlagSnapshot.Entry(value: encoded, source: example.source), "snapshot")
            let preview = fixture.loader.core.preview(untyped.ordinal, ifProvider: "not in the chain", has: 99)
            #expect(preview.value == encoded && preview.source == example.source, "preview")
            #expect(preview.isPinned == (example.winningRow == "pinned"), "preview")
            expectProviderAgrees(fixture, example)
            #expect(fixture.read() == example.value && fixture.read() == example.value, "read")
            #expect(handle.value == example.value, "read by the handle")
            let observed = fixture.observer[fixture.key]
            #expect(observed?.value == encoded && observed?.source == example.source, "observer")
            var values = handle.values.makeAsyncIterator()
            let first = await values.next(isolation: nil)
            #expect(first == example.value, "values")
        }
    }

    /// Expects that the winning provider alone gives the same answer, unless its value is pinned.
    private func expectProviderAgrees(_ fixture: ResolutionFixture, _ example: ResolutionCase) {
        guard case .provider(let id) = example.source, example.winningRow == id else { return }
        let resolution = fixture.handle.resolution(fromProviderNamed: id)
        #expect(resolution.value == example.value && resolution.source == example.source, "resolution from a provider")
        #expect(fixture.handle.flagValue(fromProviderNamed: id) == example.value, "value from a provider")
    }

    @Test("gives consumers of changes the same value, outside of scopes")
    func changes() async throws {
        for example in ResolutionCase.all where example.scoped == nil {
            let fixture = try ResolutionFixture(example)
            let queue = try #require(fixture.loader.root.changeQueue())
            try await fixture.run(example) {
                var last: EncodedFlagValue? = 0
                var source = FlagSource.default
                while let change = queue.nextWithoutWaiting() {
                    // The other flags have changes, too.
                    guard change.flag.keyPath == fixture.key else { continue }
                    #expect(change.old.encoded == last, "\(example)")
                    (last, source) = (change.new.encoded, change.source)
                }
                #expect(last == .integer(Int128(example.value)), "\(example)")
                // A change of the source alone is no change.
                if last != 0 { #expect(source == example.source, "\(example)") }
            }
        }
    }
}
