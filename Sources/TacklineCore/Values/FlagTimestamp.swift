// `Date` and its format are Foundation's.
#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The conversion between dates and texts in RFC 3339 format, to the millisecond, for the years 1 to 9999.
///
/// The calendar is Foundation's, which is the Julian one before 15 October 1582: `Date.distantPast` is
/// `0001-01-01T00:00:00Z`.
package enum FlagTimestamp {
    /// The milliseconds of the years 1 to 9999, relative to the reference date 2001-01-01T00:00:00Z.
    private static let range = -63_114_076_800_000.0..<252_423_993_600_000.0

    /// Returns the date in RFC 3339 format in UTC, such as `2026-11-21T08:00:00.25Z`.
    ///
    /// - Throws: ``FlagValueError`` for a date outside the years 1 to 9999.
    package static func text(of date: Date) throws(FlagValueError) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        guard range.contains(milliseconds) else {
            throw .encoding(Date.self, detail: "the date is outside the years 1 to 9999")
        }
        // Half a millisecond more, because the style cuts off what is finer.
        let rounded = Date(timeIntervalSinceReferenceDate: (milliseconds + 0.5) / 1000)
        var text = rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).dropLast()
        while text.hasSuffix("0") { text.removeLast() }
        return (text.hasSuffix(".") ? text.dropLast() : text) + "Z"
    }

    /// Returns the date of a text in RFC 3339 format, or `nil` if the text is not valid.
    ///
    /// The text can have any offset from UTC. `T` and `Z` can be in upper or lower case. The fraction is rounded down to
    /// milliseconds. The result is `nil` for a leap second, which a `Date` can't represent, for a date outside the
    /// years 1 to 9999 in UTC, and for a space instead of `T`, which the RFC leaves to applications.
    package static func date(from text: String) -> Date? {
        let form = #/(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+\-]([01]\d|2[0-3]):([0-5]\d))/#
        guard text.utf8.count <= 64, let parts = text.wholeMatch(of: form.asciiOnlyDigits())?.output else { return nil }
        // The style takes 30 February and 25 o'clock, for times of the next month and the next day.
        let (style, whole) = (Date.ISO8601FormatStyle(), "\(parts.1)T\(parts.2)Z")
        guard let date = try? style.parse(whole), date.formatted(style) == whole else { return nil }
        func number(_ digits: Substring?) -> Double { digits.flatMap { Double($0) } ?? 0 }
        let fraction = number("\(parts.3?.dropFirst() ?? "")000".prefix(3))
        let offset = (parts.4.first == "-" ? -60_000 : 60_000) * (number(parts.5) * 60 + number(parts.6))
        let milliseconds = date.timeIntervalSinceReferenceDate * 1000 + fraction - offset
        return range.contains(milliseconds) ? Date(timeIntervalSinceReferenceDate: milliseconds / 1000) : nil
    }
}
