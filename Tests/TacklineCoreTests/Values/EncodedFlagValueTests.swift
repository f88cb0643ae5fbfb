import Foundation
import TacklineCore
import Testing

@Suite("An encoded value")
struct EncodedFlagValueTests {
    @Test("has its natural form with JSONEncoder and JSONDecoder")
    func naturalForm() throws {
        let value: EncodedFlagValue = [
            "a": [1, 1.5, true, .null, "x"], "b": ["c": -5], "big": .integer(Int128(UInt64.max)),
        ]
        let decoded = try JSONDecoder().decode(EncodedFlagValue.self, from: JSONEncoder().encode(value))
        #expect(decoded == value)
        let others: EncodedFlagValue = [
            .data(Data([1, 2])), .date(Date(timeIntervalSinceReferenceDate: 0.5)), .unparsed("on"),
        ]
        let texts = try JSONDecoder().decode(EncodedFlagValue.self, from: JSONEncoder().encode(others))
        #expect(texts == ["AQI=", "2001-01-01T00:00:00.5Z", "on"])
    }

    @Test("has a description of limited length")
    func descriptions() {
        let long = EncodedFlagValue.string(String(repeating: "x", count: 1_000_000))
        let wide = EncodedFlagValue.object(Dictionary(uniqueKeysWithValues: (0..<1000).map { ("k\($0)", long) }))
        let list = EncodedFlagValue.array(Array(repeating: long, count: 1000))
        #expect(long.description.count < 90 && list.description.count < 200 && wide.description.count < 300)
        #expect(EncodedFlagValue.string("a\"\\\n\u{1}").description == #""a\"\\\n\u{1}""#)
        let value: EncodedFlagValue = ["b": [1, 1.0, .null], "a": .date(Date(timeIntervalSinceReferenceDate: 0))]
        #expect(value.description == #"{"a": 2001-01-01T00:00:00Z, "b": [1, 1.0, null]}"#)
        #expect(EncodedFlagValue.data(Data([1])).description == #""AQ==""#)
        #expect((["a": 1, "a": 2] as EncodedFlagValue) == ["a": 2])
    }

    @Test("equals another one only if the cases and the bytes are equal")
    func equality() {
        let (composed, decomposed): (EncodedFlagValue, EncodedFlagValue) = ("\u{E9}", "e\u{301}")
        let all: Set<EncodedFlagValue> = [
            .null, true, 1, 1.0, 0.0, -0.0, "1", .unparsed("1"), .data(Data()), .double(.nan), .double(-.nan), [], [:],
            .date(.distantPast), .date(.now + .nan), .date(.now - .nan), composed, decomposed, [composed], [decomposed],
        ]
        #expect(all.count == 17, "the two zeros are equal, and so is every NaN")
        // Comparing half a million marks by canonical equivalence would take minutes.
        let marks = String(repeating: "\u{316}\u{301}", count: 250_000)
        let other = String(repeating: "\u{301}\u{316}", count: 250_000)
        #expect(Set([EncodedFlagValue.string(marks), .string(other)]).count == 2)
    }

    @Test("is not null where nil is written for no value")
    func noNilLiteral() {
        struct Source: FlagProvider {
            var isKnown: Bool
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { isKnown ? 5 : nil }
        }
        #expect(Source(isKnown: true).value(for: "a") == 5)
        // With a literal for null, this was `.some(.null)`, which an optional flag takes for its value `nil`.
        #expect(Source(isKnown: false).value(for: "a") == .none)
        #expect(Source(isKnown: false).value(for: "a") != .some(.null))
    }
}
