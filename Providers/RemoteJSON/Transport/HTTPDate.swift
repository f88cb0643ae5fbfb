import Foundation
import TacklineCore

// Foundation: `Date` is the value of a header field.

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Returns the date, or `nil` if the text has none of the three forms.
    static func parse(_ text: String) -> Date? {
        let parts = text.split(whereSeparator: { " ,-".contains($0) }).map(String.init)
        switch parts.count {
        case 6 where parts[5] == "GMT":
            return date(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
        case 5:
            return date(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
        default:
            return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses by way of RFC 3339, whose reader checks every part.
    private static func date(year: String, month: String, day: String, time: String) -> Date? {
        guard let number = months.firstIndex(of: month), let fullYear = fullYear(year) else { return nil }
        let text = "\(fullYear)-\(padded(String(number + 1)))-\(padded(day))T\(time)Z"
        return try? Date(encoded: .string(text))
    }

    /// Returns the year with four digits. Two digits stand for the years 1970 to 2069.
    private static func fullYear(_ year: String) -> String? {
        guard year.utf8.count == 2, let number = Int(year) else { return year.utf8.count == 4 ? year : nil }
        return String(number < 70 ? 2000 + number : 1900 + number)
    }

    private static func padded(_ text: String) -> String {
        text.utf8.count == 1 ? "0" + text : text
    }
}

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    static let range = Duration.seconds(1)...Duration.seconds(24 * 3600)

    /// Returns the time for which the server wants no requests, from a second to a day, or `nil` if the field is
    /// missing or invalid.
    ///
    /// The field may have seconds, an HTTP date or, since some servers send it, an RFC 3339 date. A negative number or
    /// a past date means one second. A date is compared with the `Date` of the answer, because the device's clock may
    /// be wrong.
    ///
    /// - Parameter now: The time of the device's clock, for an answer without a `Date`.
    static func parse(_ headers: HTTPTransportHeaders, now: Date) -> Duration? {
        let sent = headers["Date"].flatMap { $0.utf8.count <= 64 ? HTTPDate.parse($0) : nil }
        return parse(headers["Retry-After"], now: sent ?? now)
    }

    static func parse(_ field: String?, now: Date) -> Duration? {
        guard let text = field?.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " "),
            !text.isEmpty, text.utf8.count <= 64
        else { return nil }
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Double(text).map(clamped)
        }
        let date = HTTPDate.parse(text) ?? (try? Date(encoded: .string(text)))
        return date.map { clamped($0.timeIntervalSince(now)) }
    }

    private static func clamped(_ seconds: Double) -> Duration {
        let limited = min(max(seconds, 1), 24 * 3600)
        return min(max(.seconds(limited), range.lowerBound), range.upperBound)
    }
}

/// A comparison of the wall clock with the `Date` of an answer.
///
/// The `Date` is not signed, so it never replaces the wall clock. It can only make a document expire sooner, or be
/// reported.
enum ClockComparison {
    /// The greatest difference between the clocks of a device and a server that is not reported.
    static let tolerance = Duration.seconds(24 * 3600)

    /// Returns the time by which the wall clock is ahead of the server's. It is negative if the wall clock lags behind,
    /// and `nil` if the answer has no usable `Date`.
    static func lead(of now: Date, over headers: HTTPTransportHeaders) -> Duration? {
        guard let text = headers["Date"], text.utf8.count <= 64, let date = HTTPDate.parse(text) else { return nil }
        return .seconds(now.timeIntervalSince(date))
    }

    /// Returns the text after "the device's clock is ". A difference that is reported has at least a day.
    static func text(_ lead: Duration) -> String {
        let days = Int(abs(lead / .seconds(86_400)))
        return "\(days == 1 ? "1 day" : "\(days) days") \(lead < .zero ? "behind" : "ahead of") the server's"
    }
}
