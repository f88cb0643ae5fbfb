import Tackline
@preconcurrency import ConfigCat

extension ClosureProvider {
    static func configCat(_ client: ConfigCatClient) -> ClosureProvider {
        ClosureProvider(
            name: "ConfigCat",
            traits: .live,
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
            observe: { changed in
                client.hooks.addOnConfigChanged { _ in changed() }
                return {}  // the SDK has no call that removes a handler, so it stays until the client is closed
            }
        )
    }
}

func makeFlags(_ client: ConfigCatClient, overrides: FlagOverrides) -> FlagsLoader<CheckoutFlags> {
    FlagsLoader(
        CheckoutFlags.self, keyConfiguration: KeyConfiguration(keyTransform: .none),
        providers: [overrides, ClosureProvider.configCat(client)])
}
