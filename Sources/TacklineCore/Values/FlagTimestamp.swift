// Only `Date` comes from Foundation. `DateFormatter` supports neither arbitrary fractions nor exact rounding.
#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The conversion between dates and texts in RFC 3339 format.
///
/// A `Date` is a binary floating-point number of seconds. ``text(of:)`` writes the shortest decimal fraction that
/// ``date(from:)`` converts to the same number, and ``date(from:)`` rounds the exact decimal number once. Every date of
/// the years 1 to 9999 is therefore preserved, however small its fraction is.
///
/// Fractions are processed as decimal digits. Seconds are `Int64` because `Int` has 32 bits on some watches.
package enum FlagTimestamp {
    /// The seconds of the years 1 to 9999, relative to the reference date 2001-01-01T00:00:00Z.
    private static let seconds = 86400 * days(year: 1, month: 1, day: 1)..<86400 * days(year: 10000, month: 1, day: 1)

    // The shortest decimal form of a `Double` has at most 324 fraction digits.
    private static let maximumFractionDigits = 400

    // MARK: Writing

    /// Returns the date in RFC 3339 format in UTC, such as `2026-11-21T08:00:00.25Z`.
    ///
    /// The fraction has the smallest number of digits from which ``date(from:)`` returns the same date.
    ///
    /// - Throws: ``FlagValueError`` for a date outside the years 1 to 9999.
    package static func text(of date: Date) throws(FlagValueError) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval >= Double(seconds.lowerBound), interval < Double(seconds.upperBound) else {
            throw .encoding(Date.self, path: [], detail: "the date is outside the years 1 to 9999")
        }
        var (whole, fraction) = decimalDigits(of: interval.magnitude)
        if interval < 0 {
            whole = -whole
            if !fraction.isEmpty {
                // -2.25 s is second -3 plus the fraction 0.75.
                whole -= 1
                fraction = complement(of: fraction)
            }
        }
        let (day, second) = whole.flooredQuotientAndRemainder(dividingBy: 86400)
        let date = civilDate(days: day)
        var text: [UInt8] = []
        appendTwoDigits(date.year / 100, "", to: &text)
        appendTwoDigits(date.year % 100, "-", to: &text)
        appendTwoDigits(date.month, "-", to: &text)
        appendTwoDigits(date.day, "T", to: &text)
        appendTwoDigits(second / 3600, ":", to: &text)
        appendTwoDigits(second / 60 % 60, ":", to: &text)
        appendTwoDigits(second % 60, fraction.isEmpty ? "" : ".", to: &text)
        return String(decoding: text + fraction, as: UTF8.self) + "Z"
    }

    private static func appendTwoDigits(_ number: Int64, _ separator: StaticString, to text: inout [UInt8]) {
        text += [zero + UInt8(number / 10), zero + UInt8(number % 10)]
        separator.withUTF8Buffer { text.append(contentsOf: $0) }
    }

    /// Returns the parts of the shortest decimal number that converts to `number`.
    ///
    /// The fraction is a list of ASCII digits without trailing zeros.
    private static func decimalDigits(of number: Double) -> (whole: Int64, fraction: [UInt8]) {
        // `description` has the form "12345.678" or "1.25e-07". Below 2⁵⁴, it has no positive exponent.
        var digits: [UInt8] = []
        var wholeDigits: Int?
        var exponent: Int?
        for byte in number.description.utf8 {
            switch byte {
            case UInt8(ascii: "."): wholeDigits = digits.count
            case UInt8(ascii: "e"): exponent = 0
            case UInt8(ascii: "-"): break
            default:
                if let value = exponent { exponent = value * 10 + Int(byte - zero) } else { digits.append(byte) }
            }
        }
        var point = wholeDigits ?? digits.count
        if let exponent {
            digits = [UInt8](repeating: zero, count: max(0, exponent - point)) + digits
            point = 0
        }
        while digits.count > point, digits.last == zero { digits.removeLast() }
        let whole = digits[..<point].reduce(Int64(0)) { $0 * 10 + Int64($1 - zero) }
        return (whole, Array(digits[point...]))
    }

    /// Returns the digits of one minus the fraction. The fraction must not be zero.
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

    /// Returns the date of a text in RFC 3339 format, or `nil` if the text is not valid.
    ///
    /// The text can have any offset from UTC. `T` and `Z` can be in upper or lower case. The result is `nil` for a leap
    /// second, which a `Date` can't represent, for a date outside the years 1 to 9999 in UTC, and for a space instead
    /// of `T`, which the RFC leaves to applications.
    package static func date(from text: String) -> Date? {
        guard text.utf8.count <= maximumFractionDigits + 26 else { return nil }
        var rest = Array(text.utf8)[...]
        guard let year = parseDigits(4, "-", &rest),
            let month = parseDigits(2, "-", &rest), (1...12).contains(month),
            let day = parseDigits(2, "Tt", &rest), (1...monthLength(year: year, month: month)).contains(day),
            let hour = parseDigits(2, ":", &rest), hour < 24,
            let minute = parseDigits(2, ":", &rest), minute < 60,
            let second = parseDigits(2, "", &rest), second < 60
        else { return nil }
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(1 + fraction.count)
            guard (1...maximumFractionDigits).contains(fraction.count) else { return nil }
        }
        guard let offset = parseOffsetInSeconds(rest) else { return nil }
        let whole = days(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second - offset
        // The last instants of the year 9999 round to the year 10000.
        guard seconds.contains(whole), let interval = interval(whole: whole, fraction: fraction),
            interval < Double(seconds.upperBound)
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: interval)
    }

    /// Parses exactly `count` digits, then one character of `separators` unless `separators` is empty.
    private static func parseDigits(_ count: Int, _ separators: String, _ rest: inout ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let byte = rest.popFirst(), (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - zero)
        }
        guard separators.isEmpty || rest.popFirst().map(separators.utf8.contains) == true else { return nil }
        return value
    }

    private static func parseOffsetInSeconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var rest = text
        switch rest.popFirst() {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): return rest.isEmpty ? 0 : nil
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard let hour = parseDigits(2, ":", &rest), hour < 24, let minute = parseDigits(2, "", &rest), minute < 60,
                rest.isEmpty
            else { return nil }
            return (text.first == UInt8(ascii: "-") ? -1 : 1) * (hour * 3600 + minute * 60)
        default: return nil
        }
    }

    /// Returns the `Double` that is nearest to the number of seconds. `Double.init(_:)` rounds decimal text correctly.
    private static func interval(whole: Int64, fraction: [UInt8]) -> Double? {
        guard fraction.contains(where: { $0 != zero }) else { return Double(whole) }
        let digits = String(decoding: whole < 0 ? complement(of: fraction) : fraction, as: UTF8.self)
        // -2.25 s is second -3 plus the fraction 0.75.
        let sign = whole < 0 ? "-" : ""
        return Double(sign + String(whole < 0 ? -whole - 1 : whole) + "." + digits)
    }

    // MARK: Calendar

    private static func monthLength(year: Int64, month: Int64) -> Int64 {
        month == 12 ? 31 : days(year: year, month: month + 1, day: 1) - days(year: year, month: month, day: 1)
    }

    /// Returns the number of days since 2001-01-01 in the proleptic Gregorian calendar, for years from 0.
    ///
    /// The algorithm is `days_from_civil` (H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*, 2013), which
    /// counts days since 1970-01-01.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730791
    }

    /// Returns the date that is `days` days after 2001-01-01. The algorithm is `civil_from_days` of the same source.
    private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 730791).flooredQuotientAndRemainder(dividingBy: 146097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Returns the quotient rounded down, and the nonnegative remainder. The divisor must be positive.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
