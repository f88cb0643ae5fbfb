package import Foundation
package import TacklineCore

/// Seeded values of every kind, with the awkward ones more frequent than chance would have them.
package struct ArbitraryValues {
    package var random: SeededGenerator

    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    package mutating func bool() -> Bool {
        random.next() & 1 == 0
    }

    package mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .min
        case 1: .max
        case 2: 0
        case 3: Number(Int8.random(in: 0...9, using: &random))
        default: Number.random(in: .min ... .max, using: &random)
        }
    }

    /// A finite number.
    package mutating func double() -> Double {
        let awkward = [
            0, -0.0, 1, -1, 0.1, 1e300, -1e-300, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude,
            .leastNormalMagnitude, 9007199254740994,
            1e22, 1e23, 123456789012345680, 0.30000000000000004,
        ]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return awkward[Int.random(in: 0..<awkward.count, using: &random)]
        case 1: return Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1000
        default:
            let number = Double(bitPattern: random.next())
            return number.isFinite ? number : 0.5
        }
    }

    package mutating func float() -> Float {
        let number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        return number.isFinite ? number : 0.1
    }

    package mutating func string() -> String {
        let pieces = [
            "", "a", "flag", "é", "e\u{301}", "😀", "👨‍👩‍👧", "\u{0}", "\n", "\r\n", "\t", "\u{1}", "\u{7F}", "\u{2028}",
            "\"", "\\", "/", "$",
            "$null", "$date ", "$integer 5", "$text ", "<", "&", "]]>", "\u{FFFF}", "\u{10FFFF}", "\u{FEFF}", " ",
            "true",
            "ab\u{1F}cdefghijklmnopqrstuvwxyz",
        ]
        let count = Int.random(in: 0..<5, using: &random)
        return (0..<count).map { _ in
            bool() ? pieces[Int.random(in: 0..<pieces.count, using: &random)] : String(Character(scalar()))
        }.joined()
    }

    /// A scalar of any of the 17 planes.
    package mutating func scalar() -> Unicode.Scalar {
        let plane = UInt32.random(in: 0...16, using: &random)
        return Unicode.Scalar(plane << 16 | UInt32.random(in: 0...0xFFFF, using: &random)) ?? "\u{FFFD}"
    }

    /// A decimal number of up to 38 digits, of any size.
    package mutating func decimal() -> Decimal {
        let awkward: [Decimal] = [
            0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi,
        ]
        if Int.random(in: 0..<6, using: &random) == 0 {
            return awkward[Int.random(in: 0..<awkward.count, using: &random)]
        }
        let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
            String(Int.random(in: 0...9, using: &random))
        }
        let exponent = Int.random(in: bool() ? -6...6 : -90...90, using: &random)
        return Decimal(string: (bool() ? "-" : "") + digits.joined() + "e\(exponent)") ?? 0
    }

    package mutating func data() -> Data {
        let count = Int.random(in: 0..<40, using: &random)
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    /// A decimal number that a `Double` holds as well, as a price does.
    package mutating func price() -> Decimal { Decimal(integer(Int32.self)) / 100 }

    /// A date of the years 1 to 9999, in whole milliseconds.
    package mutating func date() -> Date {
        let range: Range<Int64> = -63_113_904_000_000..<252_423_993_600_000
        let awkward = [0, 100, -1, 720_000_000_100, range.lowerBound, range.upperBound - 1, -500, 57, 700_000_000_000]
        let milliseconds =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: awkward[Int.random(in: 0..<awkward.count, using: &random)]
            case 1: Int64.random(in: range, using: &random) / 1000 * 1000
            case 2: Int64.random(in: -2000...2000, using: &random)
            default: Int64.random(in: range, using: &random)
            }
        return Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
    }

    package mutating func uuid() -> UUID {
        withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// A value without data, dates and untyped texts, which JSON holds exactly.
    package mutating func jsonValue(levels: Int = 4) -> EncodedFlagValue {
        switch Int.random(in: 0..<(levels > 0 ? 9 : 6), using: &random) {
        case 0: .null
        case 1: .bool(bool())
        case 2: .integer(integer())
        case 3: .double(double())
        case 4, 5: .string(string())
        case 6: .array(list { $0.jsonValue(levels: levels - 1) })
        default: .object(members { $0.jsonValue(levels: levels - 1) })
        }
    }

    /// A value that a property list gives back exactly, in each format.
    package mutating func propertyListValue(levels: Int = 4) -> EncodedFlagValue {
        switch Int.random(in: 0..<(levels > 0 ? 11 : 8), using: &random) {
        case 0, 1: return .bool(bool())
        case 2: return .integer(bool() ? Int128(integer(Int64.self)) : Int128(integer(UInt64.self)))
        case 3:
            // A property list gives back 1 for 1.0.
            let number = double()
            return .double(Int64(exactly: number) == nil && UInt64(exactly: number) == nil ? number : 0.5)
        case 4, 5:
            let text = string()
            return .string(text.utf8.starts(with: "$null".utf8) ? "null" : text)
        case 6: return .data(data())
        case 7:
            return .date(Date(timeIntervalSinceReferenceDate: Double(UInt32.random(in: 0 ... .max, using: &random))))
        case 8: return .array(list { $0.propertyListValue(levels: levels - 1) })
        default:
            return .object(
                members { $0.propertyListValue(levels: levels - 1) }.filter { !$0.key.utf8.starts(with: "$null".utf8) })
        }
    }

    package mutating func list<Element>(_ element: (inout ArbitraryValues) -> Element) -> [Element] {
        let count = Int.random(in: 0..<5, using: &random)
        var elements: [Element] = []
        for _ in 0..<count { elements.append(element(&self)) }
        return elements
    }

    package mutating func members<Value>(_ value: (inout ArbitraryValues) -> Value) -> [String: Value] {
        let count = Int.random(in: 0..<5, using: &random)
        var members: [String: Value] = [:]
        for _ in 0..<count { members[string()] = value(&self) }
        return members
    }
}

extension EncodedFlagValue {
    /// The value with integers for all whole numbers, as a property list gives it back.
    package var withWholeNumbers: EncodedFlagValue {
        switch self {
        case .double(let number): Int128(exactly: number).map { .integer($0) } ?? self
        case .array(let elements): .array(elements.map(\.withWholeNumbers))
        case .object(let members): .object(members.mapValues(\.withWholeNumbers))
        default: self
        }
    }
}
