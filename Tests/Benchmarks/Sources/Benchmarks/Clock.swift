import Foundation

/// Nanoseconds of the clocks that benchmarks need.
enum Clock {
    /// The processor time of the calling thread: what other programs do on the machine does not count.
    static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

    /// The time on the wall, for what happens between threads.
    static var wall: Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
