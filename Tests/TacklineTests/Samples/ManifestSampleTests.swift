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

    @Test("shows the manifest that its code exports")
    func manifest() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try ManifestSamples.export(to: url)
        let exported = try Data(contentsOf: url)
        let guide = try Self.read("Docs/Tackline.docc/CheckingFlags.md")
        let block = try #require(guide.components(separatedBy: "`manifest.json`:\n\n```json\n").last)
        let shown = try FlagManifest(json: Data(try #require(block.components(separatedBy: "\n```").first).utf8))
        #expect(try shown == FlagManifest(json: exported))
    }
}
