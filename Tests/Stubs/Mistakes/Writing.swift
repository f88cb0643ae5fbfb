// systems: macos
import Tackline

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout") var newCheckout: Bool
}

func write(_ flags: FlagsLoader<AppFlags>, _ environment: EnvironmentProvider) throws {
    // mistake: argument type 'EnvironmentProvider' does not
    try flags.$newCheckout.setValue(true, in: environment)
    // mistake: cannot convert value of type
    try flags.$newCheckout.setValue(true, providers: [EnvironmentProvider.self])
    // mistake: argument type 'String' does not conform
    try flags.$newCheckout.setValue(true, in: "file")
}
