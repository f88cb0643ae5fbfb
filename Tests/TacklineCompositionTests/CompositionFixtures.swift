import TacklineCore
import TacklineComposition

/// The collection of most tests here.
struct CompositionFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout")
    var newCheckout: Bool
    @Flag(default: true, description: "The menu for developers")
    var debugMenu: Bool
    @Flag(default: 3, description: "How often to try")
    var maxAttempts: UInt8
    @Flag(default: "none", description: "A nickname")
    var nickname: String?
    @FlagCollection(description: "A group")
    var group: CompositionGroup
}

struct CompositionGroup: FlagCollectionProtocol {
    @Flag(default: 0.5, description: "A share")
    var share: Double
    @FlagCollection(keyConfiguration: .skip)
    var features: FlagFeatureCollection<CompositionFeature>
}

enum CompositionFeature: String, FlagFeature {
    case newCheckout, HTTPServerURL
    case handWritten = "hand-written-key"
}

/// An override whose values never change.
struct FixedOverride: FlagProvider {
    var traits = FlagProviderTraits.override
    var name = "override"
    var values: [String: EncodedFlagValue] = ["new_checkout": true]

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { values[key.text] }
    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}

/// A provider whose values never change.
struct FixedProvider: FlagProvider {
    var name = "fixed"
    var values: [String: EncodedFlagValue] = [:]

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { values[key.text] }
    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}
