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
            $0.enable(\.newCheckout)
            $0.disable(\.debugMenu)
            $0.set(\.maxAttempts, to: 5)
            $0.set(\.nickname, to: nil)
            if isInternal { $0.set(\.group.share, to: 0.25) }
            for name in names { $0.set(\.nickname, to: name) }
            $0.enable(\.group.features[.handWritten])
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
            $0.enable(\.isPlain)
            $0.enable(\.newCheckout)
            $0.set(\.address, to: 2)
            $0.set(\.capped, to: 9)
        }
        for _ in 0..<2 {
            let log = IssueRecorder()
            let flags = FlagsLoader(Plain.self, providers: [configuration], issueReporter: log.reporter)
            #expect(log.codes == [.noFlagAtKeyPath, .noFlagAtKeyPath, .noFlagAtKeyPath])
            #expect(log.issues.first?.message.contains("isPlain") == true)
            #expect(log.issues.last?.message.contains("The nearest flag is \\Plain.number.") == true)
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
        let values = FlagConfiguration(Flags.self) { $0.set(\.value, to: Unencodable()) }
        _ = FlagsLoader(Flags.self, providers: [values], issueReporter: log.reporter)
        #expect(log.codes == [.unusableSetting])
        let features = FlagConfiguration(Shortened.self) {
            $0.enable(.omitted)
            $0.enable(.listed)
        }
        let flags = FlagsLoader(Shortened.self, providers: [features], issueReporter: log.reporter)
        #expect(log.codes == [.unusableSetting, .unusableSetting] && flags.isEnabled(.listed))
    }

    @Test("sets the cases of an enum")
    func features() {
        let base = FlagConfiguration(CompositionFeature.self) { $0.enable(.newCheckout) }
        let configuration = FlagConfiguration(CompositionFeature.self, name: "second") {
            $0.disable(.newCheckout)
            for feature in [CompositionFeature.HTTPServerURL, .handWritten] { $0.enable(feature) }
        }
        let flags = FlagsLoader(CompositionFeature.self, providers: [configuration, base])
        #expect(CompositionFeature.allCases.map { flags.isEnabled($0) } == [false, true, true])
        #expect(flags.providers.map(\.name) == ["second", "configuration"])
    }

    /// A class with methods whose names a configuration uses.
    private final class Screen {
        func enable(_ name: String) {}
        func set(_ name: String, to value: Int) {}

        func configuration() -> FlagConfiguration<CompositionFlags> {
            FlagConfiguration(CompositionFlags.self) {
                $0.enable(\.newCheckout)
                $0.set(\.maxAttempts, to: 5)
            }
        }
    }

    @Test("compiles inside a class that has methods called enable and set")
    func names() {
        let flags = FlagsLoader(CompositionFlags.self, providers: [Screen().configuration()])
        #expect(flags.newCheckout && flags.maxAttempts == 5)
    }
}
