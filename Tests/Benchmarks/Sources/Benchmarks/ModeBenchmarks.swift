import Observation
import Tackline

#if canImport(TacklineTesting)
    import TacklineTesting
#endif

/// What a read costs where the rare modes are off, and where they are on: Observation, and values that tests set.
///
/// Off, each has to cost nothing: the bar is that of any other Bool. On, a read outside of a tracking scope has to cost
/// little more than asking Observation by itself does.
struct ModeBenchmarks {
    private let memory = MemoryProvider(values: ["third": true])
    private let floors = Floors()

    func results(effort: Effort) -> [Result] {
        observation(effort: effort) + scopes(effort: effort)
    }

    private func observation(effort: Effort) -> [Result] {
        let loads = floors.twoLoads
        let access = ObservationFloor().access
        let rows: [(item: Case, floor: Case, bar: Result.Bar)] = [
            (read("Bool, Observation off", .untracked), loads, .ratioAtMost(2)),
            (read("Bool, Observation on, outside a tracking scope", .tracked), access, .ratioAtMost(1.5)),
        ]
        let times = Harness.measure(rows.flatMap { [$0.item, $0.floor] }, effort: effort)
        return rows.enumerated().map { index, row in
            Result(
                name: row.item.name, nanoseconds: times[2 * index], floor: (row.floor.name, times[2 * index + 1]),
                bar: row.bar)
        }
    }

    private func scopes(effort: Effort) -> [Result] {
        #if canImport(TacklineTesting)
            let loads = floors.twoLoads
            let loader = FlagsLoader(ReadFlags.self, providers: [memory])
            let during = Case("Bool, in a task that has test values") { count in
                withFlags {
                    $0.set(\ReadFlags.first, to: true)
                } operation: {
                    ModeBenchmarks.reads(loader, count)
                }
            }
            // A scope has been, and every loader of the process has heard of it.
            withFlags {
                $0.set(\ReadFlags.first, to: true)
            } operation: {
            }
            let after = Case("Bool, after a test's values have ended") { ModeBenchmarks.reads(loader, $0) }
            let settled = Harness.measure([loads, after], effort: effort)
            let active = Harness.measure([loads, during], effort: effort)
            return [
                Result(
                    name: after.name, nanoseconds: settled[1], floor: (loads.name, settled[0]), bar: .ratioAtMost(2)),
                Result(name: during.name, nanoseconds: active[1], floor: (loads.name, active[0])),
            ]
        #else
            return []
        #endif
    }

    private func read(_ name: String, _ mode: FlagObservationMode) -> Case {
        let loader = FlagsLoader(ReadFlags.self, providers: [memory], observation: mode)
        return Case(name) { ModeBenchmarks.reads(loader, $0) }
    }

    private static func reads(_ loader: FlagsLoader<ReadFlags>, _ count: Int) -> Int {
        var sum = 0
        for _ in 0..<count where Reads.third(loader) { sum &+= 1 }
        return sum
    }
}

/// The least that a read costs which Observation knows of.
private final class ObservationFloor: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private var value: Bool { true }

    @inline(never) private func read() -> Bool {
        registrar.access(self, keyPath: \.value)
        return value
    }

    var access: Case {
        Case("ObservationRegistrar.access") { [self] count in
            var sum = 0
            for _ in 0..<count where read() { sum &+= 1 }
            return sum
        }
    }
}
