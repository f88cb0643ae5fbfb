import Foundation
import TacklineCore

// Foundation: `Date` is the value of a header field.

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the date, or `nil` if the text has none of the three forms.
    static func parse(_ text: String) -> Date? {
        let parts = text.split(whereSeparator: { " ,-".contains($0) }).map(String.init)
        switch parts.count {
        case 6 where parts[5] == "GMT": return date(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
        case 5: return date(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
        default: return nil
        }
    }

    /// Parses by way of RFC 3339, whose reader checks every part. Two digits stand for the years 1970 to 2069.
    private static func date(year: String, month: String, day: String, time: String) -> Date? {
        guard let number = months.firstIndex(of: month), [2, 4].contains(year.utf8.count) else { return nil }
        let century = year.utf8.count == 4 ? "" : year < "70" ? "20" : "19"
        let (month, day) = (number < 9 ? "0\(number + 1)" : "\(number + 1)", day.utf8.count == 1 ? "0\(day)" : day)
        return try? Date(encoded: .string("\(century)\(year)-\(month)-\(day)T\(time)Z"))
    }
}

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The longest time without requests that a server can ask for.
    static let longest = Duration.seconds(24 * 3600)

    /// Returns the time for which the server wants no requests, from a second to a day, or `nil` if the field is
    /// missing or invalid.
    ///
    /// The field may have seconds, an HTTP date or, since some servers send it, an RFC 3339 date. A negative number or
    /// a past date means one second. A date is compared with the `Date` of the answer, because the device's clock may
    /// be wrong.
    ///
    /// - Parameter now: The time of the device's clock, for an answer without a `Date`.
    static func parse(_ header: (String) -> String?, now: Date) -> Duration? {
        guard
            let text = header("Retry-After")?.split(whereSeparator: { $0 == " " || $0 == "\t" })
                .joined(separator: " "), !text.isEmpty, text.utf8.count <= 64
        else { return nil }
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) { return Double(text).map(clamped) }
        let sent = header("Date").flatMap { $0.utf8.count <= 64 ? HTTPDate.parse($0) : nil }
        let date = HTTPDate.parse(text) ?? (try? Date(encoded: .string(text)))
        return date.map { clamped($0.timeIntervalSince(sent ?? now)) }
    }

    private static func clamped(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 1), longest / .seconds(1)))
    }
}
