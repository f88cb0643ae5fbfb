import Foundation
import Tackline
import TacklineTargeting
import TacklineTestSupport
import Testing

/// Faults that users of other libraries have reported, tried on this one.
@Suite("A fault that users of other libraries have reported is not here:", .hangLimit)
struct ReportedFaultsTests {
    struct Outer: FlagCollectionProtocol {
        @Flag(key: .absolute("a/b"), default: 0) var name: Int
        @Flag(key: .absolute("a/c"), default: 0) var group: Int
    }

    struct Inner: FlagCollectionProtocol {
        @Flag(key: .absolute("a/c/k"), default: 0) var other: Int
        @Flag(key: .absolute("a/c/b"), default: 0) var name: Int
    }

    private func providers(
        _ folder: TemporaryFolder, _ values: [String: EncodedFlagValue]
    ) throws -> [any WritableFlagProvider] {
        let bytes = try FlagJSONWriter().bytes(of: .object(values))
        let url = try folder.file("flags.json", String(decoding: bytes, as: UTF8.self))
        return [MemoryProvider(values: values), LocalProvider(file: url)]
    }

    private func loader<Flags: FlagCollectionProtocol>(
        _ type: Flags.Type, _ provider: any FlagProvider
    ) -> FlagsLoader<Flags> {
        FlagsLoader(type, providers: [provider], issueReporter: .silent)
    }

    @Test("a deeper key with the last name of a higher one removes the higher one")  // dynaconf#384, #1434
    func sameLeaf() throws {
        let folder = try TemporaryFolder()
        for provider in try providers(folder, ["a": ["b": 1, "c": 2]]) {
            let (outer, inner) = (loader(Outer.self, provider), loader(Inner.self, provider))
            try inner.$other.setValue(22)
            try inner.$name.setValue(1)
            #expect(outer.name == 1 && outer.group == 2 && inner.other == 22 && inner.name == 1)
            try inner.$name.resetValue()
            #expect(outer.name == 1 && outer.group == 2 && inner.other == 22 && inner.name == 0)
        }
    }

    @Test("setting one key of a nested group empties the rest of the group")  // confuse#150
    func siblings() throws {
        struct Global: FlagCollectionProtocol { @Flag(key: .absolute("global/name"), default: "") var name: String }
        let folder = try TemporaryFolder()
        for provider in try providers(folder, ["global": ["name": "old", "size": 3, "deep": ["x": 1]]]) {
            try loader(Global.self, provider).$name.setValue("new")
            #expect(provider.value(for: "global/size") == 3 && provider.value(for: "global/deep/x") == 1)
            #expect(provider.value(for: "global/name") == "new")
        }
    }

    struct UserFlags: FlagCollectionProtocol {
        @Flag(default: "none") var plan: String
    }

    struct SessionFlags: FlagCollectionProtocol {
        @Flag(default: "none", updatePolicy: .session) var plan: String
    }

    private func rules(_ context: CurrentContext) throws -> DefinitionsProvider {
        let json = """
            {"flags": {"plan": {"state": "ENABLED", "variants": {"gold": "gold", "free": "free"},
                "defaultVariant": "free", "targeting": {"if": [{"==": [{"var": "tier"}, 1]}, "gold", "free"]}}}}
            """
        return DefinitionsProvider(try FlagDefinitions(json: Data(json.utf8)), context: .current(context))
    }

    @Test("after another user, or the same with other attributes, the former values are given; a pin is of a user")
    func contexts() throws {  // launchdarkly/android#276, posthog-js#728, ffc-js#12, flopflip#11
        let context = CurrentContext(["targetingKey": "ada", "tier": 1])
        let provider = try rules(context)
        let (flags, session) = (loader(UserFlags.self, provider), loader(SessionFlags.self, provider))
        #expect(flags.plan == "gold" && session.plan == "gold")
        for (user, tier, plan) in [("bob", 0, "free"), ("ada", 1, "gold"), ("ada", 0, "free"), ("ada", 1, "gold")] {
            let isOther = context.context.targetingKey != user
            context.set(EvaluationContext(targetingKey: user, attributes: ["tier": .integer(Int128(tier))]))
            #expect(flags.plan == plan && (session.plan == plan || !isOther), "\(user) \(tier)")
        }
    }

    @Test("a default or a value of the wrong type is recorded as an exposure, or one exposure twice")
    func exposures() async throws {  // Flagsmith python#233, dd-sdk-flutter#1049, jetstream#458
        struct Wrong: FlagCollectionProtocol {
            @Flag(default: 0) var plan: Int
            @Flag(default: false) var missing: Bool
        }
        let recorder = ExposureRecorder()
        let provider = try rules(CurrentContext(["targetingKey": "ada", "tier": 1]))
        let wrong = FlagsLoader(
            Wrong.self, providers: [provider], issueReporter: .silent, observers: [recorder])
        #expect(wrong.plan == 0 && !wrong.missing)
        let flags = FlagsLoader(
            UserFlags.self, providers: [provider], issueReporter: .silent, observers: [recorder])
        for _ in 0..<3 { #expect(flags.plan == "gold") }
        recorder.finish()
        let recorded = await recorder.exposures.reduce(into: []) { $0.append($1.variant) }
        #expect(recorded == ["gold"])
    }

    @Test("a great integer is rounded when it is read, written and read again")
    func integers() throws {  // let-go#815, go-jsonnet#547, fixjson#19, jsonpack#33, jsont#17
        struct Numbers: FlagCollectionProtocol {
            @Flag(default: 0) var id: Int64
            @Flag(default: 0) var other: Int
        }
        let folder = try TemporaryFolder()
        for id in [9_007_199_254_740_993, 5_746_521_940_354_690_803, 3_791_411_052_119_578_828, Int64.max, .min] {
            let url = try folder.file("flags.json", #"{"id": \#(id)}"#)
            let flags = loader(Numbers.self, LocalProvider(file: url))
            #expect(flags.id == id)
            try flags.$other.setValue(1)
            let again = loader(Numbers.self, LocalProvider(file: url))
            #expect(again.id == id && again.other == 1)
        }
    }
}
