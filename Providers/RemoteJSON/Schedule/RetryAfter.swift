#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Date` is what the header field may hold.

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    static let range = Duration.seconds(1)...Duration.seconds(24 * 3600)

    /// Returns how long the server wants silence, from a second to a day, or `nil` if the field says nothing.
    ///
    /// Takes seconds, a date of HTTP and, because some servers send it, a date of RFC 3339. A negative number and a date in
    /// the past are a second.
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
