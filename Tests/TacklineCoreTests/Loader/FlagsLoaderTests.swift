import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A loader")
struct FlagsLoaderTests {
    @Test("returns the default, then at the next read the first usable value")
    func reads() throws {
        let top = MemoryProvider(name: "top")
        let bottom = MemoryProvider(name: "bottom")
        let user = FlagsLoader(UserExperiments.self, providers: [top, bottom])
        try user.validate()
        #expect(!user.allowsSSON && !user.secrets.boomFeature)
        #expect(user.secrets.moodOfTheDay == "calm" && user.nickname == nil && user.theme == .light)

        bottom.setValues(["sson": true, "secrets/boom_feature": true, "theme": "dark", "max_attempts": 200])
        #expect(user.allowsSSON && user.secrets.boomFeature)
        #expect(user.theme == .dark && user.maxAttempts == 200)

        top.setValue(false, for: "sson")
        #expect(!user.allowsSSON)
        top.setValue(nil, for: "sson")
        #expect(user.allowsSSON)

        bottom.setValue("a mood that takes more than fifteen bytes", for: "secrets/mood_of_the_day")
        #expect(user.secrets.moodOfTheDay == "a mood that takes more than fifteen bytes")
        bottom.setValue(["attempts": 7, "names": []], for: "limits")
        #expect(user.limits == SampleLimits(attempts: 7, names: []))
    }

    @Test("reads nested objects, flat keys, and values inside a flag's own object")
    func shapes() {
        let provider = MemoryProvider(values: ["secrets": ["boom_feature": true]])
        let user = FlagsLoader(UserExperiments.self, providers: [provider])
        #expect(user.secrets.boomFeature)
        provider.setValue(["boom_feature": false], for: "secrets")
        #expect(!user.secrets.boomFeature)
        provider.setValue(["attempts": 2, "names": ["x"]], for: "limits")
        #expect(user.limits.attempts == 2)
        provider.setValue(5, for: "limits/attempts")
        #expect(user.limits.attempts == 5)
    }

    @Test("skips a value that the type refuses, and reports it once for each change")
    func refusedValues() {
        let recorder = IssueRecorder()
        let server = MemoryProvider(name: "server", values: ["max_attempts": 300])
        let file = MemoryProvider(name: "file", values: ["max_attempts": 7])
        let user = FlagsLoader(
            UserExperiments.self, providers: [server, file], issueReporter: recorder.reporter)
        #expect(user.maxAttempts == 7)
        #expect(user.maxAttempts == 7)
        file.setValue(8, for: "max_attempts")
        #expect(user.maxAttempts == 8)
        #expect(recorder.codes == [.refusedValue])
        #expect(
            recorder.issues.first?.message == """
                Flag "max_attempts", provider "server": expected an integer from 0 to 255, found the integer 300. The \
                next provider was asked instead. Correct the value at its source, or change the type of the flag.
                """)
        server.setValue(-1, for: "max_attempts")
        #expect(user.maxAttempts == 8)
        server.setValue(9, for: "max_attempts")
        #expect(user.maxAttempts == 9)
        server.setValue(-1, for: "max_attempts")
        #expect(user.maxAttempts == 8)
        #expect(recorder.codes == [.refusedValue, .refusedValue, .refusedValue])
    }

    @Test("refuses wrong types, unknown cases and half-decodable structs, and asks the next provider")
    func refusals() throws {
        let cases: [(String, EncodedFlagValue)] = [
            ("sson", 1 as EncodedFlagValue), ("sson", "true"), ("theme", "blue"), ("theme", 1),
            ("limits", ["attempts": 1]), ("limits", ["attempts": "x", "names": []]), ("nickname", 5),
            ("secrets/mood_of_the_day", false), ("max_attempts", 1.5), ("max_attempts", "5"),
        ]
        for (path, value) in cases {
            let recorder = IssueRecorder()
            let good = FlagsLoader(UserExperiments.self, providers: []).snapshot()
            let user = FlagsLoader(
                UserExperiments.self,
                providers: [MemoryProvider(name: "bad", values: [path: value]), good], issueReporter: recorder.reporter)
            let flag = try #require(user.flag(at: FlagKeyPath(path)))
            #expect(flag.value == good.value(for: FlagKeyPath(path)), "\(path)")
            #expect(flag.explain().source == .provider("snapshot"), "\(path)")
            #expect(recorder.codes == [.refusedValue], "\(path)")
        }
    }

    @Test("takes null as no value for a plain flag, and as the value nil for an optional one")
    func null() {
        let top = MemoryProvider(name: "top", values: ["sson": .null, "nickname": .null])
        let bottom = MemoryProvider(name: "bottom", values: ["sson": true, "nickname": "Al"])
        let user = FlagsLoader(UserExperiments.self, providers: [top, bottom])
        #expect(user.allowsSSON)
        #expect(user.nickname == nil)
        top.setValue(nil, for: "nickname")
        #expect(user.nickname == "Al")
    }

    @Test("never asks a provider that a flag excludes")
    func excludedProviders() {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: 0, excludedProviders: [MemoryProvider.self]) var localOnly: Int
            @Flag(default: 0) var any: Int
        }
        let memory = MemoryProvider(values: ["local_only": 1, "any": 1])
        let computed = ClosureProvider { ["local_only": 2, "any": 2][$0] }
        let flags = FlagsLoader(Flags.self, providers: [memory, computed])
        #expect(flags.localOnly == 2 && flags.any == 1)
        let steps = flags.$localOnly.explain().providers
        #expect(steps.map(\.isExcluded) == [true, false] && steps.map(\.value) == [nil, 2])
    }

    @Test("asks a provider without notices at each read")
    func uncachedProvider() {
        let counter = Counter()
        let provider = ClosureProvider { key in key == "max_attempts" ? .integer(Int128(counter.next())) : nil }
        let user = FlagsLoader(UserExperiments.self, providers: [provider])
        #expect([user.maxAttempts, user.maxAttempts, user.maxAttempts] == [1, 2, 3])
        let above = MemoryProvider(values: ["max_attempts": 100])
        user.providers = [above, provider]
        #expect([user.maxAttempts, user.maxAttempts] == [100, 100])
        #expect(counter.next() == 4)
    }

    @Test("uses the providers of a new chain at the next read")
    func chainChanges() {
        let one = MemoryProvider(name: "one", values: ["max_attempts": 1])
        let two = MemoryProvider(name: "two", values: ["max_attempts": 2])
        let user = FlagsLoader(UserExperiments.self, providers: [one])
        #expect(user.maxAttempts == 1)
        user.providers = [two, one]
        #expect(user.maxAttempts == 2)
        #expect(user.providers.map(\.name) == ["two", "one"])
        user.providers = []
        #expect(user.maxAttempts == 3)
        one.setValue(9, for: "max_attempts")
        #expect(user.maxAttempts == 3)
        user.providers = [one]
        #expect(user.maxAttempts == 9)
    }

    @Test("reports a refused value again when its provider has left the chain and returned")
    func refusedValuesOfFormerProvider() {
        let recorder = IssueRecorder()
        let provider = MemoryProvider(values: ["max_attempts": "many"])
        let loader = FlagsLoader(UserExperiments.self, providers: [provider], issueReporter: recorder.reporter)
        #expect(loader.maxAttempts == 3)
        loader.providers = []
        #expect(loader.maxAttempts == 3)
        loader.providers = [provider]
        #expect(loader.maxAttempts == 3)
        #expect(recorder.codes == [.refusedValue, .refusedValue])
    }

    @Test("numbers providers of one name, and finds them by instance, type and id")
    func providerIdentity() throws {
        let first = MemoryProvider(values: ["max_attempts": 1])
        let second = MemoryProvider(values: ["max_attempts": 2])
        let user = FlagsLoader(UserExperiments.self, providers: [first, second])
        #expect(user.$maxAttempts.explain().providers.map(\.provider) == ["MemoryProvider", "MemoryProvider 2"])
        #expect(user.$maxAttempts.flagValue(from: MemoryProvider.self) == 1)
        #expect(user.$maxAttempts.flagValue(from: second) == 2)
        #expect(user.$maxAttempts.flagValue(fromProviderNamed: "MemoryProvider 2") == 2)
        try user.$maxAttempts.setValue(20, in: second)
        #expect(second.value(for: "max_attempts") == 20 && first.value(for: "max_attempts") == 1)
    }

    @Test("returns more different texts than a slot can keep")
    func manyValues() {
        let provider = MemoryProvider()
        let user = FlagsLoader(UserExperiments.self, providers: [provider])
        for round in 0..<3 {
            for number in 0..<100 {
                let mood = "mood number \(number), which takes more than fifteen bytes"
                provider.setValue(.string(mood), for: "secrets/mood_of_the_day")
                #expect(user.secrets.moodOfTheDay == mood, "round \(round)")
                #expect(user.secrets.moodOfTheDay == mood, "round \(round)")
            }
        }
    }

    @Test("keeps values of all sizes in the flags that they belong to")
    func sizes() throws {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: -1) var int8: Int8
            @Flag(default: .min) var int64: Int64
            @Flag(default: .max) var uint64: UInt64
            @Flag(default: 1.5) var double: Double
            @Flag(default: 2.5) var float: Float
            @Flag(default: nil) var optionalBool: Bool?
            @Flag(default: nil) var optionalInt: Int?
            @Flag(default: [1, 2]) var list: [Int]
            @Flag(default: ["a": true]) var table: [String: Bool]
            @Flag(default: "🏴‍☠️") var text: String
        }
        let flags = FlagsLoader(Flags.self, providers: [MemoryProvider()])
        for _ in 0..<2 {
            #expect(flags.int8 == -1 && flags.int64 == .min && flags.uint64 == .max && flags.double == 1.5)
            #expect(flags.float == 2.5 && flags.optionalBool == nil && flags.optionalInt == nil)
            #expect(flags.list == [1, 2] && flags.table == ["a": true] && flags.text == "🏴‍☠️")
        }
        try flags.$optionalBool.setValue(true)
        try flags.$optionalInt.setValue(-5)
        try flags.$int64.setValue(.max)
        try flags.$list.setValue([])
        for _ in 0..<2 {
            #expect(flags.optionalBool == true && flags.optionalInt == -5 && flags.int64 == .max && flags.list == [])
        }
    }
}
