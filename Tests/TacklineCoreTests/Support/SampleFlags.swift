import TacklineCore

/// The example of the design.
struct UserExperiments: FlagCollectionProtocol {
    @Flag(key: "sson", default: false, description: "Enable single sign-on")
    var allowsSSON: Bool

    @Flag(default: 3, description: "How often a password may be wrong")
    var maxAttempts: UInt8

    @Flag(default: nil, description: "What to call the user")
    var nickname: String?

    @Flag(default: SampleTheme.light, description: "The appearance")
    var theme: SampleTheme

    @Flag(default: SampleLimits(attempts: 1, names: ["a"]), description: "Several numbers")
    var limits: SampleLimits

    @FlagCollection(description: "Experiments not yet announced")
    var secrets: SecretExperiments
}

struct SecretExperiments: FlagCollectionProtocol {
    @Flag(default: false, description: "Risky feature!")
    var boomFeature: Bool

    @Flag(default: "calm", description: "A text")
    var moodOfTheDay: String
}

enum SampleTheme: String, FlagValue, CaseIterable {
    case light, dark
}

struct SampleLimits: Codable, FlagValue, Equatable {
    var attempts: Int
    var names: [String]
}

extension FlagScope {
    /// Sets the value of a flag.
    mutating func set<Value: FlagValue>(_ value: Value, for key: FlagKeyPath.Identity) {
        set(ErasedFlagValue(value), of: Value.self, for: key)
    }
}
