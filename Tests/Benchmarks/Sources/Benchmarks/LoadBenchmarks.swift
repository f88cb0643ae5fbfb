import Tackline

/// What making a loader costs.
struct LoadBenchmarks {
    let effort: Effort
    private let providers: [any FlagProvider] = [
        MemoryProvider(name: "overrides"), MemoryProvider(name: "remote"), MemoryProvider(name: "region"),
    ]

    func results() -> [Result] {
        let first = firstLoad(ThousandFlags.self)
        return [
            Result(name: "1,000 flags (10 × 100), first in the process", nanoseconds: first),
            again("10 flags", TenFlags.self, bar: nil),
            again("100 flags", HundredFlags.self, bar: nil),
            again("1,000 flags (10 × 100)", ThousandFlags.self, bar: .microsecondsAtMost(150)),
            kept("1,000 flags, the loaders kept", ThousandFlags.self),
        ]
    }

    private func firstLoad<Collection: FlagCollectionProtocol>(_ type: Collection.Type) -> Double {
        let start = Clock.thread
        let loader = FlagsLoader(type, providers: providers)
        let end = Clock.thread
        withExtendedLifetime(loader) {}
        return end - start
    }

    /// Makes and drops a loader at each repetition.
    private func again<Collection: FlagCollectionProtocol>(
        _ name: String, _ type: Collection.Type, bar: Result.Bar?
    ) -> Result {
        let item = Case(name) { [providers] count in
            for _ in 0..<count {
                let loader = FlagsLoader(type, providers: providers)
                withExtendedLifetime(loader) {}
            }
            return count
        }
        let times = Harness.measure([item], effort: effort)
        return Result(name: "\(name), made and dropped", nanoseconds: times.first, bar: bar)
    }

    /// Keeps every loader, so that each one needs memory of its own.
    private func kept<Collection: FlagCollectionProtocol>(_ name: String, _ type: Collection.Type) -> Result {
        var loaders: [FlagsLoader<Collection>] = []
        var best = Double.infinity
        for _ in 0..<(effort == .quick ? 5 : 100) {
            let start = Clock.thread
            loaders.append(FlagsLoader(type, providers: providers))
            best = min(best, Clock.thread - start)
        }
        withExtendedLifetime(loaders) {}
        return Result(name: name, nanoseconds: best)
    }
}
