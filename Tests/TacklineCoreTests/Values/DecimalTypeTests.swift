import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

private struct Offer: Codable, FlagValue, Equatable {
    var price: Decimal
    var former: [Decimal?] = []
}

@Suite("Foundation's Decimal")
struct DecimalTypeTests {
    @Test("in a Codable flag is read from JSON and written to it as a number")
    func member() throws {
        let value = try FlagJSONReader().read(#"{"price": 9.99, "former": [10, 10.50, null, -0.1, 1e3]}"#)
        let offer = try Offer(encoded: value)
        #expect(offer.price.description == "9.99")
        #expect(offer.former.map { $0?.description } == ["10", "10.5", nil, "-0.1", "1000"])
        let text = try FlagJSONWriter(layout: .compact).text(of: offer.encoded)
        #expect(text == #"{"former":[10,10.5,null,-0.1,1000],"price":9.99}"#)
    }

    @Test("has every digit of a text in the form of a JSON number, and is a number if that has all of them")
    func digits() throws {
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
    }

    @Test("refuses what it can't hold, and text in any other form")
    func refused() {
        let cases: [EncodedFlagValue] = [
            1e300, 1e-300, true, [:], .null, .double(.nan), .double(.infinity), "12abc", "1.2.3", "", "+1", ".5", "1.",
            "01", " 1", "1 ", "0x1", "NaN", "1e", "١", .unparsed("12abc"), .unparsed("+1"), "1e300",
            "1234567890123456789012345678901234567890.5", .unparsed("0.1234567890123456789012345678901234567890123"),
        ]
        for value in cases {
            #expect(throws: FlagValueError.self, "\(value)") { try Decimal(encoded: value) }
        }
        #expect(throws: FlagValueError.self) { try Decimal.nan.encoded }
    }
}

@Suite("A duration")
struct DurationTypeTests {
    @Test("is a number of seconds, and equal after a round trip to the attosecond")
    func roundTrip() throws {
        let cases: [(Duration, EncodedFlagValue)] = [
            (.seconds(5), 5), (.milliseconds(250), 0.25), (.seconds(-3), -3), (.milliseconds(-250), -0.25), (.zero, 0),
            (.nanoseconds(1), 1e-9), (Duration(secondsComponent: 0, attosecondsComponent: -1), -1e-18),
            (.seconds(Int64.max), .integer(Int128(Int64.max))),
            (
                Duration(secondsComponent: 12_345_678_901, attosecondsComponent: 123_456_789_012_345_678),
                "12345678901.123456789012345678"
            ),
        ]
        for (duration, encoded) in cases {
            #expect(duration.encoded == encoded, "\(duration)")
            #expect(try Duration(encoded: encoded) == duration, "\(duration)")
            let text = try FlagJSONWriter(layout: .compact).text(of: duration.encoded)
            #expect(try Duration(encoded: FlagJSONReader().read(text)) == duration, "\(duration)")
        }
        #expect(try Duration(encoded: .unparsed("0.1")) == .milliseconds(100))
    }

    @Test("refuses more than 18 digits after the point, and what an Int64 can't hold")
    func refused() {
        for value: EncodedFlagValue in [
            "x", true, .null, 1e-19, 1e19, .double(.nan), .unparsed(""), "5 s", .unparsed("0x10"), .integer(.max),
            .integer(.min),
        ] {
            #expect(throws: FlagValueError.self, "\(value)") { try Duration(encoded: value) }
        }
    }
}
