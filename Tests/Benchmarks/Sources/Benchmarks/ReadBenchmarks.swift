import Tackline

/// What reading costs on one thread.
///
/// Each read is in a function of its own, as in most programs, so that nothing of it is moved out of the loop: in a loop
/// around the read itself, a getter that first copies the whole collection looks as quick as one that does not. Two more
/// rows show that loop; their floor is a loop without a call, so they have no bar.
struct ReadBenchmarks: Sendable {
    let loader: FlagsLoader<ReadFlags>
    let floors = Floors()
    private let slowLoader: FlagsLoader<ReadFlags>
    private let oneProvider: FlagsLoader<ReadFlags>
    private let short = "short"
    private let long = "a text of forty-two bytes, like an address"
    private let profile = Profile(attempts: 5, delay: 0.25, label: "another label that takes more than that")

    init() {
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
        slowLoader = FlagsLoader(ReadFlags.self, providers: [ClosureProvider { $0 == "first" ? true : nil }, last])
        precondition(loader.first && loader.third && loader.missing && loader.middle.inner.flag50)
        precondition(loader.short == short && loader.long == long && loader.profile == profile && loader.integer == 7)
    }

    func results(effort: Effort) -> [Result] {
        let loads = floors.twoLoads
        let loop = floors.twoLoadsInLoop
        let handle = loader.$third
        let nestedHandle = loader.middle.inner.$flag50
        let rows: [(item: Case, floor: Case, bar: Result.Bar?)] = [
            (bool("Bool, the only provider has it", oneProvider, Reads.first), loads, nil),
            (third, loads, .ratioAtMost(2)),
            (bool("Bool, no provider has it", loader, Reads.missing), loads, nil),
            (nested, loads, .ratioAtMost(3)),
            (thirdInLoop, loop, nil),
            (nestedInLoop, loop, nil),
            (bool("Bool, through a handle that is kept", handle, Reads.value), loads, nil),
            (bool("Bool, nested, through a handle that is kept", nestedHandle, Reads.value), loads, nil),
            (integer, loads, nil),
            (shortText, PointerFloor(short).copy("a text behind a pointer"), nil),
            (longText, PointerFloor(long).copy("a text behind a pointer"), nil),
            (structure, PointerFloor(profile).copy("a struct behind a pointer"), nil),
            (bool("Bool, a provider that cannot tell changes", slowLoader, Reads.first), loads, nil),
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

    var third: Case { bool("Bool, third of three providers", loader, Reads.third) }
    var nested: Case { bool("Bool, three deep, 100 siblings", loader, Reads.nested) }

    var longText: Case {
        Case("String of 42 bytes") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= Reads.long(loader).utf8.count }
            return sum
        }
    }

    private func bool<Source: Sendable>(
        _ name: String, _ source: Source, _ read: @escaping @Sendable (Source) -> Bool
    ) -> Case {
        Case(name) { count in
            var sum = 0
            for _ in 0..<count where read(source) { sum &+= 1 }
            return sum
        }
    }

    private var thirdInLoop: Case {
        Case("Bool, third of three providers, in a loop") { [loader] count in
            var sum = 0
            for _ in 0..<count where loader.third { sum &+= 1 }
            return sum
        }
    }

    private var nestedInLoop: Case {
        Case("Bool, three deep, 100 siblings, in a loop") { [loader] count in
            var sum = 0
            for _ in 0..<count where loader.middle.inner.flag50 { sum &+= 1 }
            return sum
        }
    }

    private var integer: Case {
        Case("Int") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= Reads.integer(loader) }
            return sum
        }
    }

    private var shortText: Case {
        Case("String of 5 bytes") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= Reads.short(loader).utf8.count }
            return sum
        }
    }

    private var structure: Case {
        Case("Codable struct") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= Reads.profile(loader).attempts }
            return sum
        }
    }
}
