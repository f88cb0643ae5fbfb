import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

private enum Theme: String, FlagValue, CaseIterable { case light, dark }
private enum Level: UInt8, FlagValue { case low = 1, high = 9 }
private enum CodableTheme: String, Codable, FlagValue { case light, dark }

private struct Limits: Codable, FlagValue, Equatable {
    var attempts: UInt8
    var names: [String]
    var ratio: Float?
    var wide: UInt128?
    var themes: [String: CodableTheme]?
    var byNumber: [Int: String]?
    var raw: EncodedFlagValue?
    var date: Date?
    var data: Data?
    var url: URL?
    var uuid: UUID?
}

private final class Link: Codable, FlagValue, Equatable {
    let next: Link?
    init(next: Link?) { self.next = next }
    static func == (left: Link, right: Link) -> Bool { left.next == right.next }
    static func chain(_ length: Int) -> Link { (1..<length).reduce(Link(next: nil)) { link, _ in Link(next: link) } }
}

private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(self)
    }
}

private struct EndlessFlag: Codable, FlagValue {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws { try Endless().encode(to: encoder) }
}

private struct Burrowing: Codable, FlagValue {
    init() {}
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while true { container = try container.nestedUnkeyedContainer() as any UnkeyedDecodingContainer }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for _ in 0..<100_000 { container = container.nestedUnkeyedContainer() }
        try container.encode(1)
    }
}

private struct Positive: Codable, FlagValue, Equatable {
    var number: Int
    init(number: Int) { self.number = number }
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        number = try container.decode(Int.self)
        guard number > 0 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the number has to be positive")
        }
    }
    func encode(to encoder: any Encoder) throws {
        guard number > 0 else { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
    struct Refusal: Error {}
}

private class Base: Codable {
    var name: String
    init(name: String) { self.name = name }
}

private final class Derived: Base, FlagValue, @unchecked Sendable {
    // Unchecked: the test uses it from one thread only.
    var size: Int
    init(name: String, size: Int) {
        self.size = size
        super.init(name: name)
    }
    private enum CodingKeys: CodingKey { case size }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.decode(Int.self, forKey: .size)
        try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .size)
        try super.encode(to: container.superEncoder())
    }
}

@Suite("A type of one's own")
struct OwnTypesTests {
    @Test("with a raw value is carried as its raw value")
    func rawValues() throws {
        #expect(try Theme.dark.encoded == "dark")
        #expect(try Theme(encoded: "dark") == .dark)
        #expect(try Theme(encoded: .unparsed("dark")) == .dark)
        #expect(try Level(encoded: 9) == .high)
        #expect(try Level.low.encoded == 1)
        #expect(try CodableTheme(encoded: "light") == .light)
        #expect(try CodableTheme.light.encoded == "light")
    }

    @Test("is encoded member by member and decoded again")
    func codable() throws {
        let limits = Limits(
            attempts: 255,
            names: ["é", "😀"],
            ratio: 0.1,
            wide: .max,
            themes: ["a": .dark],
            byNumber: [1: "one"],
            raw: ["x": [nil, 1, 1.0, true]],
            date: Date(timeIntervalSinceReferenceDate: 0.1),
            data: Data([1]),
            url: URL(string: "https://example.com"),
            uuid: UUID()
        )
        let encoded = try limits.encoded
        guard case .object(let members) = encoded else {
            Issue.record("not an object")
            return
        }
        #expect(members["attempts"] == 255)
        #expect(members["ratio"] == 0.1)
        #expect(members["data"] == .data(Data([1])))
        #expect(members["date"] == .date(Date(timeIntervalSinceReferenceDate: 0.1)))
        #expect(members["byNumber"] == ["1": "one"])
        #expect(members["raw"] == ["x": [nil, 1, 1.0, true]])
        #expect(try Limits(encoded: encoded) == limits)
    }

    @Test("with absent and null members decodes them as nil")
    func absent() throws {
        let limits = try Limits(encoded: ["attempts": 1, "names": [], "ratio": nil, "other": 5])
        #expect(limits == Limits(attempts: 1, names: []))
        #expect(try Limits(encoded: .unparsed(#"{"attempts": 1, "names": []}"#)) == limits)
    }

    @Test("with a superclass round-trips through the super containers")
    func superclass() throws {
        let encoded = try Derived(name: "a", size: 3).encoded
        #expect(encoded == ["size": 3, "super": ["name": "a"]])
        let decoded = try Derived(encoded: encoded)
        #expect(decoded.name == "a" && decoded.size == 3)
    }

    @Test("may be sixty levels deep, and is refused beyond sixty-four")
    func depth() throws {
        let chain = Link.chain(60)
        #expect(try Link(encoded: chain.encoded) == chain)
        #expect(throws: FlagValueError.self) { try Link.chain(70).encoded }
        var deep: EncodedFlagValue = [:]
        for _ in 0..<70 { deep = ["next": deep] }
        #expect(throws: FlagValueError.self) { try Link(encoded: deep) }
    }

    @Test("nested through Codable is refused on a stack of 512 KiB")
    func smallStackCodable() async {
        struct Tree: Codable, FlagValue {
            var children: [String: [Tree]]?
        }
        let refused = await onThread(stackSize: 512 << 10) { () -> Bool in
            var deep: EncodedFlagValue = [:]
            for _ in 0..<250 { deep = ["children": ["a": [deep]]] }
            do throws(FlagValueError) {
                _ = try Tree(encoded: deep)
                return false
            } catch {
                return error.detail == "arrays and objects are nested more than 64 levels deep; flatten the value"
            }
        }
        #expect(refused)
    }

    @Test("that contains itself is refused, not followed forever")
    func endless() {
        #expect(throws: FlagValueError.self) { try EndlessFlag().encoded }
        #expect(throws: FlagValueError.self) { try Burrowing().encoded }
        var deep: EncodedFlagValue = []
        for _ in 0..<300 { deep = [deep] }
        #expect(throws: FlagValueError.self) { try Burrowing(encoded: deep) }
    }

    @Test("is coded by JSONEncoder and JSONDecoder in its natural form")
    func natural() throws {
        let value: EncodedFlagValue = [
            "a": [1, 1.5, true, nil, "x"], "b": ["c": -5], "big": .integer(Int128(UInt64.max)),
        ]
        let decoded = try JSONDecoder().decode(EncodedFlagValue.self, from: JSONEncoder().encode(value))
        #expect(decoded == value)
        let others: EncodedFlagValue = [
            .data(Data([1, 2])), .date(Date(timeIntervalSinceReferenceDate: 0.5)), .unparsed("on"),
        ]
        let texts = try JSONDecoder().decode(EncodedFlagValue.self, from: JSONEncoder().encode(others))
        #expect(texts == ["AQI=", "2001-01-01T00:00:00.5Z", "on"])
    }

    private func message<Value: FlagValue>(_ type: Value.Type, _ encoded: EncodedFlagValue) -> String {
        do {
            _ = try Value(encoded: encoded)
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test("that refuses a value says what it expected, what it found and where")
    func messages() {
        #expect(
            message([String: [UInt8]].self, ["limits": [1, 2, 300]])
                == #"expected an integer from 0 to 255, found the integer 300 at "limits/2""#
        )
        #expect(message(Bool.self, 1) == "expected true or false, found the integer 1")
        #expect(
            message(Bool.self, .unparsed("treu"))
                == #"expected true, false, yes, no, on, off, 1 or 0, found the untyped text "treu""#
        )
        #expect(message(Theme.self, "dusk") == #"expected one of "light", "dark", found the string "dusk""#)
        #expect(message(Theme.self, 1) == #"expected one of "light", "dark", found the integer 1"#)
        #expect(message(Level.self, 2) == "expected a raw value of Level, found the integer 2")
        #expect(message(Level.self, 300) == "expected an integer from 0 to 255, found the integer 300")
        #expect(
            message(Limits.self, ["attempts": 300, "names": []])
                == #"expected an integer from 0 to 255, found the integer 300 at "attempts""#
        )
        #expect(
            message(Limits.self, ["attempts": 3, "names": ["a", 1]])
                == #"expected a string, found the integer 1 at "names/1""#
        )
        #expect(
            message(Limits.self, ["attempts": 3])
                == #"expected a member "names", found the object {"attempts": 3}"#
        )
        #expect(message(Limits.self, 5) == "expected an object, found the integer 5")
        #expect(
            message([Positive].self, [1, -1])
                == #"expected a value of type Positive, found the integer -1 at "1": the number has to be positive"#
        )
        #expect(
            message([Int].self, .unparsed("[1,]"))
                == #"expected an array in JSON, found the untyped text "[1,]": "#
                + "at character 4, a value is missing; write one, and text in double quotes"
        )
        #expect(message(Int.self, nil) == "expected an integer from \(Int.min) to \(Int.max), found null")
    }

    @Test("that cannot be encoded says why, without a value that was found")
    func encodingMessage() {
        do {
            _ = try ["a": Positive(number: -1)].encoded
            Issue.record("encoded")
        } catch {
            #expect(error.description == #"expected a value of type Positive that can be encoded at "a": Refusal()"#)
        }
    }

    @Test("appears in messages cut to a readable length")
    func descriptions() {
        let long = EncodedFlagValue.string(String(repeating: "x", count: 1_000_000))
        #expect(long.description.count < 90)
        #expect(EncodedFlagValue.array(Array(repeating: long, count: 1000)).description.count < 200)
        let wide = EncodedFlagValue.object(
            Dictionary(uniqueKeysWithValues: (0..<1000).map { ("k\($0)", long) })
        )
        #expect(wide.description.count < 300)
        #expect(EncodedFlagValue.string("a\"\\\n\u{1}").description == #""a\"\\\n\u{1}""#)
        let value: EncodedFlagValue = ["b": [1, 1.0, nil], "a": .date(Date(timeIntervalSinceReferenceDate: 0))]
        #expect(value.description == #"{"a": 2001-01-01T00:00:00Z, "b": [1, 1.0, null]}"#)
        #expect(EncodedFlagValue.data(Data([1])).description == #""AQ==""#)
        #expect((["a": 1, "a": 2] as EncodedFlagValue) == ["a": 2])
    }

    @Test("is equal in the neutral form only if case and bytes are")
    func equality() {
        let composed = EncodedFlagValue.string("\u{E9}")
        let decomposed = EncodedFlagValue.string("e\u{301}")
        #expect(composed != decomposed)
        #expect([composed] as EncodedFlagValue != [decomposed])
        #expect(EncodedFlagValue.string("a") != .unparsed("a"))
        #expect(EncodedFlagValue.integer(1) != .double(1))
        #expect(EncodedFlagValue.double(0) != .double(-0.0))
        #expect(EncodedFlagValue.double(.nan) == .double(-.nan))
        let all: Set<EncodedFlagValue> = [
            nil, true, 1, 1.0, "1", .unparsed("1"), .data(Data()), .date(Date(timeIntervalSinceReferenceDate: 1)), [],
            [:],
            composed, decomposed, .double(.nan), .double(-.nan),
        ]
        #expect(all.count == 13)
    }

    @Test("is compared and hashed quickly however many combining marks a string has")
    func marks() {
        // Half a million marks: minutes, if strings were compared by canonical equivalence.
        let marks = String(repeating: "\u{316}\u{301}", count: 250_000)
        let other = String(repeating: "\u{301}\u{316}", count: 250_000)
        #expect(EncodedFlagValue.string(marks) != .string(other))
        #expect(Set([EncodedFlagValue.string(marks), .string(other)]).count == 2)
    }
}
