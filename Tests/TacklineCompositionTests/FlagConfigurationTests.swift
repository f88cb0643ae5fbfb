import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A configuration in code")
struct FlagConfigurationTests {
    private struct Plain: FlagCollectionProtocol {
        @Flag(default: false, description: "A flag") var newCheckout: Bool
        @Flag(default: 3, description: "A number") var number: Int
        var capped: Int { min(number, 10) }
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

    /// A test case or a view model, say, with methods of its own.
    private final class Editor {
        private(set) var limit: UInt8 = 0

        func enable() { limit = 1 }
        func disable() { limit = 0 }
        func set(_ limit: UInt8) { self.limit = limit }

        func makeConfiguration() -> FlagConfiguration<CompositionFlags> {
            enable()
            set(5)
            return FlagConfiguration(CompositionFlags.self) {
                TacklineComposition.enable(\.newCheckout)
                TacklineComposition.disable(\.debugMenu)
                TacklineComposition.set(\.maxAttempts, to: limit)
            }
        }
    }

    @Test("is written with the module's name in a type that has methods called enable, disable and set")
    func inClass() {
        let flags = FlagsLoader(CompositionFlags.self, providers: [Editor().makeConfiguration()])
        #expect(flags.newCheckout && !flags.debugMenu && flags.maxAttempts == 5)
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
            #expect(flags.$newCheckout.flagValue(from: configuration) == true)
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
            set(\.capped, to: 9)
        }
        for _ in 0..<2 {
            let log = IssueRecorder()
            let flags = FlagsLoader(Plain.self, providers: [configuration], issueReporter: log.reporter)
            #expect(log.codes == [.noFlagAtKeyPath, .noFlagAtKeyPath, .noFlagAtKeyPath])
            #expect(log.issues.first?.message.contains("isPlain") == true)
            #expect(flags.newCheckout && flags.number == 3)
        }
    }

    @Test("reports a line whose value can't be encoded, and one for a feature that allCases omits")
    func unusableLines() {
        struct Unencodable: Codable, FlagValue {
            struct NoEncoding: Error {}
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws { throw NoEncoding() }
        }
        struct Flags: FlagCollectionProtocol {
            @Flag(default: Unencodable()) var value: Unencodable
        }
        enum Shortened: String, FlagFeature {
            case listed, omitted
            static let allCases: [Shortened] = [.listed]
        }
        let log = IssueRecorder()
        let values = FlagConfiguration(Flags.self) { set(\.value, to: Unencodable()) }
        _ = FlagsLoader(Flags.self, providers: [values], issueReporter: log.reporter)
        #expect(log.codes == [.unusableSetting])
        let features = FlagConfiguration(Shortened.self) {
            enable(.omitted)
            enable(.listed)
        }
        let flags = FlagsLoader(Shortened.self, providers: [features], issueReporter: log.reporter)
        #expect(log.codes == [.unusableSetting, .unusableSetting] && flags.isEnabled(.listed))
    }

    @Test("is listed with if let, else, switch, optional lines and availability")
    func builder() {
        for isOn in [true, false] {
            builder(isOn: isOn)
        }
    }

    private func builder(isOn: Bool) {
        let name: String? = isOn ? "set" : nil
        let line: FlagSetting<CompositionFlags>? = isOn ? disable(\.debugMenu) : nil
        let configuration = FlagConfiguration(CompositionFlags.self) {
            if let name { set(\.nickname, to: name) }
            if isOn { set(\.maxAttempts, to: 1) } else { set(\.maxAttempts, to: 2) }
            switch isOn {
            case true: set(\.group.share, to: 0.1)
            case false: set(\.group.share, to: 0.2)
            }
            line
            if #available(macOS 15, *) { enable(\.newCheckout) }
        }
        let flags = FlagsLoader(CompositionFlags.self, providers: [configuration])
        #expect(flags.nickname == (isOn ? "set" : "none") && flags.maxAttempts == (isOn ? 1 : 2))
        #expect(flags.group.share == (isOn ? 0.1 : 0.2) && flags.debugMenu == !isOn && flags.newCheckout)
    }

    @Test("is called configuration unless it is named")
    func defaults() {
        let configuration = Self.make()
        #expect(configuration.name == "configuration" && configuration.document == nil)
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
        #expect(flags.providers.map(\.name) == ["second", "configuration"])
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
