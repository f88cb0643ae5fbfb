import Foundation
import TacklineCore

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
        guard let text = header("Retry-After")?.trimmingCharacters(in: .whitespaces), text.utf8.count <= 64 else {
            return nil
        }
        let digits = text.first == "-" ? text.dropFirst() : text[...]
        if !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) { return Double(text).map(clamped) }
        let date = httpDate(text) ?? (try? Date(encoded: .string(text)))
        let sent = header("Date").flatMap { httpDate($0) }
        return date.map { clamped($0.timeIntervalSince(sent ?? now)) }
    }

    private static func clamped(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 1), longest / .seconds(1)))
    }

    /// Returns a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7); `nil` for any other text.
    private static func httpDate(_ text: String) -> Date? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        // The reader of RFC 3339 checks every part.
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return try? Date(encoded: .string("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z"))
    }
}
