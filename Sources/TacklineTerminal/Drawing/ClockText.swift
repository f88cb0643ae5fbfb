#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Foundation: `Date` is what the browser dates changes with.

/// Dates and times as people read them, in the time of the place.
struct ClockText: Sendable {
    /// Whether times are those of Greenwich, as tests want them.
    var isUniversal = false

    /// Hours, minutes and seconds: `14:03:59`.
    func time(_ date: Date) -> String {
        let parts = parts(of: date)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.two(Int($0)) }.joined(separator: ":")
    }

    /// Year, month and day: `2026-11-21`.
    func day(_ date: Date) -> String {
        let parts = parts(of: date)
        return "\(Int(parts.tm_year) + 1900)-\(Self.two(Int(parts.tm_mon) + 1))-\(Self.two(Int(parts.tm_mday)))"
    }

    private func parts(of date: Date) -> tm {
        // Far beyond what a calendar of the C library takes, dates are all the same to people.
        var seconds = time_t(min(max(date.timeIntervalSince1970, -60_000_000_000), 250_000_000_000))
        var parts = tm()
        if isUniversal { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
        return parts
    }

    private static func two(_ number: Int) -> String {
        number < 10 && number >= 0 ? "0\(number)" : "\(number)"
    }
}
