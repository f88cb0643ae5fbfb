import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A configuration in code")
struct FlagConfigurationTests {
    private struct Plain: FlagCollectionProtocol {
        @Flag(default: false, description: "A flag") var newCheckout: Bool
        var isPlain = false
        var address: Double { 1 }
    }

    private static func make(isInternal: Bool = true, names: [String] = []) -> FlagConfiguration<CompositionFlags> {
        FlagConfiguration(CompositionFlags.self) {
            enable(\.newCheckout)
            disable(\.debugMenu)
            set(\.maxAttempts, to: 5)
            set(\.nickname, to: nil)
            if isInternal { set(\.group.share, to: 0.25) }
            for name in names { set(\.nickname, to: name) }
            enable(\.group.features[.handWritten])
        }
    }

    @Test("sets flags by their properties, and nothing else")
    func values() {
        let flags = FlagsLoader(CompositionFlags.self, providers: [Self.make()])
        #expect(flags.newCheckout && !flags.debugMenu && flags.maxAttempts == 5 && flags.nickname == nil)
        #expect(flags.group.share == 0.25)
        #expect(flags.group.features.isEnabled(.handWritten) && !flags.group.features.isEnabled(.newCheckout))
        let fewer = FlagsLoader(CompositionFlags.self, providers: [Self.make(isInternal: false, names: ["x", "y"])])
        #expect(fewer.group.share == 0.5)
        #expect(fewer.nickname == "y")
    }

    @Test("fits loaders with different keys in one process")
    func keys() {
        let configuration = Self.make()
        for key in [
            KeyConfiguration(), KeyConfiguration(prefix: "app/x", pathSeparator: "."),
            KeyConfiguration(keyTransform: .kebabCase), KeyConfiguration(pathSeparator: ":", keyTransform: .none),
        ] {
            let flags = FlagsLoader(CompositionFlags.self, keyConfiguration: key, providers: [configuration])
            #expect(flags.newCheckout && flags.group.share == 0.25)
            #expect(flags.$newCheckout.flagValue(from: .instance(configuration)) == true)
            #expect(flags.snapshot().entries.values.filter { $0.source == .provider("configuration") }.count == 6)
            // A chain that was read from one loader works in another one.
            let other = FlagsLoader(CompositionFlags.self, providers: flags.providers)
            #expect(other.newCheckout)
        }
    }

    @Test("has no value in the chain of another collection that has the same key")
    func otherCollection() {
        let flags = FlagsLoader(Plain.self, providers: [Self.make()])
        #expect(!flags.newCheckout)
        #expect(Self.make().value(for: "new_checkout") == true)
    }

    @Test("reports a line whose key path leads to no flag to each loader that has it, and keeps the other lines")
    func noFlag() {
        let configuration = FlagConfiguration(Plain.self) {
            enable(\.isPlain)
            enable(\.newCheckout)
            set(\.address, to: 2)
        }
        for _ in 0..<2 {
            let log = IssueRecorder()
            let flags = FlagsLoader(Plain.self, providers: [configuration], issueReporter: log.reporter)
            #expect(log.codes == [.noFlagAtKeyPath, .noFlagAtKeyPath])
            #expect(log.issues.first?.message.contains("isPlain") == true)
            #expect(flags.newCheckout)
        }
    }

    @Test("sets the cases of an enum, and contains other configurations")
    func features() {
        let base = FlagConfiguration(CompositionFeature.self) { enable(.newCheckout) }
        let configuration = FlagConfiguration(CompositionFeature.self, name: "second") {
            base
            disable(.newCheckout)
            [enable(.HTTPServerURL), enable(.handWritten)]
        }
        let flags = FlagsLoader(CompositionFeature.self, providers: [configuration, base])
        #expect(CompositionFeature.allCases.map { flags.isEnabled($0) } == [false, true, true])
        #expect(flags.providers.ids == ["second", "configuration"])
        #expect(configuration != base && base == base)
    }

    @Test("answers again when a provider before it has lost its value")
    func fallingBack() {
        let memory = MemoryProvider(values: ["group/share": 0.75])
        let flags = FlagsLoader(
            CompositionFlags.self,
            providers: [memory, Self.make()])
        #expect(flags.group.share == 0.75)
        memory.removeAll()
        #expect(flags.group.share == 0.25)
    }
}
