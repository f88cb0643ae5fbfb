import Tackline

/// What reading costs on one thread.
struct ReadBenchmarks: Sendable {
    let loader: FlagsLoader<ReadFlags>
    let slowLoader: FlagsLoader<ReadFlags>
    let oneProvider: FlagsLoader<ReadFlags>
    let floors: Floors

    init() {
        let short = "short"
        let long = "a text of forty-two bytes, like an address"
        let profile = Profile(attempts: 5, delay: 0.25, label: "another label that takes more than that")
        floors = Floors(short: short, long: long, profile: profile)
        let top = MemoryProvider(name: "top", values: ["first": true])
        let last = MemoryProvider(
            name: "last",
            values: [
                "first": false, "third": true, "integer": 7, "short": .string(short), "long": .string(long),
                "profile": (try? profile.encoded) ?? .null, "middle/inner/flag50": true,
            ]
        )
        loader = FlagsLoader(ReadFlags.self, providers: [top, MemoryProvider(name: "empty"), last])
        oneProvider = FlagsLoader(ReadFlags.self, providers: [top])
        // It cannot tell changes, so every read asks it.
        slowLoader = FlagsLoader(ReadFlags.self, providers: [ComputedProvider(values: ["first": { true }]), last])
        precondition(loader.first && loader.third && loader.missing && loader.middle.inner.flag50)
        precondition(loader.short == short && loader.long == long && loader.profile == profile && loader.integer == 7)
    }

    var third: Case {
        Case("Bool, third of three providers") { [loader] count in
            var sum = 0
            for _ in 0..<count where loader.third { sum &+= 1 }
            return sum
        }
    }

    var nested: Case {
        Case("Bool, three deep, 100 siblings") { [loader] count in
            var sum = 0
            for _ in 0..<count where loader.middle.inner.flag50 { sum &+= 1 }
            return sum
        }
    }

    var long: Case {
        Case("String of 42 bytes") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= loader.long.utf8.count }
            return sum
        }
    }

    func results(effort: Effort) -> [Result] {
        let loads = floors.twoLoads
        let rows: [(item: Case, floor: Case, bar: Result.Bar?)] = [
            (onlyProvider, loads, nil),
            (third, loads, .ratioAtMost(2)),
            (missing, loads, nil),
            (nested, loads, .ratioAtMost(3)),
            (integer, loads, nil),
            (short, floors.shortCopy, nil),
            (long, floors.longCopy, nil),
            (profile, floors.profileCopy, nil),
            (handle, loads, nil),
            (nestedHandle, loads, nil),
            (slow, loads, nil),
        ]
        let times = Harness.measure(rows.flatMap { [$0.item, $0.floor] }, effort: effort)
        return rows.enumerated().map { index, row in
            Result(
                name: row.item.name,
                nanoseconds: times[2 * index],
                floor: (row.floor.name, times[2 * index + 1]),
                bar: row.bar
            )
        }
    }

    private var onlyProvider: Case {
        Case("Bool, the only provider has it") { [oneProvider] count in
            var sum = 0
            for _ in 0..<count where oneProvider.first { sum &+= 1 }
            return sum
        }
    }

    private var missing: Case {
        Case("Bool, no provider has it") { [loader] count in
            var sum = 0
            for _ in 0..<count where loader.missing { sum &+= 1 }
            return sum
        }
    }

    private var integer: Case {
        Case("Int") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= loader.integer }
            return sum
        }
    }

    private var short: Case {
        Case("String of 5 bytes") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= loader.short.utf8.count }
            return sum
        }
    }

    private var profile: Case {
        Case("Codable struct") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= loader.profile.attempts }
            return sum
        }
    }

    private var handle: Case {
        let handle = loader.$third
        return Case("Bool, through a handle that is kept") { count in
            var sum = 0
            for _ in 0..<count where handle.value { sum &+= 1 }
            return sum
        }
    }

    private var nestedHandle: Case {
        let handle = loader.middle.inner.$flag50
        return Case("Bool, nested, through a handle that is kept") { count in
            var sum = 0
            for _ in 0..<count where handle.value { sum &+= 1 }
            return sum
        }
    }

    private var slow: Case {
        Case("Bool, a provider that cannot tell changes") { [slowLoader] count in
            var sum = 0
            for _ in 0..<count where slowLoader.first { sum &+= 1 }
            return sum
        }
    }
}
