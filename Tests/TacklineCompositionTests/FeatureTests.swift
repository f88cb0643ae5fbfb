import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("Features of an enum", .hangLimit)
struct FeatureTests {
    enum Limit: String, FlagFeature {
        typealias Value = Int
        case attempts, depth
        var defaultValue: Int { self == .attempts ? 3 : 100 }
        var metadata: FlagMetadata { FlagMetadata(name: "Limit", description: description, tags: ["limits"]) }
    }

    enum Payload: FlagFeature {
        case level(Int)
        case text(String)
        case off

        static let allCases: [Payload] = [.level(1), .level(2), .text("a"), .off]

        var key: FlagKey {
            switch self {
            case .level(let number): .component("level_\(number)")
            case .text(let text): .component("text_\(text)")
            case .off: .component("off")
            }
        }

        var description: String { "\(self.key)" }
    }

    enum Shuffled: String, FlagFeature {
        case a, b, c
        static let allCases: [Shuffled] = [.c, .a]
    }

    @Test("have keys and descriptions that are derived from their names")
    func derived() {
        #expect(CompositionFeature.newCheckout.description == "New checkout")
        #expect(CompositionFeature.handWritten.description == "Hand written key")
        let flags = FlagsLoader(CompositionFeature.self, providers: [])
        #expect(flags.root.allFlags.map(\.keyPath.text) == ["new_checkout", "http_server_url", "hand-written-key"])
        let plain = FlagsLoader(
            CompositionFeature.self, keyConfiguration: KeyConfiguration(prefix: "x", keyTransform: .none), providers: []
        )
        #expect(plain.root.allFlags.map(\.keyPath.text) == ["x/newCheckout", "x/HTTPServerURL", "x/hand-written-key"])
    }

    @Test("take their values from the chain like any other flag")
    func chain() throws {
        let memory = MemoryProvider()
        let flags = FlagsLoader(CompositionFeature.self, providers: [memory])
        try flags.validate()
        #expect(!flags.isEnabled(.newCheckout))
        memory.setValue(true, for: "new_checkout")
        #expect(flags.isEnabled(CompositionFeature.newCheckout))
        #expect(flags.value(of: .newCheckout))
        #expect(!flags.isEnabled(.HTTPServerURL))
        let handle = try #require(flags.handle(of: .HTTPServerURL))
        try handle.setValue(true)
        #expect(memory.value(for: "http_server_url") == true)
        #expect(flags.isEnabled(.HTTPServerURL))
    }

    @Test("appear in lists, by path, in explanations, snapshots and managers")
    func enumeration() throws {
        let memory = MemoryProvider(name: "remote", values: ["attempts": 7])
        let manager = FlagsManager(providers: [memory])
        let flags = manager.addCollection(FlagFeatureCollection<Limit>.self)
        #expect(manager.collections.flatMap(\.allFlags).map(\.property) == ["attempts", "depth"])
        let flag = try #require(manager.flag(at: "attempts"))
        #expect(flag.value == 7 && flag.defaultValue == 3)
        #expect(flag.metadata.tags == ["limits"] && flag.metadata.name == "Limit")
        let explanation = try #require(flags.handle(of: .attempts)).explain()
        #expect(explanation.source == .provider("remote") && explanation.metadata.description == "Attempts")
        #expect(flags.snapshot().value(for: "depth") == 100)
        #expect(flags.value(of: .attempts) == 7 && flags.value(of: .depth) == 100)
    }

    @Test("may be cases with payloads")
    func payloads() {
        let memory = MemoryProvider(values: ["level_2": true, "text_a": true])
        let flags = FlagsLoader(Payload.self, providers: [memory])
        #expect(Payload.allCases.map { flags.isEnabled($0) } == [false, true, true, false])
        #expect(flags.root.allFlags.map(\.keyPath.text) == ["level_1", "level_2", "text_a", "off"])
    }

    @Test("give their default and are reported if allCases omits them")
    func unlisted() {
        let log = IssueRecorder()
        let flags = FlagsLoader(Shuffled.self, providers: [MemoryProvider(values: ["b": true])])
        FlagIssueReporter.withReporter(log.reporter) {
            #expect(!flags.isEnabled(.b))
        }
        #expect(log.codes == [.unlistedFeature])
        #expect(flags.handle(of: .b) == nil)
    }

    @Test("give their own defaults after their loader, with a report that names the case")
    func outlived() {
        let log = IssueRecorder()
        func copy() -> FlagFeatureCollection<Limit> { FlagsLoader(Limit.self, providers: []).flags }
        let stray = copy()
        FlagIssueReporter.withReporter(log.reporter) {
            #expect(stray[.attempts] == 3 && stray[.depth] == 100)
            #expect(FlagFeatureCollection<Limit>()[.depth] == 100)
        }
        #expect(log.codes == [.loaderGone, .loaderGone, .unboundFlag])
        #expect(log.issues.first?.message.contains("Limit.attempts") == true)
    }

    @Test("leave the names of their loader's methods to the flags of other collections")
    func names() throws {
        struct Names: FlagCollectionProtocol {
            @Flag(default: 1) var value: Int
            @Flag(default: true) var isEnabled: Bool
            @Flag(default: 2) var handle: Int
        }
        let flags = FlagsLoader(Names.self, providers: [])
        try flags.validate()
        #expect(flags.value + flags.handle == 3 && flags.isEnabled)
    }
}
