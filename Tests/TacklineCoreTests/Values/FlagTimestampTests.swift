import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

@Suite("A timestamp")
struct FlagTimestampTests {
    private func date(_ text: String) -> Double? {
        (try? Date(encoded: .string(text)))?.timeIntervalSinceReferenceDate
    }

    private func text(_ interval: Double) -> String? {
        try? FlagTimestamp.text(of: Date(timeIntervalSinceReferenceDate: interval))
    }

    @Test("has as many digits of the milliseconds as it needs, and is read back as it was")
    func formatting() {
        let cases: [(Double, String)] = [
            (0, "2001-01-01T00:00:00Z"), (0.1, "2001-01-01T00:00:00.1Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
            (-0.001, "2000-12-31T23:59:59.999Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
            (7.2e8 + 0.1, "2023-10-26T08:00:00.1Z"), (-63_114_076_800, "0001-01-01T00:00:00Z"),
            (252_423_993_599, "9999-12-31T23:59:59Z"), (-1.25, "2000-12-31T23:59:58.75Z"),
            (0.057, "2001-01-01T00:00:00.057Z"), (252_423_993_599.999, "9999-12-31T23:59:59.999Z"),
        ]
        for (interval, expected) in cases {
            #expect(text(interval) == expected && date(expected) == interval, "\(interval)")
        }
        // It is the same after a round trip in every year. The step is a prime number of days.
        for day in stride(from: -730_487, to: 2_921_572, by: 97) {
            let interval = Double(day) * 86400 + 0.25
            #expect(text(interval).flatMap(date) == interval)
        }
        #expect(text(Date.distantPast.timeIntervalSinceReferenceDate) == "0001-01-01T00:00:00Z")
        #expect(text(Date.distantFuture.timeIntervalSinceReferenceDate) == "4001-01-01T00:00:00Z")
        // Rounded to milliseconds where it is written.
        #expect(text(0.0006) == "2001-01-01T00:00:00.001Z" && text(-1e-20) == "2001-01-01T00:00:00Z")
    }

    @Test("is parsed with any offset and in upper or lower case, and cut off at milliseconds")
    func parsing() {
        let cases: [(String, Double)] = [
            ("2001-01-01t01:30:00+01:30", 0), ("2000-12-31T19:00:00.500-05:00", 0.5), ("2001-01-01T00:00:00z", 0),
            ("2001-01-01T00:00:00-00:00", 0), ("2000-02-29T00:00:00Z", -26_524_800), ("2001-01-01T23:59:00+23:59", 0),
            ("2001-01-01T00:00:00.000999Z", 0), ("2001-01-01T00:00:00.25000000000Z", 0.25),
        ]
        for (text, interval) in cases { #expect(date(text) == interval, "\(text)") }
    }

    @Test("is refused if it is invalid or a Date can't represent it")
    func refusedTexts() {
        let cases = [
            "", "2001", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01 00:00:00Z", "2001-1-1T00:00:00Z",
            "2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2001-04-31T00:00:00Z", "2001-01-00T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z",
            "2016-12-31T23:59:60Z", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00,5Z", "2001-01-01T00:00:00+0100",
            "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+01:60", "2001-01-01T00:00:00+01", "2001-01-01T00:00:00ZZ",
            " 2001-01-01T00:00:00Z", "0000-12-31T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
            "+2001-01-01T00:00:00Z", "２001-01-01T00:00:00Z", "2001-02-30T08:00:00Z", "2001-01-01T25:00:00Z",
            "2001-01-01T08:00:00Zjunk", "2001-01-01T08:00:00Z ",
            "2001-01-01T00:00:00." + String(repeating: "1", count: 1_000_000) + "Z",
        ]
        for text in cases {
            #expect(date(text) == nil, "\(text.prefix(80))")
        }
    }
}
