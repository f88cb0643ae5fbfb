// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on ConfigCat uses of its SDK for Swift, with the signatures of the SDK: its classes are not `Sendable`.

public protocol ConfigProtocol {}

public final class ConfigCatUser {}

public final class Hooks {
    private struct Config: ConfigProtocol {}

    private let lock = NSRecursiveLock()
    private var onConfigChanged: [(any ConfigProtocol) -> Void] = []

    /// As in the SDK, nothing takes a handler out again.
    public func addOnConfigChanged(handler: @escaping (any ConfigProtocol) -> Void) {
        lock.lock()
        defer { lock.unlock() }
        onConfigChanged.append(handler)
    }

    /// As in the SDK, handlers are called under the lock.
    func invokeOnConfigChanged() {
        lock.lock()
        defer { lock.unlock() }
        for handler in onConfigChanged { handler(Config()) }
    }
}

public final class ConfigCatClientSnapshot {
    private let values: [String: Any]

    init(_ values: [String: Any]) { self.values = values }

    public func getValue<Value>(for key: String, defaultValue: Value, user: ConfigCatUser? = nil) -> Value {
        values[key] as? Value ?? defaultValue
    }

    public func getAllKeys() -> [String] { Array(values.keys) }
}

public final class ConfigCatClient {
    private let lock = NSLock()
    private var values: [String: Any] = [:]

    public let hooks = Hooks()

    public init() {}

    public func snapshot() -> ConfigCatClientSnapshot { lock.withLock { ConfigCatClientSnapshot(values) } }

    // MARK: For tests

    /// What the server does.
    public func receive(_ new: [String: Any]) {
        lock.withLock { values = new }
        hooks.invokeOnConfigChanged()
    }
}
