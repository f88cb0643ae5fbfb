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

    @Test("is written as JSONEncoder writes it, and read as JSONDecoder reads it")
    func likeFoundation() throws {
        var arbitrary = ArbitraryValues(seed: 3)
        for _ in 0..<500 {
            let offer = Offer(price: arbitrary.decimal(), former: arbitrary.list { $0.decimal() })
            let ours = try FlagJSONWriter().bytes(of: offer.encoded)
            #expect(try JSONDecoder().decode(Offer.self, from: Data(ours)) == offer)
            // Beyond 2¹²⁷ the reader wants an exponent or a fraction, which `JSONEncoder` doesn't write.
            guard (offer.former + [offer.price]).allSatisfy({ ($0 ?? 0).magnitude < 1e38 }) else { continue }
            let foundations = try JSONEncoder().encode(offer)
            #expect(try Offer(encoded: FlagJSONReader().read(Array(foundations))) == offer)
        }
    }

    @Test("keeps the digits that a Double would lose")
    func digits() throws {
        let cases: [String] = [
            "0.1234567890123456789", "0.10000000000000001", "123456789012345678.25", "1.00000000000000001",
            "0.3000000000000000444", "9007199254740993.0", "12345678901234567890123456789012345678.0",
            "0.9007199254740991", "0.9007199254740992", "4.35", "1e-100", "1.7e100",
        ]
        for text in cases {
            let value = try FlagJSONReader().read(text)
            #expect(try Decimal(encoded: value) == Decimal(string: text), "\(text)")
            #expect(try Double(encoded: value) == Double(text), "\(text)")
            #expect(try Decimal(encoded: .unparsed(text)) == Decimal(string: text), "\(text)")
        }
    }

    @Test("refuses what it can't hold")
    func refused() throws {
        let cases: [String] = ["1e300", "1e-300", "\"9.99\"", "true", "{}"]
        for text in cases {
            let value = try FlagJSONReader().read(text)
            #expect(throws: FlagValueError.self) { try Decimal(encoded: value) }
        }
    }

    @Test("is not encoded where it is not a number")
    func notANumber() {
        #expect(throws: FlagValueError.self) { try Decimal.nan.encoded }
    }
}
