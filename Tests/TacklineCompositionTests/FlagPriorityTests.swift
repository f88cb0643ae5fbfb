import TacklineComposition
import TacklineCore
import Testing

@Suite("A chain")
struct FlagPriorityTests {
    private func named(_ name: String) -> FixedProvider { FixedProvider(name: name) }

    private var list: [(any FlagProvider, FlagPriority)] {
        [
            (named("a"), .business), (named("test 1"), .testing), (named("low"), FlagPriority(-1)),
            (FixedOverride(), .localOverrides), (named("forced"), .forced), (named("test 2"), .testing),
            (named("simulator"), .simulator), (named("b"), .business),
        ]
    }

    @Test("is sorted by priority, highest first, and keeps the order of equal ones")
    func sorted() {
        let all = ["forced", "override", "simulator", "test 1", "test 2", "a", "b", "low"]
        #expect(FlagPriority.sorted(list).map(\.name) == all)
    }

    @Test("is given the providers whose priorities its environment includes")
    func environments() {
        func names(_ environment: DeploymentEnvironment) -> [String] {
            FlagPriority.sorted(list.filter { environment.includes($0.1) }).map(\.name)
        }
        #expect(names(.production) == ["a", "b", "low"])
        #expect(names(.nonProduction) == ["forced", "override", "test 1", "test 2", "a", "b", "low"])
        #expect(names(.simulator).count == list.count)
    }
}
