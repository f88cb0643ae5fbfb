import Tackline

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The checkout in two steps")
    var newCheckout: Bool

    @Flag(default: Theme.light, description: "The colors")
    var theme: Theme

    @Flag(default: Limits(items: 20, discounts: []), description: "Limits of a purchase")
    var limits: Limits

    @Flag(default: false, computed: { (flags: AppFlags) in flags.newCheckout && flags.payment.oneClick })
    var oneClickCheckout: Bool

    @FlagCollection(description: "Payment")
    var payment: PaymentFlags

    @FlagCollection(description: "The widget")
    var widget: WidgetFlags

    @FlagCollection(keyConfiguration: .skip)
    var features: FlagFeatureCollection<AppFeature>
}

struct PaymentFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Pays with one click")
    var oneClick: Bool

    @Flag(default: 3, description: "How often a payment is tried")
    var attempts: Int
}

struct WidgetFlags: FlagCollectionProtocol {
    static let keyConfiguration = KeyConfiguration(prefix: "widget")

    @Flag(default: false, description: "Shows prices in the widget")
    var showsPrices: Bool
}

enum Theme: String, CaseIterable, FlagValue {
    case light, dark
}

struct Limits: Codable, Equatable, FlagValue {
    var items: Int
    var discounts: [Double]
}

enum AppFeature: String, FlagFeature {
    case search, wishList
}

/// Values that a region has where nothing else does.
struct RegionDefaults: FlagProvider {
    let name = "region defaults"
    let region: String

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard key == "payment/attempts", region == "CH" else { return nil }
        return 5
    }

    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}
