import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A provider chain", .hangLimit)
struct ProviderChainTests {
    private struct LiveProvider: FlagProvider {
        let kind = FlagProviderKind.live
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "new_checkout" ? true : nil }
        func observe(_ observer: FlagProviderObserver) -> Bool { true }
    }

    private func named(_ name: String) -> FixedProvider { FixedProvider(name: name) }
    private func names(_ chain: ProviderChain) -> [String] { chain.map(\.name) }

    @Test("keeps the order of a list, whatever the kinds of its providers are")
    func listed() {
        let chain: ProviderChain = [named("a"), FixedOverride(), named("b")]
        #expect(names(chain) == ["a", "override", "b"])
        #expect(names(ProviderChain([named("a"), FixedOverride(), named("b")])) == names(chain))
        #expect(chain.entries.map(\.priority) == [.business, .localOverrides, .business])
        #expect(chain.ids == ["a", "override", "b"])
    }

    @Test("puts the highest priority first and keeps equal ones in their order")
    func sorted() {
        let chain = ProviderChain(for: .nonProduction) {
            named("a")
            named("test 1").prioritized(.testing)
            named("low").prioritized(FlagPriority(-1))
            FixedOverride()
            named("forced").prioritized(.forced)
            named("test 2").prioritized(.testing)
            named("b")
        }
        #expect(names(chain) == ["forced", "override", "test 1", "test 2", "a", "b", "low"])
        #expect(FlagPriority.business < .testing && FlagPriority.testing < .simulator)
        #expect(FlagPriority.simulator < .localOverrides && FlagPriority.localOverrides < .forced)
    }

    @Test("gives an override the priority that its entry names")
    func overridePriority() {
        let chain = ProviderChain(for: .nonProduction) {
            FixedOverride().prioritized(.business)
            named("test").prioritized(.testing)
        }
        #expect(names(chain) == ["test", "override"])
    }

    @Test("prints priorities by their names, and others as numbers")
    func priorityNames() {
        let priorities: [FlagPriority] = [.business, .testing, .simulator, .localOverrides, .forced, FlagPriority(250)]
        #expect(
            priorities.map { "\($0)" } == ["business", "testing", "simulator", "local overrides", "forced", "250"])
    }

    @Test("is listed with if, if let, switch, for, arrays and optionals")
    func builder() {
        for isOn in [true, false] {
            builder(isOn: isOn)
        }
    }

    private func builder(isOn: Bool) {
        let some: (any FlagProvider)? = isOn ? named("some") : nil
        let entry: ProviderChain.Entry? = isOn ? named("entry").prioritized(.business) : nil
        let chain = ProviderChain(for: .nonProduction) {
            if isOn { named("if") }
            if isOn { named("then") } else { named("else") }
            if let some { some }
            switch isOn {
            case true: named("case 1")
            case false: named("case 2")
            }
            for number in 1...2 { named("for \(number)") }
            [named("array 1"), named("array 2")]
            some
            entry
            ProviderChain([named("chain")])
        }
        let common = ["for 1", "for 2", "array 1", "array 2"]
        #expect(
            names(chain)
                == (isOn
                    ? ["if", "then", "some", "case 1"] + common + ["some", "entry", "chain"]
                    : ["else", "case 2"] + common + ["chain"]))
    }

    @Test("has the providers whose priorities its environment includes")
    func environments() {
        func composed(_ environment: DeploymentEnvironment) -> [String] {
            names(
                ProviderChain(for: environment) {
                    named("remote")
                    named("testing").prioritized(.testing)
                    named("simulator").prioritized(.simulator)
                    FixedOverride()
                    named("forced").prioritized(.forced)
                })
        }
        #expect(composed(.production) == ["remote"])
        #expect(composed(.nonProduction) == ["forced", "override", "testing", "remote"])
        #expect(composed(.simulator) == ["forced", "override", "simulator", "testing", "remote"])
    }

    @Test("leaves a chain that is listed in it unchanged, and takes over its priorities")
    func nestedPriorities() {
        let inner = ProviderChain(for: .nonProduction) {
            named("b")
            named("test").prioritized(.testing)
        }
        let outer = ProviderChain(for: .nonProduction) {
            named("a")
            inner
        }
        #expect(names(outer) == ["test", "a", "b"] && names(inner) == ["test", "b"])
    }

    @Test("takes over the first switch of the chains that are listed in it")
    func nestedSwitch() throws {
        let (mode, second) = (FlagModeSwitch(), FlagModeSwitch())
        let flags = FlagsLoader(
            CompositionFlags.self,
            providers: ProviderChain(for: .nonProduction) {
                ProviderChain([LiveProvider()]).switched(by: mode)
                ProviderChain([named("a")]).switched(by: second)
            })
        #expect(flags.newCheckout)
        try second.setMode(.local)
        #expect(flags.newCheckout)
        try mode.setMode(.local)
        #expect(!flags.newCheckout)
    }

    @Test("takes no overrides if a chain that is listed in it is one for production")
    func nestedEnvironment() {
        let log = IssueRecorder()
        let chain = ProviderChain(for: .nonProduction) {
            FixedOverride()
            ProviderChain([named("a")]).deployed(in: .production)
        }
        let flags = FlagsLoader(CompositionFlags.self, providers: chain, issueReporter: log.reporter)
        #expect(names(flags.providers) == ["a"] && log.codes.isEmpty)
    }

    /// Calls a closure when it is first observed.
    private final class ReentrantProvider: FlagProvider {
        private let action: Mutex<(@Sendable () -> Void)?>

        init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }

        func observe(_ observer: FlagProviderObserver) -> Bool {
            action.withLock { $0.take() }?()
            return false
        }
    }

    @Test("that loses against another one leaves the switch of that one in force, and reports nothing")
    func lostInstallation() throws {
        let log = IssueRecorder()
        let (mode, second) = (FlagModeSwitch(), FlagModeSwitch())
        let flags = FlagsLoader(CompositionFlags.self, providers: [], issueReporter: log.reporter)
        let reentrant = ReentrantProvider { flags.providers = ProviderChain([LiveProvider()]).switched(by: second) }
        var calls = 0
        flags.updateProviders { chain in
            calls += 1
            guard calls == 1 else { return }
            chain = ProviderChain([reentrant, FixedOverride()]).deployed(in: .production).switched(by: mode)
        }
        #expect(calls == 2 && log.codes.isEmpty)
        #expect(flags.newCheckout)
        try second.setMode(.local)
        #expect(!flags.newCheckout)
    }

    @Test("is a value, which a loader follows only when it is set")
    func value() {
        let flags = FlagsLoader(CompositionFlags.self, providers: [])
        var chain = flags.providers
        chain.append(FixedProvider(values: ["new_checkout": true]))
        #expect(!flags.newCheckout && flags.providers.isEmpty)
        flags.providers = chain
        #expect(flags.newCheckout)
    }

    @Test("inserts a provider before another one, appends at the end, and removes by condition or by identity")
    func editing() {
        var chain: ProviderChain = [named("a"), named("b")]
        chain.insert(named("first"), at: 0)
        chain.insert(named("between"), at: 2)
        chain.append(named("last"))
        #expect(names(chain) == ["first", "a", "between", "b", "last"])
        chain.removeAll { ["first", "last"].contains($0.provider.name) }
        #expect(names(chain) == ["a", "between", "b"])

        let memory = MemoryProvider(name: "same", values: ["new_checkout": true])
        chain.append(memory)
        chain.append(MemoryProvider(name: "same"))
        chain.remove(memory)
        #expect(names(chain) == ["a", "between", "b", "same"])
        #expect(!FlagsLoader(CompositionFlags.self, providers: chain).newCheckout)
        chain.remove(memory)
        #expect(chain.count == 4)
    }

    @Test("keeps the priorities of its entries in a loader")
    func priorities() {
        let flags = FlagsLoader(
            CompositionFlags.self,
            providers: ProviderChain(for: .nonProduction) {
                named("test").prioritized(.testing)
                named("base")
            })
        flags.updateProviders { $0.append(named("new")) }
        #expect(flags.providers.entries.map(\.priority) == [.testing, .business, .business])
        flags.updateProviders { chain in
            let old = chain
            chain = ProviderChain(for: .nonProduction) {
                named("forced").prioritized(.forced)
                old
            }
        }
        #expect(names(flags.providers) == ["forced", "test", "base", "new"])
    }

    @Test("loses no change when several threads edit it")
    func running() async {
        let flags = FlagsLoader(CompositionFlags.self, providers: [named("base")])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { flags.updateProviders { $0.insert(FixedProvider(name: "\(number)"), at: 0) } }
            }
        }
        #expect(names(flags.providers).last == "base")
        #expect(Set(names(flags.providers)) == Set((0..<40).map { "\($0)" } + ["base"]) && flags.providers.count == 41)
    }

    @Test("stays as it was when the closure that edits it throws")
    func throwing() {
        struct Stop: Error {}
        let flags = FlagsLoader(CompositionFlags.self, providers: [named("base")])
        #expect(throws: Stop.self) {
            try flags.updateProviders { chain in
                chain = ProviderChain()
                throw Stop()
            }
        }
        #expect(names(flags.providers) == ["base"])
    }

    @Test("reaches every loader of a manager, whichever of two threads is slower")
    func managers() async {
        let manager = FlagsManager(providers: ProviderChain())
        let first = manager.addCollection(CompositionFlags.self)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { manager.updateProviders { $0.append(FixedProvider(name: "\(number)")) } }
            }
            group.addTask { _ = manager.addCollection(CompositionGroup.self) }
        }
        #expect(names(manager.providers).count == 20)
        #expect(names(first.providers) == names(manager.providers))
        #expect(manager.loader(for: CompositionGroup.self).map { names($0.providers) } == names(manager.providers))
    }
}
