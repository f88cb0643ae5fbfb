import Foundation
import TacklineCore
import Testing

/// Returns the decoded value, or `nil` if the type refuses the encoded one.
private func decoded<Value: FlagValue & Equatable>(_ type: Value.Type, _ encoded: EncodedFlagValue) -> Value? {
    try? Value(encoded: encoded)
}

@Suite("A built-in flag type")
struct FlagValueConversionTests {
    @Test("accepts unparsed words for a Bool in upper, lower and mixed case")
    func acceptedBoolTexts() {
        let cases = [
            ("true", true), ("TRUE", true), ("yes", true), ("Yes", true), ("on", true), ("1", true), ("false", false),
            ("no", false), ("OFF", false), ("0", false),
        ]
        for (text, value) in cases {
            #expect(decoded(Bool.self, .unparsed(text)) == value, "\(text)")
        }
    }

    @Test("refuses every other value for a Bool")
    func refusedBools() {
        let cases: [EncodedFlagValue] = [
            1, 0, 1.0, "true", .null, .unparsed(""), .unparsed(" true"), .unparsed("true "), .unparsed("2"),
            .unparsed("t"),
            .unparsed("y"), [true], ["a": true], .data(Data([1])),
        ]
        for value in cases {
            #expect(decoded(Bool.self, value) == nil, "\(value)")
        }
    }

    @Test("accepts a Boolean for a Bool")
    func acceptedBools() {
        #expect(decoded(Bool.self, true) == true)
        #expect(decoded(Bool.self, false) == false)
    }

    private func checkIntegers<Number: FlagValue & FixedWidthInteger>(_ type: Number.Type) {
        #expect(decoded(type, 5) == 5)
        #expect(decoded(type, 5.0) == 5)
        #expect(decoded(type, .unparsed("5")) == 5)
        #expect(decoded(type, .unparsed("\(Number.max)")) == .max)
        #expect(decoded(type, .unparsed("\(Number.min)")) == .min)
        #expect(decoded(type, .unparsed("\(Number.max)0")) == nil)
        #expect(decoded(type, -5) == (Number.isSigned ? -5 : nil))
        #expect(decoded(type, -5.0) == (Number.isSigned ? -5 : nil))
        #expect(decoded(type, .unparsed("-5")) == (Number.isSigned ? -5 : nil))
        if let beyond = Int128(exactly: Number.max).flatMap({ $0 < .max ? $0 + 1 : nil }) {
            #expect(decoded(type, .integer(beyond)) == nil)
        }
        let refused: [EncodedFlagValue] = [
            .null, true, 1.5, "5", .double(.nan), .double(.infinity), .double(1e300), .unparsed(""), .unparsed(" 5"),
            .unparsed("5 "), .unparsed("+5"), .unparsed("-"), .unparsed("0x5"), .unparsed("5.0"), .unparsed("٥"), [5],
            ["a": 5],
        ]
        for value in refused {
            #expect(decoded(type, value) == nil, "\(type) accepted \(value)")
        }
    }

    @Test("accepts only integral numbers in range for every integer type")
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

    @Test("accepts a string of digits for a UInt128 only if the number is above Int128.max")
    func largeUInt128() throws {
        #expect(UInt128.max.encoded == "340282366920938463463374607431768211455")
        #expect(try UInt128(encoded: UInt128.max.encoded) == .max)
        #expect(UInt128(5).encoded == 5)
        #expect(decoded(UInt128.self, "170141183460469231731687303715884105727") == nil)
        #expect(decoded(UInt128.self, "170141183460469231731687303715884105728") == 1 << 127)
    }

    @Test("accepts only exactly representable integers for a Double")
    func doubles() {
        #expect(decoded(Double.self, 1.5) == 1.5)
        #expect(decoded(Double.self, 5) == 5)
        #expect(decoded(Double.self, 9_007_199_254_740_992) == 9_007_199_254_740_992)
        #expect(decoded(Double.self, 9_007_199_254_740_993) == nil)
        #expect(decoded(Double.self, .integer(.max)) == nil)
        #expect(decoded(Double.self, .integer(1 << 100)) == 0x1p100)
        #expect(decoded(Double.self, .unparsed("1.5e3")) == 1500)
        #expect(decoded(Double.self, .unparsed("-2")) == -2)
        #expect(decoded(Double.self, .unparsed("9007199254740992")) == 9_007_199_254_740_992)
        #expect(decoded(Double.self, .unparsed("9007199254740993")) == nil)
        #expect(decoded(Double.self, .unparsed("-9007199254740993")) == nil)
        #expect(decoded(Double.self, .unparsed("-0"))?.sign == .minus)
        #expect(decoded(Double.self, .double(.infinity)) == .infinity)
        let texts = ["", "nan", "NaN", "inf", "-infinity", "0x1p3", " 1", "1 ", "1,5", "1e999", "e", "."]
        for text in texts {
            #expect(decoded(Double.self, .unparsed(text)) == nil, "accepted \(text)")
        }
        let refused: [EncodedFlagValue] = [.null, true, "1.5", [1.5]]
        for value in refused {
            #expect(decoded(Double.self, value) == nil, "accepted \(value)")
        }
    }

    @Test("rounds decimal numbers for a Float, but accepts only exactly representable integers")
    func floats() {
        #expect(decoded(Float.self, 0.1) == 0.1)
        #expect(decoded(Float.self, .unparsed("0.1")) == 0.1)
        #expect(decoded(Float.self, 1e39) == nil)
        #expect(decoded(Float.self, .unparsed("1e39")) == nil)
        #expect(decoded(Float.self, .unparsed("nan")) == nil)
        #expect(decoded(Float.self, 16_777_216) == 16_777_216)
        #expect(decoded(Float.self, 16_777_217) == nil)
        #expect(decoded(Float.self, .unparsed("16777216")) == 16_777_216)
        #expect(decoded(Float.self, .unparsed("16777217")) == nil)
        #expect(Float(0.1).encoded == 0.1)
        #expect(decoded(Float.self, "0.1") == nil)
    }

    @Test("keeps the spaces of strings and unparsed texts for a String")
    func strings() {
        #expect(decoded(String.self, "a") == "a")
        #expect(decoded(String.self, .unparsed(" a ")) == " a ")
        #expect(decoded(String.self, .unparsed("")) == "")
        let refused: [EncodedFlagValue] = [.null, 1, 1.0, true, ["a"], .data(Data()), .date(Date())]
        for value in refused {
            #expect(decoded(String.self, value) == nil, "accepted \(value)")
        }
    }

    @Test("accepts dates and RFC 3339 texts for a Date, but no numbers")
    func dates() {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(decoded(Date.self, .date(date)) == date)
        #expect(decoded(Date.self, "2001-01-01T00:00:00Z") == date)
        #expect(decoded(Date.self, .unparsed("2001-01-01T01:00:00+01:00")) == date)
        let refused: [EncodedFlagValue] = [.null, 0, 0.0, .unparsed("0"), "2001-01-01", ""]
        for value in refused {
            #expect(decoded(Date.self, value) == nil, "accepted \(value)")
        }
    }

    @Test("accepts data and base64 texts for Data")
    func data() {
        #expect(decoded(Data.self, .data(Data([1, 2]))) == Data([1, 2]))
        #expect(decoded(Data.self, "AQI=") == Data([1, 2]))
        #expect(decoded(Data.self, .unparsed("AQI=")) == Data([1, 2]))
        #expect(decoded(Data.self, "") == Data())
        let refused: [EncodedFlagValue] = [.null, 1, "AQI", "A QI=", "AQI=\n", "%%%%", [1, 2]]
        for value in refused {
            #expect(decoded(Data.self, value) == nil, "accepted \(value)")
        }
    }

    @Test("accepts only texts with a scheme for a URL")
    func urls() {
        #expect(decoded(URL.self, "https://example.com/a?b=c#d") == URL(string: "https://example.com/a?b=c#d"))
        #expect(decoded(URL.self, .unparsed("mailto:a@example.com")) != nil)
        let refused: [EncodedFlagValue] = [.null, "", "example.com", "/a/b", "https://exa mple.com/", 1, .unparsed("")]
        for value in refused {
            #expect(decoded(URL.self, value) == nil, "accepted \(value)")
        }
    }

    @Test("throws an error when a URL without a scheme is encoded")
    func relativeURL() throws {
        let url = try #require(URL(string: "a/b"))
        #expect(throws: FlagValueError.self) { try url.encoded }
    }

    @Test("accepts a text in upper or lower case for a UUID")
    func uuids() {
        let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(decoded(UUID.self, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") == uuid)
        #expect(decoded(UUID.self, .unparsed("e621e1f8-c36c-495a-93fc-0c247a3e6e5f")) == uuid)
        let refused: [EncodedFlagValue] = [.null, "", "E621E1F8", "E621E1F8-C36C-495A-93FC-0C247A3E6E5Fx", 1]
        for value in refused {
            #expect(decoded(UUID.self, value) == nil, "accepted \(value)")
        }
    }

    @Test("returns nil for an optional only if the value is null")
    func optionals() throws {
        #expect(try Int?(encoded: .null) == nil)
        #expect(try Int?(encoded: 5) == 5)
        #expect(try Int?(encoded: .unparsed("5")) == 5)
        for value: EncodedFlagValue in ["5", true, .unparsed(""), .unparsed("null")] {
            #expect(throws: FlagValueError.self) { try Int?(encoded: value) }
        }
        #expect(try String?(encoded: .unparsed("")) == "")
        #expect(try Int?.none.encoded == .null)
    }

    @Test("refuses an array or a dictionary if any part is refused")
    func containers() throws {
        #expect(try [Int](encoded: [1, 2.0]) == [1, 2])
        #expect(try [Int](encoded: .unparsed("[1, 2]")) == [1, 2])
        #expect(try [Int?](encoded: [1, .null]) == [1, nil])
        #expect(try [String: Bool](encoded: ["a": true]) == ["a": true])
        #expect(try [String: Bool](encoded: .unparsed(#"{"a": true}"#)) == ["a": true])
        #expect(throws: FlagValueError(expected: "true or false", found: 1, path: ["b", "0"])) {
            try [String: [Bool]](encoded: ["b": [1]])
        }
        for value: EncodedFlagValue in [.null, 1, ["a": 1], .unparsed("{}"), .unparsed("1,2"), [1, "2"]] {
            #expect(throws: FlagValueError.self) { try [Int](encoded: value) }
        }
    }

    @Test("accepts every value for an EncodedFlagValue, and parses an unparsed text as JSON")
    func encodedFlagValues() throws {
        #expect(try EncodedFlagValue(encoded: .null) == .null)
        #expect(try EncodedFlagValue(encoded: ["a": [1, 1.0]]) == ["a": [1, 1.0]])
        #expect(try EncodedFlagValue(encoded: .unparsed("[1, 1.0, true]")) == [1, 1.0, true])
        #expect(throws: FlagValueError.self) { try EncodedFlagValue(encoded: .unparsed("on")) }
    }
}
