import Tackline
import TacklineTestSupport
import Testing

@Suite("The guides on composition")
struct CompositionSampleTests {
    /// A guide, or what of it comes from a heading on, and the file in which its code stands.
    struct Guide: Sendable, CustomTestStringConvertible {
        let name: String
        var heading = ""
        let samples: String

        var testDescription: String { name }
    }

    @Test("show only code that is compiled")
    func compiled() throws {
        let cases = [
            Guide(name: "Composition.md", samples: "CompositionSamples.swift"),
            Guide(name: "Overrides.md", samples: "CompositionSamples.swift"),
            Guide(name: "Sessions.md", samples: "SessionSamples.swift"),
            Guide(name: "FromABooleanToARollout.md", samples: "FromABooleanSamples.swift"),
            Guide(name: "GradualRollout.md", samples: "GradualRolloutSamples.swift"),
            Guide(name: "RolloutsOverTime.md", samples: "RolloutsOverTimeSamples.swift"),
            Guide(name: "WritingAProvider.md", heading: "## Closures", samples: "VendorSamples.swift"),
        ]
        for guide in cases {
            let samples = try GuideSamples(
                guide: guide.name, from: guide.heading, compiledIn: ["Tests/TacklineTests/Samples/\(guide.samples)"])
            #expect(!samples.pieces.isEmpty, "\(guide)")
            #expect(samples.piecesThatAreNotCompiled == [], "\(guide)")
        }
    }

    @Test("show code that does what they say")
    func running() throws {
        let samples = CompositionSamples()
        let names = samples.chains().map { $0.map(\.name) }
        #expect(names[1] == ["test values", "EU rules", "a", "b", "remote", "region defaults"])
        #expect(names[2] == ["forced values", "demo values", "test values", "region defaults"])
        #expect(samples.changing().providerIDs == ["demo values", "remote"])
        let configured = samples.configurations()
        try configured.validate()
        #expect(configured.newCheckout && configured.debugMenu && configured.maxAttempts == 5)
        #expect(samples.features() && !samples.inside())
    }
}
