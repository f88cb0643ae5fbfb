import TacklineCore
import TacklineTestSupport
import Testing

/// The resolution order is one table: its rows are the situations of ``ResolutionCase``, and its columns are these.
@Suite("The resolution order", .hangLimit)
struct ResolutionOrderTests {
    /// What a reading finds. A part that it doesn't tell is `nil`.
    struct Found {
        var value: EncodedFlagValue?
        var source: FlagSource?
    }

    /// A kind of reading.
    struct Reading: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Reads the flag in a situation, or returns `nil` if the kind has nothing to find in it.
        let read: @Sendable (ResolutionFixture, ResolutionCase) async throws -> Found?

        init(
            _ name: String, _ read: @escaping @Sendable (ResolutionFixture, ResolutionCase) async throws -> Found?
        ) {
            (testDescription, self.read) = (name, read)
        }
    }

    static let readings: [Reading] = [
        Reading("a read") { fixture, _ in Found(value: encoded(fixture.read())) },
        Reading("a second read") { fixture, _ in Found(value: encoded((fixture.read(), fixture.read()).1)) },
        Reading("a read through the handle") { fixture, _ in Found(value: encoded(fixture.handle.value)) },
        Reading("resolution()") { fixture, _ in found(fixture.handle.resolution()) },
        Reading("resolution(from:)") { fixture, example in
            fixture.winner(of: example).map { found(fixture.handle.resolution(from: $0)) }
        },
        Reading("flagValue(from:)") { fixture, example in
            fixture.winner(of: example).map { Found(value: fixture.handle.flagValue(from: $0).map(encoded)) }
        },
        Reading("flagValue(fromProviderNamed:)") { fixture, example in
            fixture.winner(of: example).map {
                Found(value: fixture.handle.flagValue(fromProviderNamed: $0.name).map(encoded))
            }
        },
        Reading("explain()") { fixture, example in
            let explanation = fixture.handle.explain()
            #expect(explanation.providers.compactMap(\.provider) == fixture.loader.providers.map(\.name))
            #expect(explanation.defaultValue == 0 && explanation.steps.last?.source == .default)
            #expect(explanation.description.contains("\n  > \(example.winningRow) "))
            return Found(value: explanation.value, source: explanation.source)
        },
        Reading("explain() of the untyped handle") { fixture, _ in
            let explanation = fixture.untyped.explain()
            return Found(value: explanation.value, source: explanation.source)
        },
        Reading("the value of the untyped handle") { fixture, _ in Found(value: fixture.untyped.value) },
        Reading("the descriptions") { fixture, example in
            let line = "\(fixture.key) = \(example.value) (\(example.source))"
            #expect("\(fixture.handle)" == line && "\(fixture.untyped)" == line)
            #expect(fixture.loader.debugDescription.contains("\n  \(line)"))
            return nil
        },
        Reading("snapshot()") { fixture, _ in
            let entry = fixture.loader.snapshot().entries[fixture.key]
            return Found(value: entry?.value, source: entry?.source)
        },
        Reading("values") { fixture, _ in
            var values = fixture.handle.values.makeAsyncIterator()
            return Found(value: await values.next(isolation: nil).map(encoded))
        },
        Reading("an observer") { fixture, _ in
            _ = fixture.read()
            return fixture.observer[fixture.key].map { Found(value: $0.value, source: $0.source) }
        },
        Reading("the preview of a write elsewhere") { fixture, example in
            let preview = fixture.loader.core.preview(fixture.untyped.ordinal, ifProvider: "elsewhere", has: 99)
            #expect(preview.isPinned == (example.winningRow == "pinned"))
            return Found(value: preview.value, source: preview.source)
        },
    ]

    @Test("gives every kind of reading the same value and source, also of a case of an enum", arguments: readings)
    func reading(_ reading: Reading) async throws {
        for subject in [ResolutionFixture.Subject.property, .feature] {
            for example in ResolutionCase.all where subject == .property || example.fitsFeature {
                let fixture = try ResolutionFixture(example, subject)
                try await fixture.run(example) {
                    guard let found = try await reading.read(fixture, example) else { return }
                    #expect(found.value == Self.encoded(example.value), "\(example)")
                    if let source = found.source { #expect(source == example.source, "\(example)") }
                }
            }
        }
    }

    @Test("gives consumers of changes the same value, outside of scopes")
    func changes() async throws {
        for example in ResolutionCase.all where example.scoped == nil {
            let fixture = try ResolutionFixture(example)
            let queue = try #require(fixture.loader.root.changeQueue())
            try await fixture.run(example) {
                var last = Found(value: 0)
                while let change = queue.nextWithoutWaiting() {
                    // The other flags have changes, too.
                    guard change.flag.keyPath == fixture.key else { continue }
                    #expect(change.old.encoded == last.value, "\(example)")
                    last = Found(value: change.new.encoded, source: change.source)
                }
                #expect(last.value == Self.encoded(example.value), "\(example)")
                // A change of the source alone is no change.
                if last.value != 0 { #expect(last.source == example.source, "\(example)") }
            }
        }
    }

    private static func encoded(_ value: Int) -> EncodedFlagValue { .integer(Int128(value)) }

    private static func found(_ resolution: FlagResolution<Int>) -> Found {
        Found(value: encoded(resolution.value), source: resolution.source)
    }
}
