// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on Firebase Remote Config uses of its SDK 11 and 12, with the signatures of the SDK, which needs an Apple
// system: the class is not `Sendable`.

public enum RemoteConfigFetchAndActivateStatus: Int, Sendable {
    case successFetchedFromRemote, successUsingPreFetchedData, error
}

public enum RemoteConfigSource: Int, Sendable {
    case remote, `default`, `static`
}

public class RemoteConfigValue {
    public let stringValue: String

    init(_ stringValue: String) { self.stringValue = stringValue }

    /// As the SDK does: `false` for what it has never heard of.
    public var boolValue: Bool { ["true", "1", "yes"].contains(stringValue) }
}

public class RemoteConfigUpdate {}

public class ConfigUpdateListenerRegistration {
    private let onRemove: () -> Void

    init(_ onRemove: @escaping () -> Void) { self.onRemove = onRemove }

    public func remove() { onRemove() }
}

public class RemoteConfig {
    private let lock = NSLock()
    private var fetched: [String: String] = [:]
    /// Values on the server that no listener was called for.
    private var published: [String: String]?
    private var active: [String: String] = [:]
    private var listeners: [Int: (RemoteConfigUpdate?, (any Error)?) -> Void] = [:]
    private var lastListener = 0

    public init() {}

    public func configValue(forKey key: String) -> RemoteConfigValue {
        lock.withLock { RemoteConfigValue(active[key] ?? "") }
    }

    public func allKeys(from source: RemoteConfigSource) -> [String] {
        lock.withLock { source == .remote ? Array(active.keys) : [] }
    }

    public func activate(completion: ((Bool, (any Error)?) -> Void)? = nil) {
        let hasChanged = lock.withLock {
            defer { active = fetched }
            return active != fetched
        }
        completion?(hasChanged, nil)
    }

    /// As the SDK does: activates what the server has, and calls no listener.
    @discardableResult
    public func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus {
        lock.withLock {
            (fetched, published) = (published ?? fetched, nil)
            active = fetched
        }
        return .successFetchedFromRemote
    }

    @discardableResult
    public func addOnConfigUpdateListener(
        remoteConfigUpdateCompletion listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void
    ) -> ConfigUpdateListenerRegistration {
        let number = lock.withLock {
            lastListener += 1
            listeners[lastListener] = listener
            return lastListener
        }
        return ConfigUpdateListenerRegistration { [self] in lock.withLock { listeners[number] = nil } }
    }

    // MARK: For tests

    public var listenerCount: Int { lock.withLock { listeners.count } }

    /// Changes what a fetch will find, without an update in real time.
    public func publish(_ values: [String: String]) { lock.withLock { published = values } }

    /// What the server does.
    public func receive(_ values: [String: String]) {
        let listeners = lock.withLock {
            fetched = values
            return Array(self.listeners.values)
        }
        for listener in listeners { listener(RemoteConfigUpdate(), nil) }
    }
}
