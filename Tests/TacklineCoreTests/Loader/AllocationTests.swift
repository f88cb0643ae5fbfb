import CAllocationCounter
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private let canCount = tackline_allocation_count() >= 0

private struct Point: Codable, FlagValue, Equatable {
    var horizontal = 1.5
    var vertical = 2.5
    var label = "a label that takes more than fifteen bytes"
}

private struct InnerFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Two collections deep") var deep: Bool
}

private struct MiddleFlags: FlagCollectionProtocol {
    @FlagCollection(description: "The innermost") var inner: InnerFlags
}

private struct CountedFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A payload of one byte") var bool: Bool
    @Flag(default: 0, description: "A word") var integer: Int
    @Flag(default: 0, description: "A word") var double: Double
    @Flag(default: "short", description: "A text without storage of its own") var short: String
    @Flag(default: "", description: "A text with storage of its own") var long: String
    @Flag(default: Point(), description: "A struct with a text") var point: Point
    @Flag(default: 7, description: "No provider has it") var missing: Int
    @FlagCollection(description: "The middle") var middle: MiddleFlags
}

/// Returns the number of allocations of `work`, which is run once before to fill caches.
///
/// Call it in a process of its own, because a scope of any other test turns the caches of all loaders off.
@inline(never)
private func allocations(_ work: () -> Void) -> Int64 {
    work()
    let before = tackline_allocation_count()
    work()
    return tackline_allocation_count() - before
}

/// Uses a value, so that the compiler keeps the code that makes it.
@inline(never)
private func use<Value>(_ value: Value) -> Bool {
    withExtendedLifetime(value) { true }
}

// Each test runs in a process of its own, because tests that run at the same time may open scopes, and while one is open no
// read in the process uses the cache of its slot.

@Suite("A read of a cached value", .hangLimit, .enabled(if: canCount, "allocations can be counted with glibc only"))
struct AllocationTests {
    private static func loader() -> FlagsLoader<CountedFlags> {
        FlagsLoader(
            CountedFlags.self,
            providers: [
                MemoryProvider(name: "empty"),
                MemoryProvider(values: [
                    "bool": true, "integer": 5, "double": 2.5, "short": "brief",
                    "long": "a text that takes more than fifteen bytes", "middle": ["inner": ["deep": true]],
                    "point": [
                        "horizontal": 3.5, "vertical": 4.5, "label": "another label beyond fifteen bytes",
                    ],
                ]),
            ])
    }

    @Test("is measured by a counter that counts the allocation of an array")
    func control() async {
        await #expect(processExitsWith: .success) {
            var kept: [[Int]] = []
            kept.reserveCapacity(100)
            #expect(allocations { for index in 0..<10 { kept.append(Array(repeating: index, count: 50)) } } == 10)
        }
    }

    @Test("allocates nothing, whatever the flag's type is, nested and through a handle")
    func plain() async {
        await #expect(processExitsWith: .success) {
            let loader = AllocationTests.loader()
            let handle = loader.$point
            let reads: [() -> Bool] = [
                { use(loader.bool) }, { use(loader.integer) }, { use(loader.double) }, { use(loader.short) },
                { use(loader.long) }, { use(loader.point) }, { use(loader.missing) }, { use(loader.middle.inner.deep) },
                { use(handle.value) },
            ]
            #expect(loader.bool && loader.integer == 5 && loader.double == 2.5 && loader.short == "brief")
            #expect(loader.middle.inner.deep && handle.value.horizontal == 3.5)
            for read in reads { #expect(allocations { for _ in 0..<100 { _ = read() } } == 0) }
        }
    }
}

private struct VaryingFlags: FlagCollectionProtocol {
    @TaskLocal static var isText = false

    let first: any Sendable = VaryingFlags.isText ? Flag(default: "text") : Flag(default: 1)
    @Flag(default: 2) var last: Int
}

@Suite("A copy of a flag") struct FlagCopyTests {
    @Test("is a trivial value of two words, whatever the flag's type is")
    func size() {
        #expect(MemoryLayout<Flag<Bool>>.size == 16 && _isPOD(Flag<Bool>.self))
        #expect(MemoryLayout<Flag<[String: [Int]]>>.size == 16 && _isPOD(Flag<[String: [Int]]>.self))
        #expect(_isPOD(MiddleFlags.self))
    }
}

@Suite(
    "Loaders that are created and released in a loop", .hangLimit,
    .enabled(if: canCount, "memory can be counted with glibc only"))
struct LoaderMemoryTests {
    @Test("leave no memory behind, also if their flags have other types each time")
    func noGrowth() async {
        await #expect(processExitsWith: .success) {
            let provider = MemoryProvider(values: ["long": "a text that takes more than fifteen bytes", "bool": true])
            func makeAndDrop(_ count: Int) -> Int64 {
                let before = tackline_live_bytes()
                for number in 0..<count {
                    let loader = FlagsLoader(CountedFlags.self, providers: [provider], issueReporter: .silent)
                    _ = use((loader.long, loader.point, loader.middle.inner.deep, loader.$bool))
                    let varying = VaryingFlags.$isText.withValue(number % 2 == 0) {
                        FlagsLoader(VaryingFlags.self, providers: [], issueReporter: .silent)
                    }
                    _ = use(varying.last)
                }
                return tackline_live_bytes() - before
            }
            _ = makeAndDrop(100)
            // Less than a byte for each loader.
            #expect(makeAndDrop(2_000) < 2_000)
        }
    }
}
