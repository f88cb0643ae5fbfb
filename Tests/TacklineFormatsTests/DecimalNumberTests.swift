import Foundation
import TacklineCore
import TacklineFormats
import Testing

private struct Limits: Codable, FlagValue, Equatable {
    var count: Int
}

private struct Ratios: Codable, FlagValue, Equatable {
    var ratio: Double
}

@Suite("A decimal number whose nearest Double is a different whole number")
struct DecimalNumberTests {
    static let texts = ["9007199254740993.0", "9007199254740992.5", "1.00000000000000001", "1e-400", "-1e-400", "1e23"]

    private func decoded<Value: FlagValue>(_ type: Value.Type, _ value: EncodedFlagValue) -> Value? {
        try? Value(encoded: value)
    }

    @Test("is refused by integer types, and rounded by Double and Float, in JSON")
    func json() throws {
        for text in Self.texts {
            let value = try FlagJSONReader().read(text)
            #expect(decoded(Int.self, value) == nil, "\(text)")
            #expect(decoded(UInt8.self, value) == nil, "\(text)")
            #expect(decoded(Int128.self, value) == nil, "\(text)")
            #expect(decoded(UInt128.self, value) == nil, "\(text)")
            #expect(decoded(Bool.self, value) == nil, "\(text)")
            #expect(decoded(String.self, value) == nil, "\(text)")
            #expect(decoded(Date.self, value) == nil, "\(text)")
            #expect(decoded(Double.self, value)?.bitPattern == Double(text)?.bitPattern, "\(text)")
            #expect(decoded(Float.self, value) == Double(text).map { Float($0) }, "\(text)")
        }
    }

    @Test("is refused and rounded alike in text from the environment")
    func text() throws {
        for text in Self.texts {
            let (file, text) = (try FlagJSONReader().read(text), EncodedFlagValue.unparsed(text))
            #expect(decoded(Int.self, text) == nil, "\(text)")
            #expect(decoded(UInt128.self, text) == nil, "\(text)")
            #expect(decoded(Double.self, text)?.bitPattern == decoded(Double.self, file)?.bitPattern, "\(text)")
            #expect(decoded(Float.self, text)?.bitPattern == decoded(Float.self, file)?.bitPattern, "\(text)")
            #expect(decoded(EncodedFlagValue.self, text) == file, "\(text)")
            #expect(decoded([Int].self, .unparsed("[\(file)]")) == nil, "\(text)")
            #expect(decoded([Double].self, .unparsed("[\(file)]"))?.first == decoded(Double.self, file), "\(text)")
        }
    }

    @Test("is refused for an integer of a Codable type, and rounded for a Double")
    func members() throws {
        for text in Self.texts {
            for value in [try FlagJSONReader().read("{\"count\": \(text)}"), .unparsed("{\"count\": \(text)}")] {
                #expect(decoded(Limits.self, value) == nil, "\(value)")
            }
            let ratio = try FlagJSONReader().read("{\"ratio\": \(text)}")
            #expect(decoded(Ratios.self, ratio)?.ratio == Double(text), "\(text)")
        }
    }

    @Test("is named by the message of an integer flag")
    func message() throws {
        let value = try FlagJSONReader().read("{\"count\": 1.00000000000000001}")
        #expect {
            try Limits(encoded: value)
        } throws: { error in
            "\(error)" == "expected an integer, found the number 1.00000000000000001 at \"count\""
        }
    }

    @Test("is written back as the same number, and stays a number in a snapshot")
    func writing() throws {
        for text in Self.texts {
            let value = try FlagJSONReader().read("{\"a\": [\(text)]}")
            let written = try FlagJSONWriter(layout: .compact).text(of: value)
            #expect(!written.contains("\"\(text)\""), "\(text)")
            #expect(try FlagJSONReader().read(written) == value, "\(text)")
            let snapshot = FlagSnapshot(
                entries: ["a": FlagSnapshot.Entry(value: value, source: .default)], separator: "/")
            let read = try JSONDecoder().decode(FlagSnapshot.self, from: JSONEncoder().encode(snapshot))
            #expect(read["a"] == value, "\(text)")
        }
    }

    @Test("equals the same number in another notation, and no other")
    func equality() throws {
        func read(_ text: String) throws -> EncodedFlagValue { try FlagJSONReader().read(text) }
        #expect(try read("1e-400") == read("10.0E-401"))
        #expect(try read("1e-400").hashValue == read("0.1e-399").hashValue)
        #expect(try read("1.00000000000000001") == read("100000000000000001e-17"))
        #expect(try read("1e-400") != read("2e-400"))
        #expect(try read("1e-400") != read("-1e-400"))
        #expect(try read("1e-400") != 0.0)
        #expect(try read("9007199254740993.0") != .double(9_007_199_254_740_992))
    }

    @Test("is not a whole number in any notation, up to the borders of 64 and 128 bits")
    func borders() throws {
        // 2⁶³ - 1024 is the largest Double below 2⁶³.
        let exact: [(String, Int128)] = [
            ("1.0", 1), ("1e18", 1_000_000_000_000_000_000), ("0.0", 0), ("0e-400", 0), ("100e-2", 1), ("0.1e1", 1),
            ("9007199254740992.0", 1 << 53), ("9223372036854775808.0", 1 << 63),
            ("9223372036854774784.0", (1 << 63) - 1024),
            ("18446744073709551616.0", 1 << 64), ("-9223372036854775808.000", -(1 << 63)),
            ("1e22", Int128("1" + String(repeating: "0", count: 22)) ?? 0),
            ("170141183460469212842221372237303250944.0", Int128.max - (1 << 74) + 1),
            ("-170141183460469231731687303715884105728.0", .min),
        ]
        for (text, number) in exact {
            #expect(decoded(Int128.self, try FlagJSONReader().read(text)) == number, "\(text)")
        }
        let refused = [
            "9223372036854775807.0", "9223372036854775807.5", "18446744073709551615.0", "-9223372036854775807.0",
            "170141183460469231731687303715884105727.0", "-170141183460469231731687303715884105727.9",
            "340282366920938463463374607431768211455.0", "1e38", "0.99999999999999999999", "5e-324",
        ]
        for text in refused {
            let value = try FlagJSONReader().read(text)
            #expect(decoded(Int64.self, value) == nil, "\(text)")
            #expect(decoded(UInt64.self, value) == nil, "\(text)")
            #expect(decoded(Int128.self, value) == nil, "\(text)")
            #expect(decoded(UInt128.self, value) == nil, "\(text)")
            #expect(decoded(Double.self, value) == Double(text), "\(text)")
        }
    }

    @Test("does not come from a Double, whose every digit is written where the shortest text is another number")
    func writtenDoubles() throws {
        for power in 50...130 {
            for number in [
                Double(sign: .plus, exponent: power, significand: 1),
                Double(sign: .minus, exponent: power, significand: 1.1),
            ] {
                let text = try FlagJSONWriter().text(of: .double(number))
                #expect(try FlagJSONReader().read(text) == .double(number), "\(text)")
            }
        }
        #expect(try FlagJSONWriter(layout: .compact).text(of: .double(1e22)) == "1e+22")
        #expect(try FlagJSONWriter(layout: .compact).text(of: .double(1e23)) == "99999999999999991611392.0")
    }

    @Test("can't be made from any other text")
    func initializer() {
        for text in ["1.0", "1", "0.5", "1e300", "1e400", "", "x", "nan", "\"", "0x1p3", " 1e-400"] {
            #expect(FlagDecimal(text) == nil, "\(text)")
        }
        #expect(FlagDecimal("1e-400")?.text == "1e-400")
        #expect(FlagDecimal("+001.000000000000000010")?.text == "1.00000000000000001")
        #expect(FlagDecimal("1e-400")?.nearestDouble == 0)
    }
}
