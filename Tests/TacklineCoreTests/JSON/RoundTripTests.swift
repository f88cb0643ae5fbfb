import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

private enum Level: String, CaseIterable, Codable, FlagValue { case low, high, größe, none = "" }

/// What a `Codable` type of an app may contain.
private indirect enum Rule: Codable, FlagValue, Equatable {
    struct Place: Codable, Equatable {
        var name: String
        var start: Date?
        var blob: Data
        var id: UUID
    }

    case price(Decimal)
    case levels([Level?])
    case numbers([Int: [Decimal?]], big: UInt64?)
    case all([Rule], not: Rule?)
    case texts([String: [String?]?])
    case place(Place, isOn: Bool)
    case nothing

    static func arbitrary(_ values: inout ArbitraryValues, levels: Int = 3) -> Rule {
        switch Int.random(in: 0..<(levels > 0 ? 7 : 5), using: &values.random) {
        case 0: .price(values.price())
        case 1: .levels(values.list { $0.bool() ? Level.allCases.randomElement(using: &$0.random) : nil })
        case 2:
            .numbers(
                [values.integer(): values.list { $0.bool() ? $0.price() : nil }],
                big: values.bool() ? values.integer() : nil)
        case 3: .texts(values.members { $0.bool() ? $0.list { $0.bool() ? $0.string() : nil } : nil })
        case 4: .nothing
        case 5:
            .place(
                Place(
                    name: values.string(), start: values.bool() ? values.date() : nil, blob: values.data(),
                    id: values.uuid()),
                isOn: values.bool())
        default:
            .all(
                values.list { arbitrary(&$0, levels: levels - 1) },
                not: values.bool() ? arbitrary(&values, levels: levels - 1) : nil)
        }
    }
}

@Suite("A round trip")
struct RoundTripTests {
    private func check<Value: FlagValue & Equatable>(seed: UInt64, _ make: (inout ArbitraryValues) -> Value) throws {
        var arbitrary = ArbitraryValues(seed: seed)
        for _ in 0..<40 {
            let value = make(&arbitrary)
            #expect(try Value(encoded: value.encoded) == value, "seed \(seed)")
            for layout in [FlagJSONWriter.Layout.compact, .pretty] {
                let bytes = try FlagJSONWriter(layout: layout).bytes(of: value.encoded)
                let read = try FlagJSONReader().read(bytes)
                #expect(try Value(encoded: read) == value, "\(layout), seed \(seed)")
                #expect(try FlagJSONWriter(layout: layout).bytes(of: read) == bytes, "\(layout), seed \(seed)")
            }
        }
    }

    @Test("through JSON preserves every scalar value", arguments: UInt64(1)...5)
    func scalars(seed: UInt64) throws {
        func checkInteger<Number: FlagValue & FixedWidthInteger>(_ type: Number.Type) throws {
            try check(seed: seed) { $0.integer(type) }
        }
        let integers: [any (FlagValue & FixedWidthInteger).Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, UInt128.self,
        ]
        for type in integers { try checkInteger(type) }
        try check(seed: seed) { $0.bool() }
        try check(seed: seed) { $0.string() }
        try check(seed: seed) { $0.double() }
        try check(seed: seed) { $0.float() }
        try check(seed: seed) { $0.decimal() }
        try check(seed: seed) { Level.allCases.randomElement(using: &$0.random) }
        try check(seed: seed) { $0.data() }
        try check(seed: seed) { $0.date() }
        try check(seed: seed) { $0.uuid() }
        try check(seed: seed) { URL(string: "https://example.com/\($0.integer(UInt.self))?q=%20#x") }
    }

    @Test("through JSON preserves containers, Codable values and nested values", arguments: UInt64(1)...5)
    func containers(seed: UInt64) throws {
        try check(seed: seed) { $0.list { $0.string() } }
        try check(seed: seed) { $0.members { $0.date() } }
        try check(seed: seed) { $0.list { $0.bool() ? $0.double() : nil } }
        try check(seed: seed) { $0.members { $0.list { $0.integer(UInt64.self) } } }
        try check(seed: seed) { $0.bool() ? $0.string() : nil }
        try check(seed: seed) { Rule.arbitrary(&$0) }
        try check(seed: seed) { $0.list { Rule.arbitrary(&$0) } }
        try check(seed: seed) { $0.jsonValue() }
    }
}
