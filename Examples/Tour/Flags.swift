import Tackline

/// The flags of an application: a struct of properties.
struct UserExperiments: FlagCollectionProtocol {
    @Flag(key: "sson", default: false, description: "Enable single sign-on")
    var allowsSSON: Bool

    @Flag(default: 3, description: "Wrong passwords before the account is locked")
    var maxAttempts: UInt8

    @Flag(default: .light, description: "The look of the app")
    var theme: Theme

    @FlagCollection(description: "Experiments not yet announced")
    var secrets: SecretExperiments
}

/// Collections nest.
struct SecretExperiments: FlagCollectionProtocol {
    @Flag(default: false, description: "Risky feature!")
    var boomFeature: Bool

    @Flag(
        default: "none",
        computed: { (flags: UserExperiments) in flags.secrets.boomFeature && flags.theme == .dark ? "night" : nil },
        description: "Fireworks, computed from other flags")
    var fireworks: String
}

/// An enum with a raw value is a flag's type with an empty conformance.
enum Theme: String, FlagValue, CaseIterable {
    case light, dark
}
