#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Date` is the type that is read and written. No `DateFormatter`, which knows neither all fractions nor
// exact rounding.

/// Dates as text in the form of RFC 3339.
///
/// Seconds are `Int64` because `Int` has 32 bits on a watch.
///
/// A `Date` is a binary floating-point number of seconds. It is written with the shortest decimal fraction that is read
/// back as the very same number, and a fraction is read by rounding the exact decimal once; so every date of the years
/// 1 to 9999 survives, however small its fraction. All arithmetic between the two is on decimal digits.
enum FlagTimestamp {
    /// The first and the last second that have a text, counted from the reference date 2001-01-01T00:00:00Z.
    private static let seconds = secondsAtStart(year: 1)..<secondsAtStart(year: 10000)

    /// More fraction digits than the shortest form of any `Double` has (324).
    private static let maximumFractionDigits = 400

    private static func secondsAtStart(year: Int64) -> Int64 {
        (days(year: year, month: 1, day: 1) - days(year: 2001, month: 1, day: 1)) * 86400
    }

    // MARK: Writing

    /// The text in UTC, `2026-11-21T08:00:00.25Z`, with as many fraction digits as it takes and no more.
    ///
    /// - Throws: ``FlagValueError`` for a date outside the years 1 to 9999.
    static func text(of date: Date) throws(FlagValueError) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval >= Double(seconds.lowerBound), interval < Double(seconds.upperBound) else {
            throw .encoding(Date.self, path: [], detail: "the date is outside the years 1 to 9999")
        }
        var (whole, fraction) = decimalDigits(of: interval.magnitude)
        if interval < 0 {
            whole = -whole
            if !fraction.isEmpty {
                // -2.25 is the second -3 and 0.75 of it.
                whole -= 1
                fraction = complement(of: fraction)
            }
        }
        let (day, second) = whole.flooredQuotientAndRemainder(dividingBy: 86400)
        let date = civilDate(days: day + days(year: 2001, month: 1, day: 1))
        var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
        text += "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        if !fraction.isEmpty {
            text += "." + String(decoding: fraction, as: UTF8.self)
        }
        return text + "Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The whole part, and the digits of the fraction as ASCII without trailing zeros, of the shortest decimal that is
    /// read back as this number.
    private static func decimalDigits(of number: Double) -> (whole: Int64, fraction: [UInt8]) {
        // `description` is "12345.678" or "1e-20" or "1.25e-07".
        let parts = number.description.split(separator: "e", maxSplits: 1)
        let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let mantissa = (parts.first ?? "0").split(separator: ".", maxSplits: 1)
        var digits = Array((mantissa.first ?? "0").utf8)
        var point = digits.count + exponent
        if mantissa.count == 2 { digits += Array(mantissa[1].utf8) }
        if point < 0 {
            digits = [UInt8](repeating: zero, count: -point) + digits
            point = 0
        }
        if point > digits.count {
            digits += [UInt8](repeating: zero, count: point - digits.count)
        }
        while digits.count > point, digits.last == zero { digits.removeLast() }
        let whole = digits[..<point].reduce(Int64(0)) { $0 * 10 + Int64($1 - zero) }
        return (whole, Array(digits[point...]))
    }

    /// The digits of one minus the fraction; the fraction is not zero.
    private static func complement(of fraction: [UInt8]) -> [UInt8] {
        var digits = fraction
        var borrow = 0
        for index in digits.indices.reversed() {
            let difference = -Int(digits[index] - zero) - borrow
            digits[index] = zero + UInt8(difference < 0 ? difference + 10 : difference)
            borrow = difference < 0 ? 1 : 0
        }
        while digits.last == zero { digits.removeLast() }
        return digits
    }

    private static let zero = UInt8(ascii: "0")

    // MARK: Reading

    /// The date that the text states, or `nil` if it is not in the form of RFC 3339.
    ///
    /// Takes every offset and `T` and `Z` in either case. Refuses what has no exact `Date`: a leap second, and a
    /// moment that falls outside the years 1 to 9999 in UTC. Refuses a blank instead of `T`, which the RFC leaves to
    /// applications.
    static func date(from text: String) -> Date? {
        var text = text
        return text.withUTF8 { date(from: $0) }
    }

    private static func date(from text: UnsafeBufferPointer<UInt8>) -> Date? {
        var reader = Reader(text: text)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), (1...12).contains(month), reader.skip("-"),
            let day = reader.number(digits: 2), (1...monthLength(year: year, month: month)).contains(day),
            reader.skip("T") || reader.skip("t"),
            let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
            let minute = reader.number(digits: 2), minute < 60, reader.skip(":"),
            let second = reader.number(digits: 2), second < 60
        else { return nil }
        var fraction: [UInt8] = []
        if reader.skip(".") {
            fraction = reader.digits(atMost: maximumFractionDigits)
            guard !fraction.isEmpty else { return nil }
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let day0 = days(year: year, month: month, day: day) - days(year: 2001, month: 1, day: 1)
        let whole = day0 * 86400 + hour * 3600 + minute * 60 + second - offset
        guard seconds.contains(whole) else { return nil }
        guard let interval = seconds(whole: whole, fraction: fraction) else { return nil }
        // The end of the year 9999 less a tiny fraction rounds to the year 10000.
        guard interval < Double(seconds.upperBound) else { return nil }
        return Date(timeIntervalSinceReferenceDate: interval)
    }

    /// The number nearest to whole seconds and a decimal fraction; the standard library rounds decimal text exactly.
    private static func seconds(whole: Int64, fraction: [UInt8]) -> Double? {
        guard fraction.contains(where: { $0 != zero }) else { return Double(whole) }
        let digits = whole < 0 ? complement(of: fraction) : fraction
        let text = String(decoding: digits, as: UTF8.self)
        return whole < 0 ? Double("-\(-whole - 1).\(text)") : Double("\(whole).\(text)")
    }

    /// Reads a text from its start.
    private struct Reader {
        let text: UnsafeBufferPointer<UInt8>
        var position = 0

        init(text: UnsafeBufferPointer<UInt8>) {
            self.text = text
        }

        var isAtEnd: Bool { position == text.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        mutating func digits(atMost limit: Int) -> [UInt8] {
            var digits: [UInt8] = []
            while position < text.count, digits.count < limit, (0x30...0x39).contains(text[position]) {
                digits.append(text[position])
                position += 1
            }
            return digits
        }

        mutating func number(digits count: Int) -> Int64? {
            let digits = digits(atMost: count)
            return digits.count == count ? digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - zero) } : nil
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int64? {
            if skip("Z") || skip("z") { return 0 }
            let sign: Int64
            if skip("+") {
                sign = 1
            } else if skip("-") {
                sign = -1
            } else {
                return nil
            }
            guard let hour = number(digits: 2), hour < 24, skip(":"),
                let minute = number(digits: 2), minute < 60
            else { return nil }
            return sign * (hour * 3600 + minute * 60)
        }
    }

    // MARK: Calendar

    private static func monthLength(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar, for years from 0.
    ///
    /// From H. Hinnant, *chrono-Compatible Low-Level Date Algorithms* (`days_from_civil`), 2013.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
    }

    /// The inverse of `days` (`civil_from_days` of the same source).
    private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719468).flooredQuotientAndRemainder(dividingBy: 146097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Division that rounds down, for a positive divisor.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
