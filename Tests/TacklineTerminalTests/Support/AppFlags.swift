import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum Theme: String, CaseIterable, FlagValue {
    case light, dark, system
}

/// Flags for every kind of control.
struct AppFlags: FlagCollectionProtocol {
    @Flag(
        default: false,
        description: FlagMetadata(
            name: "New checkout", description: "One page in place of four.", tags: ["shop"], owner: "team-shop",
            ticket: "SHOP-12"))
    var newCheckout: Bool

    @Flag(default: 3, description: "How often a payment is tried.")
    var attempts: UInt8

    @Flag(default: 0.25, description: "The part of the requests that are traced.")
    var sampleRate: Double

    @Flag(default: .system, description: "The colors of the app.")
    var theme: Theme

    @Flag(default: "Hello", description: "What the start page says.")
    var greeting: String

    @Flag(default: ["retry": [1, 2, 5]], description: "How requests are repeated.")
    var retries: [String: [Int]]

    @FlagCollection(description: "Experiments not yet announced")
    var secrets: SecretFlags
}

struct SecretFlags: FlagCollectionProtocol {
    @Flag(
        default: false,
        description: FlagMetadata(
            description: "Risky!", isLocked: true, expiryDate: Date(timeIntervalSince1970: 1_700_000_000)))
    var boom: Bool

    @Flag(default: nil, description: "Shown on top of every page, if there is one.")
    var banner: String?
}
