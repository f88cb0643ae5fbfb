import Foundation
import Synchronization
import Tackline
import TacklineRemoteJSON

// What the sections on closures and vendors of the guide "Writing a provider" show, so that it is run.

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
            value: { key in settings.text(for: key.text).map { .unparsed($0) } },
            observe: { changed in
                let listener = settings.addListener { changed() }
                return { settings.removeListener(listener) }
            }
        )
        return provider
    }

    func activeNames() -> ClosureProvider {
        let names = ["new_checkout", "one_click"]
        let provider = ClosureProvider(
            name: "toggles", traits: .live,
            values: { Dictionary(uniqueKeysWithValues: names.map { ($0, .bool(toggles.isActive($0))) }) },
            observe: { changed in
                toggles.onChange { changed() }
                return {}
            }
        )
        return provider
    }

    func json(url: URL) -> FlagsLoader<CompositionSamples.AppFlags> {
        typealias AppFlags = CompositionSamples.AppFlags

        let remote = RemoteJSONProvider(url: url)
        remote.start()
        let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
        return flags
    }
}
