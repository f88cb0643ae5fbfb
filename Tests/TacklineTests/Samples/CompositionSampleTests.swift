import Foundation
import Tackline
import Testing

@Suite("The guides on composition")
struct CompositionSampleTests {
    /// A guide, or what of it comes after a heading, and the file in which its code stands.
    struct Guide: Sendable, CustomTestStringConvertible {
        let name: String
        var heading = ""
        let samples: String

        var testDescription: String { name }
    }

    @Test(
        "show only code that is compiled",
        arguments: [
            Guide(name: "Composition.md", samples: "CompositionSamples.swift"),
            Guide(name: "Overrides.md", samples: "CompositionSamples.swift"),
            Guide(name: "Sessions.md", samples: "SessionSamples.swift"),
            Guide(name: "FromABooleanToARollout.md", samples: "FromABooleanSamples.swift"),
            Guide(name: "WritingAProvider.md", heading: "## Closures", samples: "VendorSamples.swift"),
        ])
    func compiled(guide: Guide) throws {
        let file = URL(fileURLWithPath: #filePath)
        let samples = file.deletingLastPathComponent().appendingPathComponent(guide.samples)
        var package = file
        for _ in 0..<4 { package.deleteLastPathComponent() }
        let docs = package.appendingPathComponent("Docs/Tackline.docc").appendingPathComponent(guide.name)
        let source = "\n" + Self.trimmed(try String(contentsOf: samples, encoding: .utf8)) + "\n"
        var text = try String(contentsOf: docs, encoding: .utf8)
        if !guide.heading.isEmpty { text = try String(text[#require(text.range(of: guide.heading)).lowerBound...]) }
        let parts = text.components(separatedBy: "```swift\n").dropFirst()
        #expect(!parts.isEmpty)
        for part in parts {
            let code = try #require(part.components(separatedBy: "\n```").first)
            let isCompiled = source.contains("\n" + Self.trimmed(code) + "\n")
            #expect(isCompiled, "\(code)")
        }
    }

    @Test("show code that does what they say")
    func running() throws {
        let samples = CompositionSamples()
        let names = samples.chains().map { $0.providers.map(\.name) }
        #expect(names[1] == ["test values", "EU rules", "a", "b", "remote", "region defaults"])
        #expect(names[2] == ["forced values", "demo values", "test values", "region defaults"])
        #expect(samples.changing().providerIDs == ["demo values", "remote"])
        let configured = samples.configurations()
        try configured.validate()
        #expect(configured.newCheckout && configured.debugMenu && configured.maxAttempts == 5)
        #expect(samples.features() && !samples.inside())
    }

    /// The lines without their indentation.
    private static func trimmed(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}
