// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Combine
import Dispatch
import Foundation

public struct ProviderEventDetails: Equatable {
    public let flagsChanged: [String]?
    public let message: String?
    public let errorCode: ErrorCode?
    public let eventMetadata: EventMetadata

    public init(
        flagsChanged: [String]? = nil, message: String? = nil, errorCode: ErrorCode? = nil,
        eventMetadata: EventMetadata = [:]
    ) {
        self.flagsChanged = flagsChanged
        self.message = message
        self.errorCode = errorCode
        self.eventMetadata = eventMetadata
    }
}

public enum ProviderEvent: Equatable {
    case ready(ProviderEventDetails? = nil)
    case error(ProviderEventDetails? = nil)
    case configurationChanged(ProviderEventDetails? = nil)
    case stale(ProviderEventDetails? = nil)
    case reconciling(ProviderEventDetails? = nil)
    case contextChanged(ProviderEventDetails? = nil)
}

public enum ProviderStatus: String, CaseIterable {
    case notReady = "PROVIDER_NOT_READY"
    case ready = "PROVIDER_READY"
    case error = "PROVIDER_ERROR"
    case stale = "PROVIDER_STALE"
    case fatal = "PROVIDER_FATAL"
    case reconciling = "PROVIDER_RECONCILING"
}

public protocol EventPublisher {
    func observe() -> AnyPublisher<ProviderEvent, Never>
}

public protocol FeatureProvider: EventPublisher {
    var hooks: [any Hook] { get }
    var metadata: ProviderMetadata { get }
    var status: ProviderStatus { get }

    func initialize(initialContext: EvaluationContext?) -> Future<Void, Never>
    func onContextSet(oldContext: EvaluationContext?, newContext: EvaluationContext) -> Future<Void, Never>

    func getBooleanEvaluation(key: String, defaultValue: Bool, context: EvaluationContext?) throws
        -> ProviderEvaluation<Bool>
    func getStringEvaluation(key: String, defaultValue: String, context: EvaluationContext?) throws
        -> ProviderEvaluation<String>
    func getIntegerEvaluation(key: String, defaultValue: Int64, context: EvaluationContext?) throws
        -> ProviderEvaluation<Int64>
    func getDoubleEvaluation(key: String, defaultValue: Double, context: EvaluationContext?) throws
        -> ProviderEvaluation<Double>
    func getObjectEvaluation(key: String, defaultValue: Value, context: EvaluationContext?) throws
        -> ProviderEvaluation<Value>
}

/// Keeps a provider's status by its events. A new subscriber gets an event for the status first, and every event comes on
/// one queue.
public final class ProviderStatusTracker: EventPublisher, @unchecked Sendable {
    // Under `order` an event is sent, or a subscriber is added; under `lock` the status is read.
    fileprivate let order = NSRecursiveLock()
    private let lock = NSLock()
    fileprivate let events = PassthroughSubject<ProviderEvent, Never>()
    private let queue = DispatchQueue(label: "OpenFeature stub, events")
    private var current = ProviderStatus.notReady

    public init() {}

    public private(set) var status: ProviderStatus {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }

    public func send(_ event: ProviderEvent) {
        order.withLock {
            switch event {
            case .ready, .contextChanged: status = .ready
            case .error(let details): status = details?.errorCode == .providerFatal ? .fatal : .error
            case .stale: status = .stale
            case .reconciling: status = .reconciling
            case .configurationChanged: break
            }
            events.send(event)
        }
    }

    public func observe() -> AnyPublisher<ProviderEvent, Never> {
        #if canImport(Darwin)
            // There the stub is only type-checked.
            events.eraseToAnyPublisher()
        #else
            Replaying(tracker: self).receive(on: queue).eraseToAnyPublisher()
        #endif
    }
}

#if !canImport(Darwin)
    private struct Replaying: Publisher {
        typealias Output = ProviderEvent
        typealias Failure = Never
        let tracker: ProviderStatusTracker

        func subscribe(_ receive: @escaping (ProviderEvent) -> Void) -> AnyCancellable {
            tracker.order.withLock {
                switch tracker.status {
                case .notReady: break
                case .ready: receive(.ready())
                case .error: receive(.error())
                case .fatal: receive(.error(ProviderEventDetails(errorCode: .providerFatal)))
                case .stale: receive(.stale())
                case .reconciling: receive(.reconciling())
                }
                return tracker.events.sink(receiveValue: receive)
            }
        }
    }
#endif
