import Tackline
@preconcurrency import FirebaseRemoteConfig

extension ClosureProvider {
    static func remoteConfig(_ config: RemoteConfig) -> ClosureProvider {
        ClosureProvider(
            name: "Remote Config",
            traits: .live,
            values: {
                // Only what the server sent. Asked for any other name, configValue answers "", 0 and false.
                var values: [String: EncodedFlagValue] = [:]
                for key in config.allKeys(from: .remote) {
                    values[key] = .unparsed(config.configValue(forKey: key).stringValue)
                }
                return values
            },
            observe: { changed in
                let registration = config.addOnConfigUpdateListener { update, _ in
                    guard update != nil else { return }
                    config.activate { _, _ in changed() }
                }
                return { registration.remove() }
            }
        )
    }
}

func fetchAndActivate(_ config: RemoteConfig, for provider: ClosureProvider) async throws {
    try await config.fetchAndActivate()
    provider.valuesDidChange()  // the SDK calls its listener for its own updates only
}

func makeFlags(_ remote: ClosureProvider, overrides: FlagOverrides) -> FlagsLoader<CheckoutFlags> {
    FlagsLoader(CheckoutFlags.self, providers: [overrides, remote])
}
