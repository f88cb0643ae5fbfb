import Tackline

struct CheckoutFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The checkout of one page")
    var newCheckout: Bool
}
