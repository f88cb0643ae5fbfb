// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Combine
import Dispatch
import Foundation

public struct ProviderEventDetails: Equatable {
    public let flagsChanged: [String]?
    public let message: String?
    public let errorCode: ErrorCode?

    public init(flagsChanged: [String]? = nil, message: String? = nil, errorCode: ErrorCode? = nil) {
        self.flagsChanged = flagsChanged
        self.message = message
        self.errorCode = errorCode
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
    private let lock = NSLock()
    private let queue = DispatchQueue(label: "OpenFeature stub, events")
    private var receivers: [Int: (ProviderEvent) -> Void] = [:]
    private var lastReceiver = 0
    private var current = ProviderStatus.notReady

    public init() {}

    public var status: ProviderStatus { lock.withLock { current } }

    public func send(_ event: ProviderEvent) {
        lock.withLock {
            switch event {
            case .ready, .contextChanged: current = .ready
            case .error(let details): current = details?.errorCode == .providerFatal ? .fatal : .error
            case .stale: current = .stale
            case .reconciling: current = .reconciling
            case .configurationChanged: break
            }
            for receiver in receivers.keys { deliver(event, to: receiver) }
        }
    }

    public func observe() -> AnyPublisher<ProviderEvent, Never> {
        AnyPublisher { [self] receive in
            lock.withLock {
                lastReceiver += 1
                let receiver = lastReceiver
                receivers[receiver] = receive
                switch current {
                case .notReady: break
                case .ready: deliver(.ready(), to: receiver)
                case .error: deliver(.error(), to: receiver)
                case .fatal: deliver(.error(ProviderEventDetails(errorCode: .providerFatal)), to: receiver)
                case .stale: deliver(.stale(), to: receiver)
                case .reconciling: deliver(.reconciling(), to: receiver)
                }
                return AnyCancellable { self.lock.withLock { self.receivers[receiver] = nil } }
            }
        }
    }

    /// Begins with another provider.
    func reset() { lock.withLock { current = .notReady } }

    private func deliver(_ event: ProviderEvent, to receiver: Int) {
        queue.async { self.lock.withLock { self.receivers[receiver] }?(event) }
    }
}
