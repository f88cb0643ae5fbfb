import TacklineCore
import TacklineMemory
import Testing

/// What can be known of one flag: the table below says what wins, and every reading has to agree.
struct LawCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A value for the current task.
    var scoped: Int?
    /// What the provider at the end held when the flag was read for the first time in its session.
    var held: Int?
    /// What a provider says that is marked as an override, at the start of the chain.
    var override: Int?
    var computed: Int?
    /// What the provider in the middle says.
    var middle: EncodedFlagValue?
    /// What a provider of a type says which the flag excludes.
    var excluded: Int?
    /// What the provider at the end says.
    var end: Int?
    let value: Int
    let source: FlagSource

    static let all: [LawCase] = [
        LawCase(testDescription: "nothing", value: 0, source: .default),
        LawCase(testDescription: "the end", end: 1, value: 1, source: .provider("end")),
        LawCase(testDescription: "the middle before the end", middle: 2, end: 1, value: 2, source: .provider("middle")),
        LawCase(testDescription: "refused in the middle", middle: "two", end: 1, value: 1, source: .provider("end")),
        LawCase(testDescription: "no opinion", middle: .null, end: 1, value: 1, source: .provider("end")),
        LawCase(testDescription: "an excluded provider", excluded: 9, end: 1, value: 1, source: .provider("end")),
        LawCase(
            testDescription: "an override before the middle", override: 3, middle: 2, value: 3,
            source: .provider("override")),
        LawCase(
            testDescription: "computed before overrides and providers", override: 3, computed: 4, middle: 2, value: 4,
            source: .computed),
        LawCase(
            testDescription: "held before the providers", held: 5, middle: 2, end: 1, value: 5, source: .provider("end")
        ),
        LawCase(
            testDescription: "held before what is computed", held: 5, computed: 4, value: 5, source: .provider("end")),
        LawCase(
            testDescription: "an override before what is held", held: 5, override: 3, computed: 4, middle: 2, value: 3,
            source: .provider("override")),
        LawCase(
            testDescription: "the task before everything", scoped: 6, held: 5, override: 3, computed: 4, middle: 2,
            end: 1,
            value: 6, source: .scope),
        LawCase(testDescription: "the task before what is computed", scoped: 6, computed: 4, value: 6, source: .scope),
    ]
}

private struct ExcludedProvider: FlagProvider {
    let memory = MemoryProvider(name: "excluded")
    var name: String { memory.name }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
}

private struct OverrideLayer: WritableFlagProvider {
    let kind: FlagProviderKind = .override
    let memory = MemoryProvider(name: "override")
    var name: String { memory.name }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { memory.setValue(value, for: key) }
}

private struct LawFlags: FlagCollectionProtocol {
    @TaskLocal static var computed: Int?

    @Flag(default: 0, excludedProviders: [ExcludedProvider.self], description: "Follows at once")
    var plain: Int
    @Flag(default: 0, excludedProviders: [ExcludedProvider.self], updatePolicy: .session, description: "Is held")
    var held: Int
    @Flag(
        default: 0, excludedProviders: [ExcludedProvider.self], computedValue: { LawFlags.computed },
        description: "Computes")
    var computing: Int
    @Flag(
        default: 0, excludedProviders: [ExcludedProvider.self], updatePolicy: .session,
        computedValue: { LawFlags.computed }, description: "Computes and is held")
    var both: Int
}

/// One flag in the situation of a case.
private struct LawBench {
    let override = OverrideLayer()
    let middle = MemoryProvider(name: "middle")
    let excluded = ExcludedProvider()
    let end = MemoryProvider(name: "end")
    let loader: FlagsLoader<LawFlags>
    let flag: KeyPath<LawFlags, FlagHandle<Int>>
    let key: FlagKeyPath

    init(_ example: LawCase) {
        loader = FlagsLoader(LawFlags.self, providers: [override, middle, excluded, end], issueReporter: .silent)
        switch (example.held != nil, example.computed != nil) {
        case (false, false): (flag, key) = (\.$plain, "plain")
        case (true, false): (flag, key) = (\.$held, "held")
        case (false, true): (flag, key) = (\.$computing, "computing")
        case (true, true): (flag, key) = (\.$both, "both")
        }
    }

    var handle: FlagHandle<Int> { loader.flags[keyPath: flag] }

    /// Brings about what a case says, and calls a closure in it.
    func run(_ example: LawCase, _ body: () -> Void) throws {
        if let held = example.held {
            end.setValue(.integer(Int128(held)), for: key)
            #expect(handle.value == held)
        }
        func encoded(_ value: Int?) -> EncodedFlagValue? { value.map { .integer(Int128($0)) } }
        end.setValue(encoded(example.end), for: key)
        excluded.memory.setValue(encoded(example.excluded), for: key)
        middle.setValue(example.middle, for: key)
        override.setValue(encoded(example.override), for: key)
        try LawFlags.$computed.withValue(example.computed) {
            guard let scoped = example.scoped else { return body() }
            var scope = FlagScope()
            let ordinal = try #require(loader.allFlags.firstIndex { $0.keyPath == key })
            scope.set(scoped, for: .init(root: ObjectIdentifier(LawFlags.self), ordinal: ordinal))
            FlagScope.run(scope, operation: body)
        }
    }
}

@Suite("The law")
struct FlagLawTests {
    @Test("is read the same by every reading", arguments: LawCase.all)
    func readings(_ example: LawCase) throws {
        let bench = LawBench(example)
        let encoded = EncodedFlagValue.integer(Int128(example.value))
        try bench.run(example) {
            let handle = bench.handle
            let reference = bench.loader.flag(at: bench.key.text)
            // Those that fix nothing come first: a hold, where there is one, was made before.
            let resolution = handle.resolution()
            #expect(resolution.value == example.value && resolution.source == example.source, "resolution")
            let explanation = handle.explain()
            #expect(explanation.value == encoded && explanation.source == example.source, "explanation")
            #expect(explanation.description.contains("> \(Self.row(of: example))"), "explanation as text")
            #expect(reference?.value == encoded, "reference")
            #expect(reference?.explain().source == example.source, "explanation of a reference")
            #expect(reference.map { "\($0)" } == "\(bench.key) = \(encoded) (\(example.source))", "description")
            let snapshot = bench.loader.snapshot().entries[bench.key.text]
            #expect(snapshot == FlagSnapshot.Entry(value: encoded, source: example.source), "snapshot")
            #expect(handle.value == example.value, "read")
        }
    }

    /// The name of the winner's row in an explanation.
    private static func row(of example: LawCase) -> String {
        switch example.source {
        case .scope: "scope"
        case .computed: "computed"
        case .default: "default"
        // What is held is not what its provider says now.
        case .provider(let id): example.held != nil && id == "end" ? "pinned" : id
        }
    }

    @Test("decides what consumers are told, outside of scopes", arguments: LawCase.all.filter { $0.scoped == nil })
    func streams(_ example: LawCase) throws {
        let bench = LawBench(example)
        let follower = try #require(bench.loader.changes.makeConsumer())
        try bench.run(example) {
            var last: EncodedFlagValue = 0
            while let change = follower.nextWithoutWaiting() {
                // Those of the other flags are told too.
                guard change.keyPath == bench.key else { continue }
                #expect(change.old == last)
                last = change.new
            }
            #expect(last == .integer(Int128(example.value)))
        }
    }
}
