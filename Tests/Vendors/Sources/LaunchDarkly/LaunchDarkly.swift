// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on LaunchDarkly uses of its SDK for iOS 9, with the signatures of the SDK, which needs an Apple system:
// neither the client nor its values are `Sendable`, and its closures are not either.

public typealias LDFlagKey = String
public typealias LDObserverOwner = AnyObject
public typealias LDFlagCollectionChangeHandler = ([LDFlagKey: LDChangedFlag]) -> Void

public enum LDValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([LDValue])
    case object([String: LDValue])
}

public struct LDChangedFlag {}

public class LDClient {
    private struct Observer {
        weak var owner: LDObserverOwner?
        let handler: LDFlagCollectionChangeHandler
    }

    private let lock = NSLock()
    /// `nil` as long as the client has not started.
    private var flags: [LDFlagKey: LDValue]?
    private var observers: [Observer] = []

    public init() {}

    public var isInitialized: Bool { lock.withLock { flags != nil } }
    public var allFlags: [LDFlagKey: LDValue]? { lock.withLock { flags } }

    public func observeAll(owner: LDObserverOwner, handler: @escaping LDFlagCollectionChangeHandler) {
        lock.withLock { observers.append(Observer(owner: owner, handler: handler)) }
    }

    public func stopObserving(owner: LDObserverOwner) {
        lock.withLock { observers.removeAll { $0.owner === owner } }
    }

    // MARK: For tests

    public var observerCount: Int { lock.withLock { observers.count } }

    /// What the server does.
    public func receive(_ new: [LDFlagKey: LDValue]) {
        let observers = lock.withLock {
            flags = new
            return self.observers
        }
        for observer in observers where observer.owner != nil { observer.handler([:]) }
    }
}
