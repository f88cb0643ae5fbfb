import Tackline
@preconcurrency import FirebaseRemoteConfig

extension VendorProvider {
    static func remoteConfig(_ config: RemoteConfig) -> VendorProvider {
        VendorProvider(
            name: "Remote Config",
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
                return Listening(registration: registration)
            },
            stopObserving: { listening in listening.registration.remove() }
        )
    }
}

/// Kept until nobody listens any more.
struct Listening: Sendable {
    let registration: ConfigUpdateListenerRegistration
}

func makeFlags(_ config: RemoteConfig, overrides: MemoryProvider) -> FlagsLoader<CheckoutFlags> {
    FlagsLoader(CheckoutFlags.self, providers: [overrides, VendorProvider.remoteConfig(config)])
}
