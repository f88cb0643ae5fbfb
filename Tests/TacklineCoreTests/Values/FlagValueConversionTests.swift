import Foundation
import TacklineCore
import Testing

@Suite("A built-in flag type")
struct FlagValueConversionTests {
    /// Checks which values a type takes, and as what, and which it refuses.
    private func check<Value: FlagValue & Equatable>(
        _ type: Value.Type, takes taken: KeyValuePairs<EncodedFlagValue, Value>, refuses refused: [EncodedFlagValue],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (encoded, value) in taken {
            let decoded = try? Value(encoded: encoded)
            #expect(decoded == value, "\(type) from \(encoded)", sourceLocation: sourceLocation)
        }
        for encoded in refused {
            #expect(
                throws: FlagValueError.self, "\(type) accepted \(encoded)", sourceLocation: sourceLocation,
                performing: { try Value(encoded: encoded) })
        }
    }

    @Test("takes Booleans and unparsed words for a Bool, and nothing else")
    func bools() {
        check(
            Bool.self,
            takes: [
                true: true, false: false, .unparsed("TRUE"): true, .unparsed("Yes"): true, .unparsed("on"): true,
                .unparsed("1"): true, .unparsed("false"): false, .unparsed("no"): false, .unparsed("OFF"): false,
                .unparsed("0"): false,
            ],
            refuses: [1, 0, 1.0, "true", .null, [true], ["a": true], .data(Data([1]))]
                + ["", " true", "true ", "2", "t", "y"].map { .unparsed($0) })
    }

    private func checkIntegers<Number: FlagValue & FixedWidthInteger>(_ type: Number.Type) {
        check(
            type,
            takes: [
                5: 5, 5.0: 5, .unparsed("5"): 5, .unparsed("\(Number.max)"): .max, .unparsed("\(Number.min)"): .min,
                (try? Number.max.encoded) ?? .null: .max,
            ],
            refuses: [
                .null, true, 1.5, "5", .double(.nan), .double(.infinity), .double(1e300), [5], ["a": 5],
            ] + ["", " 5", "5 ", "+5", "-", "0x5", "5.0", "٥", "\(Number.max)0"].map { .unparsed($0) })
        if let beyond = Int128(exactly: Number.max).flatMap({ $0 < .max ? $0 + 1 : nil }) {
            check(type, takes: [:], refuses: [.integer(beyond), .unparsed("\(beyond)")])
        }
    }

    @Test("takes only integral numbers in range for every integer type")
    func integers() {
        let types: [any (FlagValue & FixedWidthInteger).Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, UInt128.self,
        ]
        for type in types { checkIntegers(type) }
        check(Int8.self, takes: [-5: -5, -5.0: -5, .unparsed("-128"): -128], refuses: [-129, 128, -128.5])
        // What `EncodedFlagValue.integer` can't hold is a string of digits.
        #expect(UInt128.max.encoded == "340282366920938463463374607431768211455")
        check(
            UInt128.self, takes: ["170141183460469231731687303715884105728": 1 << 127],
            refuses: ["170141183460469231731687303715884105727", -1])
    }

    @Test("takes numbers for a Double, and integers only if they are exactly representable")
    func doubles() {
        check(
            Double.self,
            takes: [
                1.5: 1.5, 5: 5, 9_007_199_254_740_992: 0x1p53, .integer(1 << 100): 0x1p100, .unparsed("1.5e3"): 1500,
                .unparsed("-2"): -2, .unparsed("9007199254740992"): 0x1p53, .double(.infinity): .infinity,
            ],
            refuses: [.null, true, "1.5", [1.5], 9_007_199_254_740_993, .integer(.max)]
                + [
                    "9007199254740993", "-9007199254740993", "", "nan", "NaN", "inf", "-infinity", "0x1p3", " 1", "1 ",
                    "1,5", "1e999", "e", ".",
                ].map { .unparsed($0) })
        #expect((try? Double(encoded: .unparsed("-0")))?.sign == .minus)
    }

    @Test("rounds decimal numbers for a Float, but takes only exactly representable integers")
    func floats() {
        check(
            Float.self,
            takes: [0.1: 0.1, .unparsed("0.1"): 0.1, 16_777_216: 0x1p24, .unparsed("16777216"): 0x1p24],
            refuses: [
                1e39, .unparsed("1e39"), .unparsed("nan"), 16_777_217, .unparsed("16777217"), "0.1", true, .null,
            ])
        #expect(Float(0.1).encoded == 0.1)
    }

    @Test("takes every digit of a text in the form of a JSON number for a Decimal, or refuses it")
    func decimals() throws {
        let cases: [(String, EncodedFlagValue)] = [
            ("9.99", 9.99), ("10", 10), ("-0.1", -0.1), ("0", 0), ("4.35", 4.35), ("1e-100", 1e-100), ("-1E+2", -100),
            ("1e30", .integer(1_000_000_000_000_000_000_000_000_000_000)),
            ("9007199254740993.0", 9_007_199_254_740_993),
            ("0.1234567890123456789", "0.1234567890123456789"), ("0.10000000000000001", "0.10000000000000001"),
            ("123456789012345678.25", "123456789012345678.25"), ("1.00000000000000001", "1.00000000000000001"),
            ("0.3000000000000000444", "0.3000000000000000444"),
            ("12345678901234567890123456789012345678.0", .integer(12_345_678_901_234_567_890_123_456_789_012_345_678)),
        ]
        for (text, encoded) in cases {
            let number = try #require(Decimal(string: text))
            for form in [.string(text), .unparsed(text), encoded] {
                #expect(try Decimal(encoded: form) == number, "\(form)")
            }
            #expect(try number.encoded == encoded, "\(text)")
        }
        check(
            Decimal.self, takes: [:],
            refuses: [
                1e300, 1e-300, true, [:], .null, .double(.nan), .double(.infinity), "12abc", "1.2.3", "", "+1", ".5",
                "1.", "01", " 1", "1 ", "0x1", "NaN", "1e", "١", .unparsed("12abc"), .unparsed("+1"), "1e300",
                "1234567890123456789012345678901234567890.5",
                .unparsed("0.1234567890123456789012345678901234567890123"),
            ])
        #expect(throws: FlagValueError.self) { try Decimal.nan.encoded }
    }

    @Test("takes seconds with up to 18 digits after the point for a Duration")
    func durations() throws {
        let cases: KeyValuePairs<EncodedFlagValue, Duration> = [
            5: .seconds(5), 0.25: .milliseconds(250), -3: .seconds(-3), -0.25: .milliseconds(-250), 0: .zero,
            1e-9: .nanoseconds(1), -1e-18: Duration(secondsComponent: 0, attosecondsComponent: -1),
            .integer(Int128(Int64.max)): .seconds(Int64.max),
            "12345678901.123456789012345678":
                Duration(secondsComponent: 12_345_678_901, attosecondsComponent: 123_456_789_012_345_678),
        ]
        for (encoded, duration) in cases { #expect((try? duration.encoded) == encoded, "\(duration)") }
        check(
            Duration.self, takes: cases,
            refuses: [
                "x", true, .null, 1e-19, 1e19, .double(.nan), .unparsed(""), "5 s", .unparsed("0x10"), .integer(.max),
                .integer(.min),
            ])
        check(Duration.self, takes: [.unparsed("0.1"): .milliseconds(100)], refuses: [])
    }

    @Test("takes strings, and texts in the form of a date, of base64, of a URL or of a UUID")
    func texts() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        check(
            String.self, takes: ["a": "a", .unparsed(" a "): " a ", .unparsed(""): ""],
            refuses: [.null, 1, 1.0, true, ["a"], .data(Data()), .date(date)])
        check(
            Date.self,
            takes: [.date(date): date, "2001-01-01T00:00:00Z": date, .unparsed("2001-01-01T01:00:00+01:00"): date],
            refuses: [.null, 0, 0.0, .unparsed("0"), "2001-01-01", ""])
        check(
            Data.self,
            takes: [
                .data(Data([1, 2])): Data([1, 2]), "AQI=": Data([1, 2]), .unparsed("AQI="): Data([1, 2]), "": Data(),
            ],
            refuses: [.null, 1, "AQI", "A QI=", "AQI=\n", "%%%%", "====", "AR==", "AQ==AQ==", "-_8=", [1, 2]])
        let url = try #require(URL(string: "https://example.com/a?b=c#d"))
        check(
            URL.self, takes: ["https://example.com/a?b=c#d": url, .unparsed(url.absoluteString): url],
            refuses: [.null, "", "example.com", "/a/b", "https://exa mple.com/", 1, .unparsed("")])
        let relative = try #require(URL(string: "a/b"))
        #expect(throws: FlagValueError.self) { try relative.encoded }
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        check(
            UUID.self,
            takes: [.string(uuid.uuidString): uuid, .unparsed("e621e1f8-c36c-495a-93fc-0c247a3e6e5f"): uuid],
            refuses: [.null, "", "E621E1F8", "E621E1F8-C36C-495A-93FC-0C247A3E6E5Fx", 1])
    }

    @Test("takes null for an optional, and never makes nil of another value")
    func optionals() {
        check(
            Int?.self, takes: [.null: nil, 5: 5, .unparsed("5"): 5],
            refuses: ["5", true, .unparsed(""), .unparsed("null")])
        check(String?.self, takes: [.unparsed(""): ""], refuses: [1])
        #expect((try? Int?.none.encoded) == .null)
    }

    @Test("refuses an array or a dictionary if any part is refused")
    func containers() {
        check(
            [Int].self, takes: [[1, 2.0]: [1, 2], .unparsed("[1, 2]"): [1, 2]],
            refuses: [.null, 1, ["a": 1], .unparsed("{}"), .unparsed("1,2"), [1, "2"]])
        check([Int?].self, takes: [[1, .null]: [1, nil]], refuses: [.null])
        check(
            [String: Bool].self, takes: [["a": true]: ["a": true], .unparsed(#"{"a": true}"#): ["a": true]],
            refuses: [["a": 1]])
        #expect(throws: FlagValueError(expected: "true or false", found: 1, path: ["b", "0"])) {
            try [String: [Bool]](encoded: ["b": [1]])
        }
        check(
            EncodedFlagValue.self,
            takes: [.null: .null, ["a": [1, 1.0]]: ["a": [1, 1.0]], .unparsed("[1, 1.0]"): [1, 1.0]],
            refuses: [.unparsed("on")])
    }
}
