import Tackline

/// What changing a value costs.
struct WriteBenchmarks {
    func results(effort: Effort) -> [Result] {
        let memory = MemoryProvider(values: ["written": false])
        let loader = FlagsLoader(ReadFlags.self, providers: [memory])
        let floor = Floors().dictionaryWrite
        let key = FlagKeyPath("written")
        let write = Case("A write in memory, watched by a loader") { count in
            for index in 0..<count { memory.setValue(.bool(index & 1 == 0), for: key) }
            return count
        }
        let times = Harness.measure([floor, write], effort: effort)
        withExtendedLifetime(loader) {}
        return [
            Result(name: write.name, nanoseconds: times[1], floor: (floor.name, times[0]), bar: .ratioAtMost(8))
        ]
    }
}
