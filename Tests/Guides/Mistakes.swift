// Mistakes that the compiler explains. The step "guides" compares its errors with those at the ends of the lines.

import Tackline

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout") var newCheckout: Bool
}

func write(_ flags: FlagsLoader<AppFlags>, _ environment: EnvironmentProvider, _ memory: MemoryProvider) throws {
    try flags.$newCheckout.setValue(true, providers: [environment])  // error: only a WritableFlagProvider
    try flags.$newCheckout.setValue(true, providers: [EnvironmentProvider.self])  // error: only a WritableFlagProvider
    try flags.$newCheckout.setValue(true, providers: ["file"])  // error: write .named("…") for a provider's name
    try flags.$newCheckout.setValue(true, providers: [memory])
    try flags.$newCheckout.setValue(true, providers: [MemoryProvider.self])
    try flags.$newCheckout.setValue(nil, providers: [.named("file")])
    try flags.$newCheckout.setValue(true)
}
