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
    @Flag(default: Limits()) var limits: Limits
    @Flag(default: .init(circle: 1)) var figure: Figure
    @Flag(default: Date(timeIntervalSince1970: 0.5)) var moment: Date
    @Flag(default: .array([1, "a"])) var raw: EncodedFlagValue
    @FlagCollection(name: "The basket", description: "What is bought") var basket: Basket
}

private struct Limits: Codable, FlagValue, Equatable {
    struct Window: Codable, Equatable {
        var from = Date(timeIntervalSince1970: 0)
        var shape: Shape
        var next: [Window]?
    }

    var perMinute: UInt8 = 90
    var names = ["a"]
    var link = URL(string: "relative")
    var price = Decimal(1)
    var window = Window(shape: .round)
    var night: Window?
    var burst = 5
    var note = "x"

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        perMinute = try container.decode(UInt8.self, forKey: .perMinute)
        names = try container.decode([String].self, forKey: .names)
        link = try container.decodeIfPresent(URL.self, forKey: .link)
        price = try container.decode(Decimal.self, forKey: .price)
        window = try container.decode(Window.self, forKey: .window)
        night = try container.decodeIfPresent(Window.self, forKey: .night)
        // These have defaults of their own.
        burst = (try? container.decode(Int.self, forKey: .burst)) ?? 5
        if container.contains(.note) { note = try container.decode(String.self, forKey: .note) }
    }
}

/// Decodes itself in a way that can't be followed.
private struct Figure: Codable, FlagValue, Equatable {
    private enum CodingKeys: String, CodingKey { case circle }
    private enum CircleKeys: String, CodingKey { case radius }
    var radius: Int

    init(circle radius: Int) { self.radius = radius }
    init(from decoder: any Decoder) throws {
        let circle = try decoder.container(keyedBy: CodingKeys.self)
            .nestedContainer(keyedBy: CircleKeys.self, forKey: .circle)
        radius = try circle.decode(Int.self, forKey: .radius)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var circle = container.nestedContainer(keyedBy: CircleKeys.self, forKey: .circle)
        try circle.encode(radius, forKey: .radius)
    }
}

private struct Basket: FlagCollectionProtocol {
    @Flag(key: .absolute("limit"), default: 3) var limit: Int
}

@Suite("A manifest")
struct FlagManifestTests {
    private let flags = FlagsLoader(
        Catalog.self, description: .init(name: "Catalog", description: "All of it"), providers: [])
    private let manifest: FlagManifest

    init() { manifest = FlagManifest(flags) }

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
        let manager = FlagsManager(providers: [])
        manager.addCollection(Catalog.self)
        manager.addCollection(Basket.self, keyConfiguration: KeyConfiguration(prefix: "second"))
        #expect(FlagManifest(manager).collections.count == 2)
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
        #expect(try entry("moment").type.kind == .date && entry("moment").defaultValue == "1970-01-01T00:00:00.5Z")
        #expect(try entry("raw").type.kind == .any)
    }

    @Test(
        "describes the members of a Codable type, also of those that its default lacks, and marks what it can't learn")
    func members() throws {
        let members = try #require(try entry("limits").type.members)
        #expect(members.keys.sorted() == ["burst", "link", "names", "night", "note", "perMinute", "price", "window"])
        #expect(members["perMinute"]?.range == 0...255 && members["perMinute"]?.isOptional == false)
        #expect(members["names"]?.element?.kind == .string && members["window"]?.members?["from"]?.kind == .date)
        let night = try #require(members["night"])
        #expect(night.isOptional && night.members?["shape"]?.cases == ["round", "square"])
        // The type in itself is not followed further.
        #expect(night.members?["next"]?.element?.members == nil)
        #expect(members["note"]?.isOptional == true && members["note"]?.kind == .string)
        for name in ["burst", "price"] { #expect(members[name]?.kind == .any, "\(name)") }
        #expect(try entry("figure").type.kind == .object && entry("figure").type.members == nil)
    }

    @Test("refuses the members that the flag refuses, with their places, and takes those that it takes")
    func checkedMembers() throws {
        let (type, handle) = (try entry("limits").type, try #require(flags.flag(at: "limits")))
        guard case .object(let example) = try #require(entry("limits").defaultValue) else { return }
        let window: EncodedFlagValue = ["from": "1970-01-01T00:00:00Z", "shape": "square"]
        let cases: [(name: String, value: EncodedFlagValue?, isGood: Bool)] = [
            ("perMinute", "ninety", false), ("perMinute", 300, false), ("perMinute", 3.0, true),
            ("perMinute", nil, false),
            ("perMinute", .null, false), ("names", ["a", 1], false), ("names", [], true), ("link", nil, true),
            ("link", "other/place", true), ("link", 1, false), ("night", .null, true), ("night", window, true),
            ("night", ["shape": "square"], false), ("window", ["from": "today", "shape": "round"], false),
            ("window", ["from": "1970-01-01T00:00:00Z", "shape": "flat"], false), ("burst", "many", true),
            ("note", nil, true), ("note", 1, false), ("more", 1, true),
        ]
        for (name, value, isGood) in cases {
            var members = example
            members[name] = value
            #expect(((try? handle.normalized(.object(members))) != nil) == isGood, "the flag, \(name): \(value ?? "-")")
            #expect(((try? type.normalized(.object(members))) != nil) == isGood, "\(name): \(value ?? "-")")
        }
        let error = #expect(throws: FlagValueError.self) {
            try type.normalized(.object(example.merging(["perMinute": "ninety"]) { $1 }))
        }
        #expect(
            error?.description
                == #"expected an integer from 0 to 255, found the string "ninety" at "perMinute""#)
    }

    @Test("is the same after a round trip through JSON")
    func roundTrip() throws {
        #expect(try FlagManifest(json: manifest.jsonData()) == manifest)
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

    @Test("is read without members that are not known, and refused with the place of any damage")
    func damaged() throws {
        let text = """
            { "tacklineManifest": 1, "more": 1, "collections": [
              { "separator": "/", "x": [], "flags": [{ "key": "a", "type": { "kind": "boolean", "y": {} }, "z": 1 }] } ] }
            """
        #expect(try FlagManifest(json: Data(text.utf8)).allFlags.map(\.key) == ["a"])
        func flag(_ text: String) -> String {
            #"{"tacklineManifest": 1, "collections": [{"separator": "/", "flags": [\#(text)]}]}"#
        }
        func pattern(_ text: String) -> String {
            flag(#"{"key": "a", "type": {"kind": "string", "pattern": "\#(text)"}}"#)
        }
        let cases = [
            ("{", "line 1, column 2"), ("[]", "object"), ("{}", "tacklineManifest"),
            (#"{"tacklineManifest": 2, "collections": []}"#, "as new as the app's"),
            (#"{"tacklineManifest": 1}"#, "collections"), (flag(#"{"key": "a"}"#), "collections/0/flags/0/type"),
            (flag(#"{"key": 1, "type": {"kind": "any"}}"#), "collections/0/flags/0/key"),
            (flag(#"{"key": "a", "type": {"kind": "cat"}}"#), "cat"),
            (pattern("(a"), "expected ')'"),
            // These would exhaust the stack.
            (pattern(String(repeating: "[", count: 100_000)), "60 classes"),
            (pattern(String(repeating: "(", count: 100_000)), "1,024 bytes"),
            (pattern("[a" + String(repeating: "&&b", count: 300) + "]"), "60 classes"),
            (pattern(String(repeating: "[a--", count: 100)), "60 classes"),
        ]
        for (text, words) in cases {
            let error = #expect(throws: FlagError.self) { try FlagManifest(json: Data(text.utf8)) }
            #expect(error?.message.contains(words) == true, "\(text.prefix(100)): \(error?.message ?? "")")
        }
    }

    @Test("is written in the form of OpenFeature's tool, without flags that have no default")
    func openFeature() throws {
        let (document, omitted) = manifest.openFeatureForm()
        #expect(omitted == ["ratio", "nickname", "shape"])
        guard case .object(let root) = document, case .object(let flags)? = root["flags"] else { return }
        #expect(flags.count == manifest.allFlags.count - 3)
        #expect(flags["plain"] == ["flagType": "boolean", "defaultValue": false, "description": "A switch"])
        #expect(flags["narrow"] == ["flagType": "integer", "defaultValue": 7])
        #expect(flags["numbers"] == ["flagType": "object", "defaultValue": [1, 2], "schema": ["type": "array"]])
        #expect(flags["moment"] == ["flagType": "string", "defaultValue": "1970-01-01T00:00:00.5Z"])
    }
}
