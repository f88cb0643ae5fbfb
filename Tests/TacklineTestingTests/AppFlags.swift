import TacklineCore

struct AppFlags: FlagCollectionProtocol {
    enum Theme: String, FlagValue, CaseIterable { case light, dark, system }

    @Flag(default: false, description: "The checkout in two steps")
    var newCheckout: Bool
    @Flag(default: .light, description: "Colours")
    var theme: Theme
    @Flag(default: 3, description: "How often to try")
    var limit: UInt8
    @Flag(
        default: false,
        computed: { (flags: AppFlags) in flags.newCheckout && flags.secrets.boomFeature },
        description: "Both"
    )
    var boomCheckout: Bool
    @FlagCollection(description: "Not yet announced")
    var secrets: Secrets

    struct Secrets: FlagCollectionProtocol {
        @Flag(default: false, description: "Risky feature!")
        var boomFeature: Bool
    }

    var notAFlag: Bool { true }
    var cappedLimit: UInt8 { min(limit, 10) }
}
