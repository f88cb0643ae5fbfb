import Tackline

enum BenchmarkFeature: String, FlagFeature {
    case first, second, third, fourth, fifth
}

struct ComposedGroup: FlagCollectionProtocol {
    @FlagCollection(description: "Features in a group") var features: FlagFeatureCollection<BenchmarkFeature>
    @FlagCollection(description: "Beside them") var others: HundredFlags
}

/// Flags behind a chain that is made by the DSL.
struct ComposedFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The configuration has it") var isOn: Bool
    @Flag(default: false, updatePolicy: .session, description: "Held") var isHeld: Bool
    @FlagCollection(description: "Features") var features: FlagFeatureCollection<BenchmarkFeature>
    @FlagCollection(description: "A group") var group: ComposedGroup
}

/// What reading costs behind a chain that is made by priorities, builders and configurations, and of features.
struct CompositionBenchmarks {
    private let loader: FlagsLoader<ComposedFlags>
    private let features: FlagsLoader<FlagFeatureCollection<BenchmarkFeature>>
    private let floors = Floors()

    init(isInternal: Bool = true) {
        let chain = ProviderChain(for: .nonProduction) {
            FlagConfiguration(ComposedFlags.self, name: "business") {
                $0.enable(\.isOn)
                $0.enable(\.isHeld)
                $0.enable(\.features[.third])
                $0.enable(\.group.features[.third])
                $0.enable(\.group.others.flag50)
            }
            FlagConfiguration(BenchmarkFeature.self, name: "features") { $0.enable(.third) }
            if isInternal { MemoryProvider(name: "testing").prioritized(.testing) }
            for number in 0..<2 { MemoryProvider(name: "forced \(number)").prioritized(.forced) }
        }
        loader = FlagsLoader(ComposedFlags.self, providers: chain.deployed(in: .nonProduction))
        features = FlagsLoader(BenchmarkFeature.self, providers: chain.deployed(in: .nonProduction))
        precondition(loader.isOn && loader.isHeld && loader.group.others.flag50 && features.isEnabled(.third))
        precondition(loader.features.isEnabled(.third) && loader.group.features.isEnabled(.third))
    }

    func results(effort: Effort) -> [Result] {
        let loads = floors.twoLoads
        let property = read("a property", loader) { Composed.property($0) }
        let rows: [(item: Case, floor: Case, bar: Result.Bar?)] = [
            (read("Bool, fifth of five providers", loader) { Composed.property($0) }, loads, .ratioAtMost(2)),
            (read("Bool, three deep, 100 siblings", loader) { Composed.nested($0) }, loads, .ratioAtMost(3)),
            (read("Bool, held for a session", loader) { Composed.held($0) }, loads, .ratioAtMost(2)),
            (read("Feature, through the enum's loader", features) { Composed.feature($0) }, property, nil),
            (read("Feature, in a collection", loader) { Composed.inside($0) }, property, nil),
            (read("Feature, in a group, 100 siblings", loader) { Composed.deep($0) }, property, nil),
        ]
        let times = Harness.measure(rows.flatMap { [$0.item, $0.floor] }, effort: effort)
        return rows.enumerated().map { index, row in
            Result(
                name: row.item.name, nanoseconds: times[2 * index], floor: (row.floor.name, times[2 * index + 1]),
                bar: row.bar)
        }
    }

    private func read<Source: Sendable>(
        _ name: String, _ source: Source, _ read: @escaping @Sendable (Source) -> Bool
    ) -> Case {
        Case(name) { count in
            var sum = 0
            for _ in 0..<count where read(source) { sum &+= 1 }
            return sum
        }
    }
}

/// Reads as a program does them, one to a function.
private enum Composed {
    @inline(never) static func property(_ loader: FlagsLoader<ComposedFlags>) -> Bool { loader.isOn }
    @inline(never) static func nested(_ loader: FlagsLoader<ComposedFlags>) -> Bool { loader.group.others.flag50 }
    @inline(never) static func held(_ loader: FlagsLoader<ComposedFlags>) -> Bool { loader.isHeld }
    @inline(never) static func inside(_ loader: FlagsLoader<ComposedFlags>) -> Bool {
        loader.features.isEnabled(.third)
    }
    @inline(never) static func deep(_ loader: FlagsLoader<ComposedFlags>) -> Bool {
        loader.group.features.isEnabled(.third)
    }
    @inline(never) static func feature(_ loader: FlagsLoader<FlagFeatureCollection<BenchmarkFeature>>) -> Bool {
        loader.isEnabled(.third)
    }
}
