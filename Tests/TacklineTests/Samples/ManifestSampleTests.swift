import Foundation
import Tackline
import TacklineManifest
import Testing

@Suite("The guide on the command-line tool")
struct ManifestSampleTests {
    private static func read(_ path: String) throws -> String {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        return try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines without their indentation.
    private static func trimmed(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test("shows only code that is compiled")
    func compiled() throws {
        let source = Self.trimmed(try Self.read("Tests/TacklineTests/Samples/ManifestSamples.swift"))
        let guide = try Self.read("Docs/Tackline.docc/CommandLine.md")
        let parts = guide.components(separatedBy: "```swift\n").dropFirst()
        #expect(parts.count == 2)
        for part in parts {
            let code = try #require(part.components(separatedBy: "\n```").first)
            #expect(source.contains("\n" + Self.trimmed(code) + "\n"), "\(code)")
        }
    }

    @Test("shows the manifest that its code exports")
    func manifest() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try ManifestSamples.export(to: url)
        let exported = try String(contentsOf: url, encoding: .utf8)
        let guide = try Self.read("Docs/Tackline.docc/CommandLine.md")
        let block = try #require(guide.components(separatedBy: "`manifest.json`:\n\n```json\n").last)
        let shown = try FlagManifest(json: Array(try #require(block.components(separatedBy: "\n```").first).utf8))
        #expect(try shown == FlagManifest(json: Array(exported.utf8)))
    }
}
