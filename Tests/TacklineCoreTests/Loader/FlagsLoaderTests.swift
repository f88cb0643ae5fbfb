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
