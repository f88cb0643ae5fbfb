import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

private enum Level: String, CaseIterable, Codable, FlagValue { case low, high, größe, none = "" }

private enum Code: Int64, CaseIterable, Codable, FlagValue {
    case least = -9_223_372_036_854_775_808, zero = 0, one = 1
}

/// What a `Codable` type of an app may contain.
private indirect enum Rule: Codable, FlagValue, Equatable {
    case price(Decimal)
    case levels([Level?])
    case codes([Code: [Decimal?]])
    case numbers([Int: Double], big: UInt64?)
    case all([Rule], not: Rule?)
    case texts([String: [String?]?])
    case nothing

    static func arbitrary(_ values: inout ArbitraryValues, levels: Int = 3) -> Rule {
        switch Int.random(in: 0..<(levels > 0 ? 7 : 5), using: &values.random) {
        case 0: .price(values.price())
        case 1: .levels(values.list { $0.bool() ? Level.allCases.randomElement(using: &$0.random) : nil })
        case 2: .codes([.one: values.list { $0.bool() ? $0.price() : nil }, .least: []])
        case 3: .numbers([values.integer(): values.double()], big: values.bool() ? values.integer() : nil)
        case 4: .texts(values.members { $0.bool() ? $0.list { $0.bool() ? $0.string() : nil } : nil })
        case 5: .nothing
        default:
            .all(
                values.list { arbitrary(&$0, levels: levels - 1) },
                not: values.bool() ? arbitrary(&values, levels: levels - 1) : nil)
        }
    }
}

private struct Settings: Codable, FlagValue, Equatable {
    var name: String
    var counts: [Int64]
    var weights: [String: Double]
    var start: Date?
    var blob: Data
    var id: UUID
    var nested: [Settings]?
    var flag: Bool

    static func arbitrary(_ values: inout ArbitraryValues, levels: Int = 2) -> Settings {
        Settings(
            name: values.string(),
            counts: values.list { $0.integer() },
            weights: values.members { $0.double() },
            start: values.bool() ? values.date() : nil,
            blob: values.data(),
            id: values.uuid(),
            nested: levels > 0 ? values.list { arbitrary(&$0, levels: levels - 1) } : nil,
            flag: values.bool()
        )
    }
}

@Suite("A round trip")
struct RoundTripTests {
    private enum Format: CaseIterable {
        case memory, prettyJSON, compactJSON

        func roundTrip(_ value: EncodedFlagValue) throws -> EncodedFlagValue {
            switch self {
            case .memory: value
            case .prettyJSON: try FlagJSONReader().read(FlagJSONWriter(layout: .pretty).bytes(of: value))
            case .compactJSON: try FlagJSONReader().read(FlagJSONWriter(layout: .compact).bytes(of: value))
            }
        }
    }

    private func check<Value: FlagValue & Equatable>(
        seed: UInt64,
        _ make: (inout ArbitraryValues) -> Value
    ) throws {
        var arbitrary = ArbitraryValues(seed: seed)
        for _ in 0..<40 {
            let value = make(&arbitrary)
            for format in Format.allCases {
                let result = try Value(encoded: try format.roundTrip(value.encoded))
                #expect(result == value, "through \(format), seed \(seed)")
            }
        }
    }

    @Test("through JSON preserves every scalar value")
    func scalars() throws {
        for seed in UInt64(1)...5 {
            func checkInteger<Number: FlagValue & FixedWidthInteger>(_ type: Number.Type) throws {
                try check(seed: seed) { $0.integer(type) }
            }
            let integers: [any (FlagValue & FixedWidthInteger).Type] = [
                Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
                UInt16.self,
                UInt32.self, UInt64.self, UInt128.self,
            ]
            for type in integers { try checkInteger(type) }
            try check(seed: seed) { $0.bool() }
            try check(seed: seed) { $0.string().encoded }
            try check(seed: seed) { $0.double() }
            try check(seed: seed) { $0.float() }
            try check(seed: seed) { $0.decimal() }
            try check(seed: seed) { Level.allCases.randomElement(using: &$0.random) }
            try check(seed: seed) { Code.allCases.randomElement(using: &$0.random) }
            try check(seed: seed) { $0.data() }
            try check(seed: seed) { $0.date() }
            try check(seed: seed) { $0.uuid() }
            try check(seed: seed) { URL(string: "https://example.com/\($0.integer(UInt.self))?q=%20#x") }
        }
    }

    @Test("preserves containers and Codable values")
    func containers() throws {
        for seed in UInt64(1)...2 {
            try check(seed: seed) { $0.list { $0.string() } }
            try check(seed: seed) { $0.members { $0.date() } }
            try check(seed: seed) { $0.list { $0.bool() ? $0.double() : nil } }
            try check(seed: seed) { $0.members { $0.list { $0.integer(UInt64.self) } } }
            try check(seed: seed) { $0.bool() ? $0.string() : nil }
            try check(seed: seed) { Settings.arbitrary(&$0) }
            try check(seed: seed + 10) { Rule.arbitrary(&$0) }
            try check(seed: seed + 20) { $0.list { Rule.arbitrary(&$0) } }
        }
    }

    @Test("through JSON preserves nested values and their text")
    func nestedValuesInJSON() throws {
        for seed in UInt64(1)...20 {
            var arbitrary = ArbitraryValues(seed: seed)
            for _ in 0..<50 {
                let value = arbitrary.jsonValue()
                for layout in [FlagJSONWriter.Layout.compact, .pretty] {
                    let bytes = try FlagJSONWriter(layout: layout).bytes(of: value)
                    let result = try FlagJSONReader().read(bytes)
                    #expect(result == value, "\(seed)")
                    #expect(try FlagJSONWriter(layout: layout).bytes(of: result) == bytes, "\(seed)")
                }
            }
        }
    }
}
