import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A chain", .hangLimit)
struct FlagPriorityTests {
    private func named(_ name: String) -> FixedProvider { FixedProvider(name: name) }

    private var list: [(any FlagProvider, FlagPriority)] {
        [
            (named("a"), .business), (named("test 1"), .testing), (named("low"), FlagPriority(-1)),
            (FixedOverride(), .localOverrides), (named("forced"), .forced), (named("test 2"), .testing),
            (named("simulator"), .simulator), (named("b"), .business),
        ]
    }

    @Test("is sorted by priority, highest first, keeps the order of equal ones, and prints their names")
    func sorted() {
        let all = ["forced", "override", "simulator", "test 1", "test 2", "a", "b", "low"]
        #expect(FlagPriority.sorted(list).map(\.name) == all)
        let priorities: [FlagPriority] = [.business, .testing, .simulator, .localOverrides, .forced, FlagPriority(250)]
        #expect(
            priorities.map { "\($0)" } == ["business", "testing", "simulator", "local overrides", "forced", "250"])
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

    @Test("is an array that may be built in any way, which a loader follows only when it is set")
    func arrays() {
        let list: [any FlagProvider] = [named("a")]
        let first = list.isEmpty ? [] : [named("first")]
        let flags = FlagsLoader(CompositionFlags.self, providers: first + list + [named("b")])
        var chain = flags.providers
        chain.append(FixedProvider(values: ["new_checkout": true]))
        #expect(chain.map(\.name) == ["first", "a", "b", "fixed"] && !flags.newCheckout)
        flags.providers = chain
        #expect(flags.newCheckout)
    }

    @Test("of a manager changes for all its collections at one moment")
    func oneMoment() async {
        let manager = FlagsManager(providers: [FixedProvider(values: ["new_checkout": true, "share": 1])])
        let flags = manager.addCollection(CompositionFlags.self)
        let group = manager.addCollection(CompositionGroup.self)
        #expect(flags.newCheckout && group.share == 1)
        // A loader's change is the manager's.
        group.providers = [FixedProvider(values: ["new_checkout": false, "share": 2])]
        #expect(!flags.newCheckout && group.share == 2 && manager.providers.count == 1)
    }
}
