// Only `Date` comes from Foundation. `Date.ISO8601FormatStyle` accepts 30 February, 25 o'clock and junk after the end,
// cuts milliseconds off instead of rounding, and counts by the Julian calendar before 1582.
#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The conversion between dates and texts in RFC 3339 format, to the millisecond, for the years 1 to 9999.
package enum FlagTimestamp {
    /// The milliseconds of the years 1 to 9999, relative to the reference date 2001-01-01T00:00:00Z.
    private static let range: Range<Int64> = -63_113_904_000_000..<252_423_993_600_000
    private static let dayLength: Int64 = 86_400_000

    /// Returns the date in RFC 3339 format in UTC, such as `2026-11-21T08:00:00.25Z`.
    ///
    /// - Throws: ``FlagValueError`` for a date outside the years 1 to 9999.
    package static func text(of date: Date) throws(FlagValueError) -> String {
        let rounded = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        guard let milliseconds = Int64(exactly: rounded), range.contains(milliseconds) else {
            throw .encoding(Date.self, detail: "the date is outside the years 1 to 9999")
        }
        let time = (milliseconds % dayLength + dayLength) % dayLength
        let (year, month, day) = civilDate(days: (milliseconds - time) / dayLength)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.utf8.count) + digits
        }
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { padded($0, 2) }
        var fraction = time % 1000 == 0 ? "" : "." + padded(time % 1000, 3)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock.joined(separator: ":"))\(fraction)Z"
    }

    /// Returns the date of a text in RFC 3339 format, or `nil` if the text is not valid.
    ///
    /// The text can have any offset from UTC. `T` and `Z` can be in upper or lower case. The fraction is rounded down to
    /// milliseconds. The result is `nil` for a leap second, which a `Date` can't represent, for a date outside the
    /// years 1 to 9999 in UTC, and for a space instead of `T`, which the RFC leaves to applications.
    package static func date(from text: String) -> Date? {
        let form =
            #/
            (\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?([Zz]|[+\-]([01]\d|2[0-3]):([0-5]\d))
            /#
        guard text.utf8.count <= 64, let parts = text.wholeMatch(of: form.asciiOnlyDigits())?.output else { return nil }
        func number(_ digits: Substring?) -> Int64 { digits.flatMap { Int64($0) } ?? 0 }
        let (year, month, day) = (number(parts.1), number(parts.2), number(parts.3))
        let days = days(year: year, month: month, day: day)
        // A day that the month does not have belongs to the next one.
        guard civilDate(days: days) == (year, month, day) else { return nil }
        let fraction = number("\(parts.7?.dropFirst() ?? "")000".prefix(3))
        let offset = (parts.8.first == "-" ? -60 : 60) * (number(parts.9) * 60 + number(parts.10))
        let seconds = number(parts.4) * 3600 + number(parts.5) * 60 + number(parts.6) - offset
        let milliseconds = days * dayLength + seconds * 1000 + fraction
        guard range.contains(milliseconds) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
    }

    /// Returns the number of days since 2001-01-01 in the proleptic Gregorian calendar, for years from 0.
    ///
    /// The algorithm is `days_from_civil` (H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*, 2013), which
    /// counts days since 1970-01-01.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year + 399 : year + 400
        let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return (era - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
    }

    /// Returns the date that is `days` days after 2001-01-01, from the year 0. The algorithm is `civil_from_days` of the
    /// same source.
    private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // One era of 400 years earlier, so that no number is negative.
        let (era, dayOfEra) = (days + 730_791 + 146_097).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
