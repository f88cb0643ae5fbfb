import TacklineCore
import TacklineMemory
import Testing

struct SecretFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Risky feature!")
    var boomFeature: Bool
    @Flag(default: "calm", description: "A text that may be long")
    var moodOfTheDay: String
}

struct UserFlags: FlagCollectionProtocol {
    @Flag(key: "sson", default: false, description: "Enable single sign-on")
    var allowsSSON: Bool
    @Flag(key: .absolute("limit"), default: 3, description: "How often")
    var maxAttempts: UInt8
    @Flag(default: nil, description: "Maybe")
    var nickname: String?
    @Flag(
        default: 0,
        computed: { (flags: UserFlags) in flags.allowsSSON ? Int(flags.maxAttempts) * 2 : nil },
        description: "Doubles the limit"
    )
    var doubledLimit: Int
    @FlagCollection(description: "Experiments not yet announced")
    var secrets: SecretFlags
}

@Suite("A loader")
struct FlagsLoaderTests {
    @Test("reads the default, then what a provider says, at the next read")
    func reads() throws {
        let memory = MemoryProvider()
        let loader = FlagsLoader(UserFlags.self, providers: [memory])
        try loader.validate()
        #expect(loader.allowsSSON == false)
        #expect(loader.secrets.boomFeature == false)
        #expect(loader.secrets.moodOfTheDay == "calm")
        memory.setValues([
            "sson": true, "secrets/boom_feature": true, "limit": 7,
            "secrets/mood_of_the_day": "a mood that takes more than fifteen bytes",
        ])
        #expect(loader.allowsSSON)
        #expect(loader.secrets.boomFeature)
        #expect(loader.maxAttempts == 7)
        #expect(loader.doubledLimit == 14)
        #expect(loader.secrets.moodOfTheDay == "a mood that takes more than fifteen bytes")
        memory.setValue(300, for: "limit")
        #expect(loader.maxAttempts == 3)
        try loader.$maxAttempts.setValue(9)
        #expect(loader.maxAttempts == 9)
        #expect(loader.$nickname.value == nil)
        try loader.$nickname.setValue("x", providers: [MemoryProvider.self])
        #expect(loader.nickname == "x")
        print(loader.$nickname.explain())
        let second = FlagsLoader(UserFlags.self, providers: [memory])
        #expect(second.maxAttempts == 9)
    }
}
