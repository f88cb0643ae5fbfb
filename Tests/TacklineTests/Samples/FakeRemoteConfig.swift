import Synchronization

// What VendorSamples.swift uses of Firebase Remote Config, in the same shape; the SDK itself needs an Apple system.

enum RemoteConfigSource: Sendable {
    case remote, `default`, `static`
}

struct RemoteConfigValue: Sendable {
    let stringValue: String
    let source: RemoteConfigSource

    /// As the SDK does: `false` for what it has never heard of.
    var boolValue: Bool { ["true", "1", "yes"].contains(stringValue) }
}

struct RemoteConfigUpdate: Sendable {
    let updatedKeys: Set<String>
}

final class ConfigUpdateListenerRegistration: Sendable {
    private let onRemove: @Sendable () -> Void

    init(onRemove: @escaping @Sendable () -> Void) { self.onRemove = onRemove }

    func remove() { onRemove() }
}

final class RemoteConfig: Sendable {
    private struct State {
        var fetched: [String: String] = [:]
        var active: [String: String] = [:]
        var defaults: [String: String] = [:]
        var listeners: [Int: @Sendable (RemoteConfigUpdate?, (any Error)?) -> Void] = [:]
        var lastListener = 0
    }

    private let state = Mutex(State())

    var listenerCount: Int { state.withLock { $0.listeners.count } }

    func setDefaults(_ defaults: [String: String]) { state.withLock { $0.defaults = defaults } }

    func configValue(forKey key: String) -> RemoteConfigValue {
        state.withLock { state in
            if let text = state.active[key] { return RemoteConfigValue(stringValue: text, source: .remote) }
            if let text = state.defaults[key] { return RemoteConfigValue(stringValue: text, source: .default) }
            return RemoteConfigValue(stringValue: "", source: .static)
        }
    }

    func allKeys(from source: RemoteConfigSource) -> [String] {
        state.withLock { state in
            switch source {
            case .remote: Array(state.active.keys)
            case .default: Array(state.defaults.keys)
            case .static: []
            }
        }
    }

    func activate(completion: (@Sendable (Bool, (any Error)?) -> Void)?) {
        let hasChanged = state.withLock { state in
            defer { state.active = state.fetched }
            return state.active != state.fetched
        }
        completion?(hasChanged, nil)
    }

    func addOnConfigUpdateListener(
        remoteConfigUpdateCompletion listener: @escaping @Sendable (RemoteConfigUpdate?, (any Error)?) -> Void
    ) -> ConfigUpdateListenerRegistration {
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = listener
            return state.lastListener
        }
        return ConfigUpdateListenerRegistration { [self] in state.withLock { $0.listeners[number] = nil } }
    }

    /// What the server does.
    func receive(_ values: [String: String]) {
        let (keys, listeners) = state.withLock { state in
            let keys = Set(values.keys).union(state.fetched.keys).filter { values[$0] != state.fetched[$0] }
            state.fetched = values
            return (keys, Array(state.listeners.values))
        }
        for listener in listeners { listener(RemoteConfigUpdate(updatedKeys: keys), nil) }
    }
}
