#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Date` is the type that is read.

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

    /// Goes by way of RFC 3339, whose reader checks every part.
    private static func date(year: String, month: String, day: String, time: String) -> Date? {
        guard let number = months.firstIndex(of: month), let fullYear = fullYear(year) else { return nil }
        let text = "\(fullYear)-\(padded(String(number + 1)))-\(padded(day))T\(time)Z"
        return try? Date(encoded: .string(text))
    }

    /// Two digits stand for the years 1970 to 2069.
    private static func fullYear(_ year: String) -> String? {
        guard year.utf8.count == 2, let number = Int(year) else { return year.utf8.count == 4 ? year : nil }
        return String(number < 70 ? 2000 + number : 1900 + number)
    }

    private static func padded(_ text: String) -> String {
        text.utf8.count == 1 ? "0" + text : text
    }
}
