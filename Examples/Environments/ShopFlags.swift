import Tackline

/// What the shop can switch on and off.
enum ShopFeature: String, FlagFeature {
    case newCheckout, reviews, debugMenu, fakeCamera
}

/// Everything that the shop may want to change without a release.
struct ShopFlags: FlagCollectionProtocol {
    @FlagCollection(keyConfiguration: .skip)
    var features: FlagFeatureCollection<ShopFeature>

    @Flag(default: 3, description: "How often a payment is tried")
    var attempts: Int
}
