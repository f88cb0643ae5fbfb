import Tackline
@preconcurrency import LaunchDarkly

extension ClosureProvider {
    static func launchDarkly(_ client: LDClient) -> ClosureProvider {
        ClosureProvider(
            name: "LaunchDarkly",
            traits: .live,
            values: { (client.allFlags ?? [:]).mapValues { $0.encoded } },
            observe: { changed in
                let owner = ChangeOwner()
                client.observeAll(owner: owner) { _ in changed() }
                return { client.stopObserving(owner: owner) }  // keeps the owner, which the SDK holds weakly
            },
            status: { client.isInitialized ? .ready : .notReady }
        )
    }
}

/// The SDK's owners are any objects; ours may also be handed from thread to thread.
final class ChangeOwner: Sendable {}

extension LDValue {
    var encoded: EncodedFlagValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): .double(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map { $0.encoded })
        case .object(let members): .object(members.mapValues { $0.encoded })
        }
    }
}

func makeFlags(_ client: LDClient, overrides: FlagOverrides) -> FlagsLoader<CheckoutFlags> {
    FlagsLoader(
        CheckoutFlags.self, keyConfiguration: KeyConfiguration(keyTransform: .kebabCase),
        providers: [overrides, ClosureProvider.launchDarkly(client)])
}
