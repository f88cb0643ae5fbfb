#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

import TacklineCLibrary

// Foundation: the browser's changes have a `Date`.

/// Dates and times for people, in the local time zone.
package struct ClockText: Sendable {
    /// Whether times are in UTC, which tests need.
    package var isUniversal = false

    package init(isUniversal: Bool = false) { self.isUniversal = isUniversal }

    /// Returns hours, minutes and seconds, such as `14:03:59`.
    package func time(_ date: Date) -> String {
        let parts = parts(of: date)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.two(Int($0)) }.joined(separator: ":")
    }

    /// Returns year, month and day, such as `2026-11-21`.
    func day(_ date: Date) -> String {
        let parts = parts(of: date)
        return "\(Int(parts.tm_year) + 1900)-\(Self.two(Int(parts.tm_mon) + 1))-\(Self.two(Int(parts.tm_mday)))"
    }

    private func parts(of date: Date) -> tm {
        // The calendar functions of the C library fail for times far in the past or future.
        var seconds = time_t(min(max(date.timeIntervalSince1970, -60_000_000_000), 250_000_000_000))
        var parts = tm()
        if isUniversal { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
        return parts
    }

    private static func two(_ number: Int) -> String {
        number < 10 && number >= 0 ? "0\(number)" : "\(number)"
    }
}
