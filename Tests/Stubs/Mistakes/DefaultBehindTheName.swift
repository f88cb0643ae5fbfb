// error: give the default in the attribute
import Tackline

struct AppFlags: FlagCollectionProtocol {
    @Flag(description: "The new checkout") var newCheckout = false
}
