import Synchronization

// What VendorSamples.swift uses of LaunchDarkly's SDK for iOS, in the same shape; the SDK itself needs an Apple system.

typealias LDFlagKey = String

enum LDValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([LDValue])
    case object([String: LDValue])
}

struct LDChangedFlag {
    let key: LDFlagKey
    let oldValue: LDValue
    let newValue: LDValue
}

final class LDClient: Sendable {
    private struct State {
        /// `nil` as long as the client has not started.
        var flags: [LDFlagKey: LDValue]?
        var observers: [Observer] = []
    }

    private struct Observer: Sendable {
        weak var owner: (any AnyObject & Sendable)?
        let handler: @Sendable ([LDFlagKey: LDChangedFlag]) -> Void
    }

    private let state = Mutex(State())

    var isInitialized: Bool { state.withLock { $0.flags != nil } }
    var allFlags: [LDFlagKey: LDValue]? { state.withLock { $0.flags } }
    var observerCount: Int { state.withLock { $0.observers.count } }

    func boolVariation(forKey key: LDFlagKey, defaultValue: Bool) -> Bool {
        guard case .bool(let value)? = allFlags?[key] else { return defaultValue }
        return value
    }

    func observeAll(
        owner: any AnyObject & Sendable, handler: @escaping @Sendable ([LDFlagKey: LDChangedFlag]) -> Void
    ) {
        state.withLock { $0.observers.append(Observer(owner: owner, handler: handler)) }
    }

    func stopObserving(owner: any AnyObject & Sendable) {
        state.withLock { $0.observers.removeAll { $0.owner === owner } }
    }

    /// What the server does.
    func receive(_ flags: [LDFlagKey: LDValue]) {
        let (old, observers) = state.withLock { state in
            let old = state.flags ?? [:]
            state.flags = flags
            return (old, state.observers)
        }
        var changed: [LDFlagKey: LDChangedFlag] = [:]
        for key in Set(old.keys).union(flags.keys) where old[key] != flags[key] {
            changed[key] = LDChangedFlag(key: key, oldValue: old[key] ?? .null, newValue: flags[key] ?? .null)
        }
        for observer in observers where observer.owner != nil { observer.handler(changed) }
    }
}
