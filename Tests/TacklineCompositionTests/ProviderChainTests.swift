import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineTestSupport
import Testing

/// A value from elsewhere.
private struct LiveProvider: FlagProvider {
    let kind: FlagProviderKind = .live
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "new_checkout" ? true : nil }
    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}

@Suite("A provider chain", .hangLimit)
struct ProviderChainTests {
    private struct Forced: FlagProvider {
        let name = "forced"
        let priority = FlagPriority.forced
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
    }

    private func named(_ name: String) -> FixedProvider { FixedProvider(name: name) }
    private func names(_ chain: ProviderChain) -> [String] { chain.map(\.name) }

    @Test("keeps the order of a list, whatever the priorities are")
    func listed() {
        let chain = ProviderChain([named("a"), Forced(), named("b")])
        #expect(names(chain) == ["a", "forced", "b"])
        #expect(chain.entries.map(\.priority) == [.business, .forced, .business])
    }

    @Test("puts the highest priority first and keeps equal ones in their order")
    func sorted() {
        let chain = ProviderChain.byPriority {
            named("a")
            named("test 1").prioritized(.testing)
            named("low").prioritized(FlagPriority(-1))
            Forced()
            named("test 2").prioritized(.testing)
            named("b")
        }
        #expect(names(chain) == ["forced", "test 1", "test 2", "a", "b", "low"])
        #expect(FlagPriority.business < .testing && FlagPriority.testing < .simulator)
        #expect(FlagPriority.simulator < .localOverrides && FlagPriority.localOverrides < .forced)
    }

    @Test("is listed with if, if let, switch, for, arrays and optionals", arguments: [true, false])
    func builder(isOn: Bool) {
        let some: (any FlagProvider)? = isOn ? named("some") : nil
        let entry: ProviderChain.Entry? = isOn ? named("entry").prioritized(.testing) : nil
        let chain = ProviderChain {
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

    @Test("takes the priorities that its environment has")
    func environments() {
        func composed(_ environment: DeploymentEnvironment) -> [String] {
            names(
                ProviderChain(for: environment) {
                    named("remote")
                    named("testing").prioritized(.testing)
                    named("simulator").prioritized(.simulator)
                    MarkedOverride().prioritized(.localOverrides)
                    Forced()
                })
        }
        #expect(composed(.production) == ["remote"])
        #expect(composed(.nonProduction) == ["forced", "marked", "testing", "remote"])
        #expect(composed(.simulator) == ["forced", "marked", "simulator", "testing", "remote"])
    }

    @Test("inserts behind its equals and before the first lower one")
    func insertion() {
        var chain = ProviderChain.byPriority {
            Forced(); named("t").prioritized(.testing); named("b")
        }
        chain.insert(named("t 2"), priority: .testing)
        chain.insert(named("low"), priority: FlagPriority(-1))
        #expect(names(chain) == ["forced", "t", "t 2", "b", "low"])
        let memory = MemoryProvider(name: "same")
        chain.insert(MemoryProvider(name: "same"))
        chain.insert(memory)
        chain.remove(memory)
        #expect(names(chain) == ["forced", "t", "t 2", "b", "same", "low"])
    }

    @Test(
        "keeps the environment and the switch of a chain that is listed in it, and the strictest of several environments"
    )
    func nested() throws {
        let forced = MarkedOverride()
        let deployed = ProviderChain([FixedProvider()]).deployed(in: .production)
        let open = ProviderChain([FixedProvider()]).deployed(in: .nonProduction)
        let log = IssueRecorder()
        for chain in [
            ProviderChain {
                forced; deployed
            },
            ProviderChain {
                forced; open; deployed
            },
            ProviderChain.byPriority {
                deployed; open; forced
            },
        ] {
            let flags = FlagsLoader(CompositionFlags.self, providers: chain, issueReporter: log.reporter)
            #expect(!names(flags.providers).contains("marked") && !flags.newCheckout)
        }
        #expect(log.codes == Array(repeating: .overrideRefused, count: 3))

        let mode = FlagModeSwitch()
        let live = LiveProvider()
        let flags = FlagsLoader(
            CompositionFlags.self,
            providers: ProviderChain {
                ProviderChain([live]).switched(by: mode); FixedProvider()
            })
        #expect(flags.newCheckout)
        try mode.setMode(.local)
        #expect(!flags.newCheckout)
    }

    @Test("changes at run time, keeps its priorities, and loses no change to another thread")
    func running() async {
        let flags = FlagsLoader(CompositionFlags.self, providers: ProviderChain { named("base") })
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    flags.updateProviders {
                        $0.insert(FixedProvider(name: "\(number)"), priority: FlagPriority(number))
                    }
                }
            }
        }
        let positive = (1..<40).reversed().map { "\($0)" }
        #expect(names(flags.providers) == positive + ["base", "0"])
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try flags.updateProviders {
                $0 = ProviderChain(); throw Stop()
            }
        }
        #expect(flags.providers.count == 41)
        flags.providers = ProviderChain { FixedProvider(values: ["new_checkout": true]) }
        #expect(flags.newCheckout)
        flags.providers = ProviderChain()
        #expect(!flags.newCheckout)
    }

    @Test("of a manager reaches every loader, whichever of two threads is slower")
    func managers() async {
        let manager = FlagsManager(providers: ProviderChain())
        let first = manager.addCollection(CompositionFlags.self)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { manager.updateProviders { $0.insert(FixedProvider(name: "\(number)")) } }
            }
            group.addTask { _ = manager.addCollection(CompositionGroup.self) }
        }
        #expect(names(manager.providers).count == 20)
        #expect(names(first.providers) == names(manager.providers))
        #expect(manager.loader(for: CompositionGroup.self).map { names($0.providers) } == names(manager.providers))
    }
}
