import Foundation
import TacklineCore
import Testing

/// Whether the type takes the value, and as what.
private func taken<Value: FlagValue & Equatable>(_ type: Value.Type, _ encoded: EncodedFlagValue) -> Value? {
    try? Value(encoded: encoded)
}

@Suite("Conversion from the neutral form")
struct ConversionTableTests {
    @Test("reads untyped words as a Bool in any case")
    func boolWords() {
        let cases = [
            ("true", true), ("TRUE", true), ("yes", true), ("Yes", true), ("on", true), ("1", true), ("false", false),
            ("no", false), ("OFF", false), ("0", false),
        ]
        for (text, value) in cases {
            #expect(taken(Bool.self, .unparsed(text)) == value, "\(text)")
        }
    }

    @Test("takes no other value for a Bool")
    func boolRefuses() {
        let cases: [EncodedFlagValue] = [
            1, 0, 1.0, "true", nil, .unparsed(""), .unparsed(" true"), .unparsed("true "), .unparsed("2"),
            .unparsed("t"),
            .unparsed("y"), [true], ["a": true], .data(Data([1])),
        ]
        for value in cases {
            #expect(taken(Bool.self, value) == nil, "\(value)")
        }
    }

    @Test("takes a Boolean for a Bool")
    func boolTakes() {
        #expect(taken(Bool.self, true) == true)
        #expect(taken(Bool.self, false) == false)
    }

    private func checkIntegers<Number: FlagValue & FixedWidthInteger>(_ type: Number.Type) {
        #expect(taken(type, 5) == 5)
        #expect(taken(type, 5.0) == 5)
        #expect(taken(type, .unparsed("5")) == 5)
        #expect(taken(type, .unparsed("\(Number.max)")) == .max)
        #expect(taken(type, .unparsed("\(Number.min)")) == .min)
        #expect(taken(type, .unparsed("\(Number.max)0")) == nil)
        #expect(taken(type, -5) == (Number.isSigned ? -5 : nil))
        #expect(taken(type, -5.0) == (Number.isSigned ? -5 : nil))
        #expect(taken(type, .unparsed("-5")) == (Number.isSigned ? -5 : nil))
        if let beyond = Int128(exactly: Number.max).flatMap({ $0 < .max ? $0 + 1 : nil }) {
            #expect(taken(type, .integer(beyond)) == nil)
        }
        let refused: [EncodedFlagValue] = [
            nil, true, 1.5, "5", .double(.nan), .double(.infinity), .double(1e300), .unparsed(""), .unparsed(" 5"),
            .unparsed("5 "), .unparsed("+5"), .unparsed("-"), .unparsed("0x5"), .unparsed("5.0"), .unparsed("٥"), [5],
            ["a": 5],
        ]
        for value in refused {
            #expect(taken(type, value) == nil, "\(type) took \(value)")
        }
    }

    @Test("takes whole numbers in range for every integer type, and nothing else")
    func integers() {
        checkIntegers(Int.self)
        checkIntegers(Int8.self)
        checkIntegers(Int16.self)
        checkIntegers(Int32.self)
        checkIntegers(Int64.self)
        checkIntegers(Int128.self)
        checkIntegers(UInt.self)
        checkIntegers(UInt8.self)
        checkIntegers(UInt16.self)
        checkIntegers(UInt32.self)
        checkIntegers(UInt64.self)
        checkIntegers(UInt128.self)
    }

    @Test("carries a UInt128 that no integer holds as its decimal digits, and takes only such a string")
    func wideIntegers() throws {
        #expect(UInt128.max.encoded == "340282366920938463463374607431768211455")
        #expect(try UInt128(encoded: UInt128.max.encoded) == .max)
        #expect(UInt128(5).encoded == 5)
        #expect(taken(UInt128.self, "170141183460469231731687303715884105727") == nil)
        #expect(taken(UInt128.self, "170141183460469231731687303715884105728") == 1 << 127)
    }

    @Test("takes for a Double what it holds exactly")
    func doubles() {
        #expect(taken(Double.self, 1.5) == 1.5)
        #expect(taken(Double.self, 5) == 5)
        #expect(taken(Double.self, 9_007_199_254_740_992) == 9_007_199_254_740_992)
        #expect(taken(Double.self, 9_007_199_254_740_993) == nil)
        #expect(taken(Double.self, .integer(.max)) == nil)
        #expect(taken(Double.self, .integer(1 << 100)) == 0x1p100)
        #expect(taken(Double.self, .unparsed("1.5e3")) == 1500)
        #expect(taken(Double.self, .unparsed("-2")) == -2)
        #expect(taken(Double.self, .double(.infinity)) == .infinity)
        let texts = ["", "nan", "NaN", "inf", "-infinity", "0x1p3", " 1", "1 ", "1,5", "1e999", "e", "."]
        for text in texts {
            #expect(taken(Double.self, .unparsed(text)) == nil, "took \(text)")
        }
        let refused: [EncodedFlagValue] = [nil, true, "1.5", [1.5]]
        for value in refused {
            #expect(taken(Double.self, value) == nil, "took \(value)")
        }
    }

    @Test("takes for a Float the nearest one of a decimal, and an integer only if exact")
    func floats() {
        #expect(taken(Float.self, 0.1) == 0.1)
        #expect(taken(Float.self, .unparsed("0.1")) == 0.1)
        #expect(taken(Float.self, 1e39) == nil)
        #expect(taken(Float.self, .unparsed("1e39")) == nil)
        #expect(taken(Float.self, .unparsed("nan")) == nil)
        #expect(taken(Float.self, 16_777_216) == 16_777_216)
        #expect(taken(Float.self, 16_777_217) == nil)
        #expect(Float(0.1).encoded == 0.1)
        #expect(taken(Float.self, "0.1") == nil)
    }

    @Test("takes strings and untyped texts as they are for a String")
    func strings() {
        #expect(taken(String.self, "a") == "a")
        #expect(taken(String.self, .unparsed(" a ")) == " a ")
        #expect(taken(String.self, .unparsed("")) == "")
        let refused: [EncodedFlagValue] = [nil, 1, 1.0, true, ["a"], .data(Data()), .date(Date())]
        for value in refused {
            #expect(taken(String.self, value) == nil, "took \(value)")
        }
    }

    @Test("takes dates and RFC 3339 for a Date, never a bare number")
    func dates() {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(taken(Date.self, .date(date)) == date)
        #expect(taken(Date.self, "2001-01-01T00:00:00Z") == date)
        #expect(taken(Date.self, .unparsed("2001-01-01T01:00:00+01:00")) == date)
        let refused: [EncodedFlagValue] = [nil, 0, 0.0, .unparsed("0"), "2001-01-01", ""]
        for value in refused {
            #expect(taken(Date.self, value) == nil, "took \(value)")
        }
    }

    @Test("takes data and base64 for Data")
    func data() {
        #expect(taken(Data.self, .data(Data([1, 2]))) == Data([1, 2]))
        #expect(taken(Data.self, "AQI=") == Data([1, 2]))
        #expect(taken(Data.self, .unparsed("AQI=")) == Data([1, 2]))
        #expect(taken(Data.self, "") == Data())
        let refused: [EncodedFlagValue] = [nil, 1, "AQI", "A QI=", "AQI=\n", "%%%%", [1, 2]]
        for value in refused {
            #expect(taken(Data.self, value) == nil, "took \(value)")
        }
    }

    @Test("takes strings with a scheme for a URL")
    func urls() {
        #expect(taken(URL.self, "https://example.com/a?b=c#d") == URL(string: "https://example.com/a?b=c#d"))
        #expect(taken(URL.self, .unparsed("mailto:a@example.com")) != nil)
        let refused: [EncodedFlagValue] = [nil, "", "example.com", "/a/b", "https://exa mple.com/", 1, .unparsed("")]
        for value in refused {
            #expect(taken(URL.self, value) == nil, "took \(value)")
        }
    }

    @Test("refuses to encode a URL without a scheme, which could not be read back")
    func relativeURL() throws {
        let url = try #require(URL(string: "a/b"))
        #expect(throws: FlagValueError.self) { try url.encoded }
    }

    @Test("takes the text of a UUID in either case")
    func uuids() {
        let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(taken(UUID.self, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") == uuid)
        #expect(taken(UUID.self, .unparsed("e621e1f8-c36c-495a-93fc-0c247a3e6e5f")) == uuid)
        let refused: [EncodedFlagValue] = [nil, "", "E621E1F8", "E621E1F8-C36C-495A-93FC-0C247A3E6E5Fx", 1]
        for value in refused {
            #expect(taken(UUID.self, value) == nil, "took \(value)")
        }
    }

    @Test("takes null as nil for an optional, and never a mismatch")
    func optionals() throws {
        #expect(try Int?(encoded: nil) == nil)
        #expect(try Int?(encoded: 5) == 5)
        #expect(try Int?(encoded: .unparsed("5")) == 5)
        for value: EncodedFlagValue in ["5", true, .unparsed(""), .unparsed("null")] {
            #expect(throws: FlagValueError.self) { try Int?(encoded: value) }
        }
        #expect(try String?(encoded: .unparsed("")) == "")
        #expect(try Int?.none.encoded == nil)
    }

    @Test("takes every element or none")
    func containers() throws {
        #expect(try [Int](encoded: [1, 2.0]) == [1, 2])
        #expect(try [Int](encoded: .unparsed("[1, 2]")) == [1, 2])
        #expect(try [Int?](encoded: [1, nil]) == [1, nil])
        #expect(try [String: Bool](encoded: ["a": true]) == ["a": true])
        #expect(try [String: Bool](encoded: .unparsed(#"{"a": true}"#)) == ["a": true])
        #expect(throws: FlagValueError(expected: "true or false", found: 1, path: ["b", "0"])) {
            try [String: [Bool]](encoded: ["b": [1]])
        }
        for value: EncodedFlagValue in [nil, 1, ["a": 1], .unparsed("{}"), .unparsed("1,2"), [1, "2"]] {
            #expect(throws: FlagValueError.self) { try [Int](encoded: value) }
        }
    }

    @Test("takes anything as raw JSON, and reads an untyped text as JSON")
    func raw() throws {
        #expect(try EncodedFlagValue(encoded: nil) == nil)
        #expect(try EncodedFlagValue(encoded: ["a": [1, 1.0]]) == ["a": [1, 1.0]])
        #expect(try EncodedFlagValue(encoded: .unparsed("[1, 1.0, true]")) == [1, 1.0, true])
        #expect(throws: FlagValueError.self) { try EncodedFlagValue(encoded: .unparsed("on")) }
    }
}
