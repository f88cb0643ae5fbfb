import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("The guide on the flag browser", .hangLimit) struct BrowserGuideTests {
    @Test("shows only code that is compiled")
    func compiled() throws {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        let source = try Self.samples(in: package.appendingPathComponent("Tests").resolvingSymlinksInPath())
        let guide = package.appendingPathComponent("Docs/Tackline.docc/FlagBrowser.md")
        let parts = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
        #expect(parts.count >= 8)
        for part in parts {
            let code = try #require(part.components(separatedBy: "\n```").first)
            #expect(source.contains("\n" + Self.trimmed(code) + "\n"), "\(code)")
        }
    }

    @Test("shows code that does what it says")
    func running() async throws {
        let overrides = MemoryProvider(name: "overrides", values: ["new_checkout": true])
        var samples = BrowserSamples(providers: [overrides])
        let browser = samples.making()
        #expect(samples.seeing(browser).map(\.key) == ["new_checkout"])
        #expect(samples.lines.first?.hasPrefix("new_checkout true from provider \"overrides\" because") == true)
        try await samples.editing(browser)
        #expect(samples.lines.suffix(2).first?.hasPrefix("The flag becomes 5") == true)
        #expect(
            samples.lines.last == """
                Flag "attempts" was not written: expected an integer from 0 to 255, found "many". Nothing has changed.
                """)
        #expect(samples.userFlags.attempts == 3)
    }

    /// The text of every file of samples: those whose name says so, and those that are checked against stubs.
    private static func samples(in folder: URL) throws -> String {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix("Samples.swift") || $0.hasPrefix("Stubs/Samples/")
        }
        return try files.sorted().map { file in
            "\n" + trimmed(try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)) + "\n"
        }.joined()
    }

    /// The lines without their indentation.
    private static func trimmed(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}
