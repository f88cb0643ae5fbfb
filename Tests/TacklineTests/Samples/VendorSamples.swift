import Foundation
import Synchronization
import Tackline
import TacklineRemoteJSON

// What the sections on closures and vendors of the guide "Writing a provider" show, so that it is run.

extension VendorProvider {
    static func launchDarkly(_ client: LDClient) -> VendorProvider {
        VendorProvider(
            name: "LaunchDarkly",
            values: { (client.allFlags ?? [:]).mapValues(\.encoded) },
            observe: { changed in
                let owner = ChangeOwner()
                client.observeAll(owner: owner) { _ in changed() }
                return owner  // the SDK holds it weakly, so the provider keeps it
            },
            stopObserving: { owner in client.stopObserving(owner: owner) },
            status: { client.isInitialized ? .ready : .notReady }
        )
    }
}

final class ChangeOwner: Sendable {}

extension LDValue {
    var encoded: EncodedFlagValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): .double(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.encoded))
        case .object(let members): .object(members.mapValues(\.encoded))
        }
    }
}

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
                config.addOnConfigUpdateListener { update, _ in
                    guard update != nil else { return }
                    config.activate { _, _ in changed() }
                }
            },
            stopObserving: { registration in registration.remove() }
        )
    }
}

/// Settings as many programs have them.
final class Settings: Sendable {
    private let state = Mutex<(texts: [String: String], listener: (@Sendable () -> Void)?)>(([:], nil))

    func text(for name: String) -> String? { state.withLock { $0.texts[name] } }

    func setText(_ text: String?, for name: String) {
        state.withLock { state in
            state.texts[name] = text
            return state.listener
        }?()
    }

    func addListener(_ listener: @escaping @Sendable () -> Void) -> Int {
        state.withLock { $0.listener = listener }
        return 1
    }

    func removeListener(_ listener: Int) { state.withLock { $0.listener = nil } }
}

/// An SDK that offers hardly anything.
final class Toggles: Sendable {
    private let state = Mutex<(active: Set<String>, onChange: (@Sendable () -> Void)?)>(([], nil))

    func isActive(_ name: String) -> Bool { state.withLock { $0.active.contains(name) } }
    func onChange(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = action } }

    func setActive(_ names: Set<String>) {
        state.withLock { state in
            state.active = names
            return state.onChange
        }?()
    }
}

struct VendorSamples {
    let settings = Settings()
    let toggles = Toggles()
    let overrides = MemoryProvider(name: "overrides")

    func closures() -> ClosureProvider {
        let provider = ClosureProvider(
            name: "settings",
            fetch: { key in settings.text(for: key.text).map { .unparsed($0) } },
            observe: { changed in settings.addListener { changed() } },
            stopObserving: { listener in settings.removeListener(listener) }
        )
        return provider
    }

    func activeNames() -> VendorProvider {
        let provider = VendorProvider(
            name: "toggles",
            knownNames: { ["new_checkout", "one_click"] },
            isActive: { name in toggles.isActive(name) },
            observe: { changed in toggles.onChange { changed() } }
        )
        return provider
    }

    func json(url: URL) -> FlagsLoader<CompositionSamples.AppFlags> {
        typealias AppFlags = CompositionSamples.AppFlags

        let flags = FlagsLoader(AppFlags.self, providers: [overrides, .json(url: url)])
        return flags
    }
}
