import Configuration
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
        print("Tackline, flags.checkout", nanoseconds(count: 50_000_000) { flags.checkout })
        print(
            "swift-configuration, config.bool(forKey:)",
            nanoseconds(count: 500_000) {
                config.bool(forKey: "checkout", default: false)
            })
    }

    /// The best of 15 rounds, since disturbance only ever adds time.
    static func nanoseconds(count: Int, _ read: () -> Bool) -> Double {
        var best = Duration.seconds(1_000_000)
        var found = 0
        for _ in 0..<15 {
            let start = ContinuousClock.now
            for _ in 0..<count where read() { found += 1 }
            best = min(best, ContinuousClock.now - start)
        }
        precondition(found == 15 * count)
        return (best / .nanoseconds(1)) / Double(count)
    }
}
