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
    var prices: [Decimal?]?
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
        guard number > 0 else { throw NotPositive() }
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
    struct NotPositive: Error {}
}

@Suite("A custom flag type")
struct CustomTypeTests {
    @Test("with a raw value is encoded as its raw value")
    func rawValues() throws {
        #expect(try Theme(encoded: "dark") == .dark && Theme(encoded: .unparsed("dark")) == .dark)
        #expect(try Theme.dark.encoded == "dark" && Level.low.encoded == 1 && Level(encoded: 9) == .high)
        #expect(try CodableTheme(encoded: "light") == .light && CodableTheme.light.encoded == "light")
    }

    @Test("decodes to an equal value after encoding")
    func codable() throws {
        let limits = Limits(
            attempts: 255, names: ["é", "😀"], ratio: 0.1, wide: UInt128(Int128.max), themes: ["a": .dark],
            byNumber: [1: "one"], raw: ["x": [.null, 1, 1.5, true]], date: Date(timeIntervalSinceReferenceDate: 0.1),
            data: Data([1]), url: URL(string: "https://example.com"), uuid: UUID(),
            prices: [Decimal(string: "9.99"), 10, nil, Decimal(string: "-0.1")])
        let encoded = try limits.encoded
        #expect(
            encoded == [
                "attempts": 255, "names": ["é", "😀"], "ratio": 0.1, "wide": .integer(.max), "themes": ["a": "dark"],
                "byNumber": ["1": "one"], "raw": ["x": [.null, 1, 1.5, true]], "date": "2001-01-01T00:00:00.1Z",
                "data": "AQ==", "url": "https://example.com", "uuid": try limits.uuid.encoded,
                "prices": [9.99, 10, .null, -0.1],
            ])
        #expect(try Limits(encoded: encoded) == limits)
        // Absent and null members are nil, and others don't matter.
        let few = try Limits(encoded: ["attempts": 1, "names": [], "ratio": .null, "other": 5])
        #expect(try few == Limits(attempts: 1, names: []) && Limits(encoded: few.encoded) == few)
    }

    @Test("takes an untyped text as JSON, and as a string if it isn't JSON")
    func untypedText() throws {
        struct Name: Codable, FlagValue {
            var text: String
            init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
        }
        #expect(try Name(encoded: .unparsed("a b")).text == "a b")
        #expect(try Limits(encoded: .unparsed(#"{"attempts": 1, "names": []}"#)).attempts == 1)
        #expect(throws: FlagValueError.self) { try Limits(encoded: .unparsed("a b")) }
    }

    @Test("reports the expected values, the refused value and its path")
    func decodingErrorMessages() {
        let cases: [(any FlagValue.Type, EncodedFlagValue, String)] = [
            (
                [String: [UInt8]].self, ["limits": [1, 2, 300]],
                #"expected an integer from 0 to 255, found the integer 300 at "limits/2""#
            ),
            (Bool.self, 1, "expected true or false, found the integer 1"),
            (
                Bool.self, .unparsed("treu"),
                #"expected true, false, yes, no, on, off, 1 or 0, found the untyped text "treu""#
            ),
            (Theme.self, "dusk", #"expected one of "light", "dark", found the string "dusk""#),
            (Theme.self, 1, #"expected one of "light", "dark", found the integer 1"#),
            (Level.self, 2, "expected a raw value of Level, found the integer 2"),
            (Level.self, 300, "expected an integer from 0 to 255, found the integer 300"),
            (
                Limits.self, ["attempts": 300, "names": []],
                #"expected a number that its type can hold, found the integer 300 at "attempts""#
            ),
            (
                Limits.self, ["attempts": 3, "names": ["a", 1]],
                #"expected a string, found the integer 1 at "names/1""#
            ),
            (Limits.self, ["attempts": 3], #"expected a member "names", found the object {"attempts": 3}"#),
            (Limits.self, 5, "expected an object, found the integer 5"),
            (
                Limits.self, ["attempts": 3, "names": [], "data": "===="],
                #"expected data, or a string in base64, found the string "====" at "data""#
            ),
            (
                Limits.self, ["attempts": 3, "names": [], "date": 5],
                "expected a date, or a string in the form of RFC 3339, like \"2026-11-21T08:00:00Z\", found the integer 5 "
                    + #"at "date""#
            ),
            (
                [Positive].self, [1, -1],
                #"expected a value of type Positive, found the integer -1 at "1": the number has to be positive"#
            ),
            (
                [Int].self, .unparsed("[1,]"),
                #"expected an array in JSON, found the untyped text "[1,]": "#
                    + #"line 1, column 4 at "1": a comma stands before the closing bracket; remove the comma"#
            ),
            (Int.self, .null, "expected an integer, found null"),
        ]
        for (type, encoded, message) in cases {
            let error = #expect(throws: FlagValueError.self) { _ = try type.init(encoded: encoded) }
            #expect(error?.description == message)
        }
    }

    @Test("that holds NaN or throws can't be encoded, for which the error has the path and the reason")
    func encodingErrors() {
        struct Ratio: Codable, FlagValue { var parts: [Double] }
        let ratio = #expect(throws: FlagValueError.self) { try Ratio(parts: [0.5, .nan]).encoded }
        #expect(ratio?.path == ["parts", "1"])
        let error = #expect(throws: FlagValueError.self) { try ["a": Positive(number: -1)].encoded }
        #expect(error?.description == #"expected a value of type Positive that can be encoded at "a": NotPositive()"#)
    }
}
