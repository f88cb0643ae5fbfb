import Foundation
import Tackline
import TacklineManifest
import TacklineTestSupport
import Testing

private struct Bounded: FlagCollectionProtocol {
    @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
    @Flag(default: 0.5, bounds: .range(0...1)) var share: Double
    @Flag(default: .seconds(5), bounds: .range(.zero ... .seconds(60))) var timeout: Duration
    @Flag(default: "list", bounds: .oneOf(["list", "grid"])) var layout: String
    @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String
    @Flag(
        default: Date(timeIntervalSince1970: 0),
        bounds: .range(Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 10)))
    var day: Date
    @Flag(default: nil, bounds: .range(1...5)) var level: Int?
    @Flag(default: 7) var free: UInt8
}

private struct Ordered: FlagCollectionProtocol {
    /// The order of the cases is not that of their texts.
    enum Level: String, FlagValue, CaseIterable, Comparable {
        case low, middle, high, top
        static func < (left: Level, right: Level) -> Bool { place(left) < place(right) }
        private static func place(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
    }

    /// The greatest number is the lowest rank.
    struct Rank: RawRepresentable, FlagValue, Comparable {
        var rawValue: Int
        static func < (left: Rank, right: Rank) -> Bool { left.rawValue > right.rawValue }
    }

    @Flag(default: .low, bounds: .range(.low ... .high)) var level: Level
    @Flag(default: Rank(rawValue: 5), bounds: .range(Rank(rawValue: 9)...Rank(rawValue: 1))) var rank: Rank
    @Flag(default: 0.0, bounds: .oneOf([0.0, 1.0])) var weight: Double
    @Flag(default: nil, bounds: .oneOf(["list", "grid"])) var layout: String?
}

@Suite("The bounds of flags in a manifest")
struct ManifestBoundsTests {
    @Test("are those of the declarations, also after the manifest was written and read")
    func roundTrip() throws {
        let manifest = FlagManifest(FlagsLoader(Bounded.self, providers: []))
        let read = try FlagManifest(json: manifest.jsonData())
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

    @Test("take no value from a flag that the flag itself takes")
    func sameAsFlag() throws {
        let flags = FlagsLoader(Ordered.self, providers: [])
        let types = FlagManifest(flags).allFlags
        let values: [(String, [EncodedFlagValue])] = [
            ("level", ["low", "middle", "high"]), ("rank", [9, 5, 1]), ("weight", [.double(-0.0), .double(0.0)]),
            ("layout", [.null, "grid"]),
        ]
        for (key, values) in values {
            let type = try #require(types.first { $0.key == key }?.type)
            let handle = try #require(flags.flag(at: FlagKeyPath(key)))
            for value in values {
                #expect(throws: Never.self, "\(key) \(value)") { try handle.normalized(value) }
                #expect(throws: Never.self, "\(key) \(value)") { try type.normalized(value) }
            }
        }
        let level = try #require(types.first { $0.key == "level" }?.type)
        #expect(level.cases == ["low", "middle", "high"])
        #expect(throws: FlagValueError.self) { try level.normalized("top") }
    }
}
