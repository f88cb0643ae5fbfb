import Foundation
import Tackline
import TacklineManifest
import TacklineTestSupport
import Testing

private struct Bounded: FlagCollectionProtocol {
    @Flag(default: 3, in: 1...10) var attempts: Int
    @Flag(default: 0.5, in: 0...1) var share: Double
    @Flag(default: .seconds(5), in: .zero ... .seconds(60)) var timeout: Duration
    @Flag(default: "list", among: ["list", "grid"]) var layout: String
    @Flag(default: "de", matching: /[a-z]{2}/) var language: String
    @Flag(default: Date(timeIntervalSince1970: 0), in: Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 10))
    var day: Date
    @Flag(default: nil, in: 1...5) var level: Int?
    @Flag(default: 7) var free: UInt8
}

@Suite("The bounds of flags in a manifest")
struct ManifestBoundsTests {
    @Test("are those of the declarations, also after the manifest was written and read")
    func roundTrip() throws {
        let manifest = FlagManifest(FlagsLoader(Bounded.self, providers: []))
        let read = try FlagManifest(json: Array(manifest.jsonText().utf8))
        #expect(read == manifest)
        let types = Dictionary(uniqueKeysWithValues: read.allFlags.map { ($0.key, $0.type) })
        #expect(types["attempts"]?.range == 1...10 && types["level"]?.range == 1...5 && types["free"]?.range == 0...255)
        #expect(types["layout"]?.cases == ["list", "grid"])
        #expect(types["language"]?.phrase == "a text that matches [a-z]{2}")
        let values: [(String, good: EncodedFlagValue, bad: EncodedFlagValue)] = [
            ("attempts", 10, 11), ("share", 1, 1.5), ("timeout", 60, 60.5), ("layout", "grid", "table"),
            ("language", "fr", "french"),
            ("day", "1970-01-01T00:00:10Z", "1970-01-01T00:00:11Z"), ("level", .null, 6), ("free", 255, 256),
        ]
        for (key, good, bad) in values {
            let type = try #require(types[key])
            #expect(throws: Never.self, "\(key)") { try type.normalized(good) }
            #expect(throws: FlagValueError.self, "\(key)") { try type.normalized(bad) }
        }
    }

    @Test("are refused with their place if a manifest has a pattern that can't be used")
    func badPattern() {
        let text = """
            {"tacklineManifest": 1, "collections": [{"separator": "/", "flags":
            [{"key": "language", "type": {"kind": "string", "pattern": "(a"}}]}]}
            """
        #expect {
            try FlagManifest(json: Array(text.utf8))
        } throws: {
            "\($0)".contains("pattern") && "\($0)".contains("a \")\" is missing at character 3")
        }
    }
}
