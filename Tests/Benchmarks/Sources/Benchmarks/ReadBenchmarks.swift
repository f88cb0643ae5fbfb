import Tackline

/// What reading costs on one thread.
///
/// Each read is in a function of its own, as in most programs, so that nothing of it is moved out of the loop: in a loop
/// around the read itself, a getter that first copies the whole collection looks as quick as one that does not.
struct ReadBenchmarks: Sendable {
    let floors = Floors()
    private let loader: FlagsLoader<ReadFlags>
    private let slowLoader: FlagsLoader<ReadFlags>
    private let text = "a text of forty-two bytes, like an address"

    init() {
        let top = MemoryProvider(name: "top", values: ["first": true])
        let last = MemoryProvider(
            name: "last", values: ["third": true, "text": .string(text), "middle/inner/mixed_flag48": true])
        loader = FlagsLoader(ReadFlags.self, providers: [top, MemoryProvider(name: "empty"), last])
        // It cannot tell changes, so every read asks it.
        slowLoader = FlagsLoader(ReadFlags.self, providers: [ClosureProvider { $0 == "first" ? true : nil }, last])
        precondition(Reads.third(loader) && Reads.nested(loader) && Reads.text(loader) == text)
        precondition(Reads.first(slowLoader))
    }

    func results(effort: Effort) -> [Result] {
        let rows: [(item: Case, bar: Result.Bar)] = [
            (third, .ratioAtMost(2)),
            (nested, .ratioAtMost(2)),
            (keptText, .microsecondsAtMost(0.01)),
            (bool("Bool, a provider that cannot tell changes", slowLoader, Reads.first), .microsecondsAtMost(0.3)),
        ]
        let floor = floors.twoLoads
        let times = Harness.measure([floor] + rows.map(\.item), effort: effort)
        return zip(rows, times.dropFirst()).map { row, time in
            Result(name: row.item.name, nanoseconds: time, floor: (floor.name, times[0]), bar: row.bar)
        }
    }

    var third: Case { bool("Bool, third of three providers", loader, Reads.third) }
    var nested: Case { bool("Bool, three deep, 100 siblings", loader, Reads.nested) }

    var keptText: Case {
        Case("String of 42 bytes") { [loader] count in
            var sum = 0
            for _ in 0..<count { sum &+= Reads.text(loader).utf8.count }
            return sum
        }
    }

    private func bool(
        _ name: String, _ loader: FlagsLoader<ReadFlags>, _ read: @escaping @Sendable (FlagsLoader<ReadFlags>) -> Bool
    ) -> Case {
        Case(name) { count in
            var sum = 0
            for _ in 0..<count where read(loader) { sum &+= 1 }
            return sum
        }
    }
}
