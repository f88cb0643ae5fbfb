import Configuration
import Foundation
import Tackline

/// What a read of a Boolean costs here and with a peer: three providers in memory, of which the last has the value.
@main
struct Peers {
    struct AppFlags: FlagCollectionProtocol {
        @Flag(key: "checkout", default: false, description: "The new checkout") var checkout: Bool
    }

    static func main() {
        let flags = FlagsLoader(
            AppFlags.self,
            providers: [
                MemoryProvider(name: "a"), MemoryProvider(name: "b"),
                MemoryProvider(name: "c", values: ["checkout": true]),
            ])
        let config = ConfigReader(providers: [
            InMemoryProvider(name: "a", values: [:]), InMemoryProvider(name: "b", values: [:]),
            InMemoryProvider(name: "c", values: ["checkout": true]),
        ])
        print("Tackline, flags.checkout", nanoseconds(count: 10_000_000) { flags.checkout })
        print(
            "swift-configuration, config.bool(forKey:)",
            nanoseconds(count: 50_000) {
                config.bool(forKey: "checkout", default: false)
            })
    }

    /// The best of 15 rounds of processor time, since disturbance only ever adds to it.
    static func nanoseconds(count: Int, _ read: () -> Bool) -> Double {
        var best = Double.infinity
        var found = 0
        for _ in 0..<15 {
            let start = processorTime()
            for _ in 0..<count where read() { found += 1 }
            best = min(best, processorTime() - start)
        }
        precondition(found == 15 * count)
        return best / Double(count)
    }

    /// Of this thread, in nanoseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
