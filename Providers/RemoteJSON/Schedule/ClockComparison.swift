#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Date` is what clocks on walls show.

/// What the `Date` of an answer says about the clock on the wall.
///
/// Nobody has signed it, so it is never taken for the time: it can only make a document expire sooner, and be told.
enum ClockComparison {
    /// By how much the clocks of a device and a server may differ without anybody being told.
    static let tolerance = Duration.seconds(24 * 3600)

    /// Returns by how much the clock on the wall is ahead of the server's; negative where it lags behind, `nil` where the server
    /// does not say what time it is there.
    static func lead(of now: Date, over headers: HTTPHeaders) -> Duration? {
        guard let text = headers["Date"], text.utf8.count <= 64, let date = HTTPDate.parse(text) else { return nil }
        return .seconds(now.timeIntervalSince(date))
    }

    /// As it goes on after "the clock on the wall is ".
    static func text(_ lead: Duration) -> String {
        let hours = Int(abs(lead / .seconds(3600)))
        return "\(hours) hours \(lead < .zero ? "behind" : "ahead of") the server's"
    }
}
