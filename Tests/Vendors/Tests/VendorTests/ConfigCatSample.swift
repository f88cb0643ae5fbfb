import Tackline
@preconcurrency import ConfigCat

extension VendorProvider {
    static func configCat(_ client: ConfigCatClient) -> VendorProvider {
        VendorProvider(
            name: "ConfigCat",
            values: {
                let snapshot = client.snapshot()
                var values: [String: EncodedFlagValue] = [:]
                for key in snapshot.getAllKeys() {
                    let value: Any? = snapshot.getValue(for: key, defaultValue: nil)
                    switch value {
                    case let value as Bool: values[key] = .bool(value)
                    case let value as Int: values[key] = .integer(Int128(value))
                    case let value as Double: values[key] = .double(value)
                    case let value as String: values[key] = .string(value)
                    default: break
                    }
                }
                return values
            },
            // The SDK has no call that takes a handler out, so it stays until the client is closed.
            observe: { changed in client.hooks.addOnConfigChanged { _ in changed() } }
        )
    }
}

func makeFlags(_ client: ConfigCatClient, overrides: MemoryProvider) -> FlagsLoader<CheckoutFlags> {
    FlagsLoader(
        CheckoutFlags.self, keyConfiguration: KeyConfiguration(keyTransform: .none),
        providers: [overrides, VendorProvider.configCat(client)])
}
