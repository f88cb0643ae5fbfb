import Tackline

/// What changing a value costs.
struct WriteBenchmarks {
    func results(effort: Effort) -> [Result] {
        let memory = MemoryProvider(values: ["written": false])
        let loader = FlagsLoader(ReadFlags.self, providers: [memory])
        let floors = Floors()
        let key = FlagKeyPath("written")
        let cases = [
            floors.dictionaryWrite,
            Case("A write in memory, watched by a loader") { count in
                for index in 0..<count { memory.setValue(.bool(index & 1 == 0), for: key) }
                return count
            },
            Case("The same and the next read") { count in
                var sum = 0
                for index in 0..<count {
                    memory.setValue(.bool(index & 1 == 0), for: key)
                    if loader.written { sum &+= 1 }
                }
                return sum
            },
            Case("A write that changes nothing") { count in
                for _ in 0..<count { memory.setValue(.bool(true), for: key) }
                return count
            },
            Case("A new default and the next read") { count in
                var sum = 0
                for index in 0..<count {
                    loader.$integer.setDefault(index)
                    sum &+= loader.integer
                }
                return sum
            },
        ]
        let times = Harness.measure(cases, effort: effort)
        return zip(cases, times).dropFirst().map { item, time in
            Result(name: item.name, nanoseconds: time, floor: (cases[0].name, times[0]))
        }
    }
}
