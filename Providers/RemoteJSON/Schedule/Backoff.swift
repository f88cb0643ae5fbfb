/// How long to wait after failures in a row.
enum Backoff {
    /// Half of a time that doubles with each failure, and a random part of the other half ("equal jitter": M. Brooker,
    /// *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015).
    ///
    /// - Parameters:
    ///   - failures: Counted from 1.
    ///   - random: From 0 to 1.
    static func delay(afterFailures failures: Int, base: Duration, limit: Duration, random: Double) -> Duration {
        let whole = doubled(base, times: failures - 1, limit: limit)
        return whole / 2 + whole / 2 * min(max(random, 0), 1)
    }

    /// Doubles a time so and so often, up to a limit.
    static func doubled(_ base: Duration, times: Int, limit: Duration) -> Duration {
        min(limit, base * (1 << min(max(times, 0), 20)))
    }
}
