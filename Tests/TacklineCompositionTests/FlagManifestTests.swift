import Foundation
import TacklineCore
import TacklineManifest
import Testing

private enum Level: Int, FlagValue, CaseIterable { case low = 1, high = 5 }
private enum Shape: String, Codable, CaseIterable, FlagValue { case round, square }

private struct Catalog: FlagCollectionProtocol {
    @Flag(
        default: false,
        description: FlagMetadata(
            description: "A switch", isInternal: true, isLocked: true, tags: ["a", "b"], owner: "Ada",
            expiryDate: Date(timeIntervalSince1970: 1_800_000_000.25), ticket: "SHOP-1")) var plain: Bool
    @Flag(default: 7) var narrow: UInt8
    @Flag(default: .nan) var ratio: Double
    @Flag(default: nil) var nickname: String?
    @Flag(default: .low) var level: Level
    @Flag(default: nil) var shape: Shape?
    @Flag(default: [1, 2]) var numbers: [Int16]
    @Flag(default: ["a": 1.5]) var weights: [String: Double]
    @Flag(default: SampleLimits(attempts: 1, names: ["a"])) var limits: SampleLimits
    @Flag(default: Date(timeIntervalSince1970: 0.5)) var moment: Date
    @Flag(default: .array([1, "a"])) var raw: EncodedFlagValue
    @FlagCollection(name: "The basket", description: "What is bought") var basket: Basket
}

private struct SampleLimits: Codable, FlagValue, Equatable {
    var attempts: Int
    var names: [String]
}

private struct Basket: FlagCollectionProtocol {
    @Flag(key: .absolute("limit"), default: 3) var limit: Int
}

@Suite("A manifest")
struct FlagManifestTests {
    private let manifest = FlagManifest(
        FlagsLoader(Catalog.self, description: .init(name: "Catalog", description: "All of it"), providers: []))

    private func entry(_ key: String) throws -> FlagManifest.Entry {
        try #require(manifest.allFlags.first { $0.key == key })
    }

    @Test("lists each flag with its metadata")
    func entries() throws {
        #expect(manifest.collections.map(\.name) == ["Catalog"] && manifest.collections[0].description == "All of it")
        let plain = try entry("plain")
        #expect(plain.type == FlagManifest.ValueType(.boolean, name: "Bool") && plain.defaultValue == false)
        #expect(plain.owner == "Ada" && plain.ticket == "SHOP-1" && plain.tags == ["a", "b"])
        #expect(plain.isInternal && plain.isLocked && plain.description == "A switch" && plain.property == "plain")
        #expect(plain.isExpired(at: Date(timeIntervalSince1970: 1_800_000_001)))
        #expect(!plain.isExpired(at: Date(timeIntervalSince1970: 1_800_000_000)))
        let limit = try entry("limit")
        #expect(limit.groups == ["The basket"] && limit.property == "basket.limit")
    }

    @Test("describes types with their bounds and cases")
    func types() throws {
        #expect(try entry("narrow").type.range == 0...255)
        #expect(try entry("ratio").type.kind == .number && entry("ratio").defaultValue == nil)
        #expect(try entry("nickname").type == .init(.string, name: "Optional<String>", isOptional: true))
        #expect(try entry("nickname").defaultValue == .null)
        #expect(try entry("level").type.kind == .integer && entry("level").type.cases == [1, 5])
        #expect(try entry("shape").type.cases == ["round", "square"] && entry("shape").type.isOptional)
        #expect(try entry("numbers").type.element?.range == -32768...32767)
        #expect(try entry("weights").type.kind == .object && entry("weights").type.element?.kind == .number)
        #expect(try entry("limits").type.kind == .object && entry("limits").type.element == nil)
        #expect(try entry("moment").type.kind == .date && entry("moment").defaultValue == "1970-01-01T00:00:00.5Z")
        #expect(try entry("raw").type.kind == .any)
    }

    @Test("is the same after a round trip through JSON")
    func roundTrip() throws {
        let text = try manifest.jsonText()
        #expect(try FlagManifest(json: Array(text.utf8)) == manifest)
        let data = try JSONEncoder().encode(manifest)
        #expect(
            try JSONDecoder().decode(FlagManifest.self, from: data).allFlags.map(\.key) == manifest.allFlags.map(\.key))
    }

    @Test("accepts the values that the flag's type accepts, and refuses others with the same message")
    func checking() throws {
        let narrow = try entry("narrow").type
        #expect(try narrow.normalized(3.0) == 3 && narrow.normalized(.unparsed("3")) == 3)
        for value: EncodedFlagValue in [300, 1.5, "5", true] {
            let own = #expect(throws: FlagValueError.self) { try UInt8(encoded: value) }
            let here = #expect(throws: FlagValueError.self) { try narrow.normalized(value) }
            #expect(own?.description == here?.description)
        }
        #expect(try entry("level").type.normalized(.unparsed("5")) == 5)
        let refused = #expect(throws: FlagValueError.self) { try entry("level").type.normalized(2) }
        #expect(refused?.description == "expected one of 1, 5, found the integer 2")
        let nested = #expect(throws: FlagValueError.self) { try entry("numbers").type.normalized([1, "x"]) }
        #expect(nested?.path == ["1"])
        #expect(try entry("plain").type.normalized(.null) == .null)
        #expect(throws: FlagValueError.self) { try entry("numbers").type.normalized([.null]) }
    }

    @Test("of a newer version is refused with the version in the message")
    func newer() {
        let error = #expect(throws: FlagManifestError.self) {
            try FlagManifest(json: Array(#"{ "tacklineManifest": 2, "collections": [] }"#.utf8))
        }
        #expect(error?.description.contains("version 2") == true && error?.path == ["tacklineManifest"])
    }

    @Test("with unknown members is read without them")
    func unknownMembers() throws {
        let text = """
            { "tacklineManifest": 1, "more": 1, "collections": [
              { "x": [], "flags": [{ "key": "a", "type": { "kind": "boolean", "y": {} }, "z": 1 }] } ] }
            """
        #expect(try FlagManifest(json: Array(text.utf8)).allFlags.map(\.key) == ["a"])
    }

    @Test("that is damaged is refused with the location of the damage")
    func damaged() {
        let cases = [
            ("{", "line 1, column 2"), ("[]", "object"), ("{}", "tacklineManifest"),
            (#"{"tacklineManifest": 1}"#, "collections"),
            (#"{"tacklineManifest": 1, "collections": [{"flags": [{"key": "a"}]}]}"#, "collections/0/flags/0/type"),
            (#"{"tacklineManifest": 1, "collections": [{"flags": [{"key": 1}]}]}"#, "collections/0/flags/0/key"),
            (#"{"tacklineManifest": 1, "collections": [{"flags": [{"key": "a", "type": {"kind": "cat"}}]}]}"#, "cat"),
            (#"{"flags": {"a": {"flagType": "cat"}}}"#, "flags/a/flagType"),
        ]
        for (text, words) in cases {
            let error = #expect(throws: FlagManifestError.self) { try FlagManifest(json: Array(text.utf8)) }
            #expect(error?.description.contains(words) == true, "\(text): \(error?.description ?? "")")
        }
    }

    @Test("is converted to the form of OpenFeature's tool and back")
    func openFeature() throws {
        let (document, omitted) = manifest.openFeatureForm()
        #expect(omitted == ["ratio", "nickname", "shape"])
        let read = try FlagManifest(document)
        #expect(read.allFlags.count == manifest.allFlags.count - 3)
        let narrow = try #require(read.allFlags.first { $0.key == "narrow" })
        #expect(narrow.type.kind == .integer && narrow.defaultValue == 7)
        #expect(read.allFlags.first { $0.key == "plain" }?.description == "A switch")
        #expect(read.allFlags.first { $0.key == "numbers" }?.type.kind == .array)
    }

    @Test("of a manager lists all its collections")
    func manager() {
        let manager = FlagsManager(providers: [])
        manager.addCollection(Catalog.self)
        manager.addCollection(Basket.self, keyConfiguration: KeyConfiguration(prefix: "second"))
        #expect(FlagManifest(manager).collections.count == 2)
    }
}
