import Tackline

struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout, for a tenth of the users")
    var newCheckout: Bool

    @Flag(default: .green, description: "An experiment: which colour of the button sells more")
    var buttonColor: ButtonColor

    @Flag(default: 20, description: "Results on a page")
    var pageSize: Int
}

enum ButtonColor: String, FlagValue { case green, blue }
