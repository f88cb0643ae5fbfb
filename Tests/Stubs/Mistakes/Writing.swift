// Mistakes that the compiler explains. The step "guides" compares its errors with those at the ends of the lines.

import Tackline

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout") var newCheckout: Bool
}

func write(_ flags: FlagsLoader<AppFlags>, _ environment: EnvironmentProvider, _ memory: MemoryProvider) throws {
    try flags.$newCheckout.setValue(true, in: environment)  // error: argument type 'EnvironmentProvider' does not
    try flags.$newCheckout.setValue(true, providers: [EnvironmentProvider.self])  // error: cannot convert value of type
    try flags.$newCheckout.setValue(true, in: "file")  // error: argument type 'String' does not conform
    try flags.$newCheckout.setValue(true, in: memory)
    try flags.$newCheckout.setValue(true, providers: [MemoryProvider.self])
    try flags.$newCheckout.setValue(false, inProviderNamed: "file")
    try flags.$newCheckout.resetValue(inProviderNamed: "file")
    try flags.$newCheckout.setValue(true)
}
