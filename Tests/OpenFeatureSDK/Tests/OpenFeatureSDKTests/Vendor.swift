import Combine
import Foundation
@preconcurrency import OpenFeature
import Synchronization
import Tackline

struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: false) var newCheckout: Bool
    @Flag(default: true) var search: Bool
    @Flag(default: 20) var pageSize: Int
    @Flag(default: 1) var level: UInt8
    @Flag(default: 0.5) var ratio: Double
    @Flag(default: "light") var theme: String
    @Flag(default: nil) var banner: String?
    @Flag(default: .card) var payment: Payment
    @Flag(default: []) var regions: [String]
    @Flag(default: Limits()) var limits: Limits
    @Flag(default: Date(timeIntervalSince1970: 0)) var start: Date
}

enum Payment: String, FlagValue { case card, invoice }

struct Limits: Codable, Equatable, FlagValue {
    var perDay = 1
    var names = ["a"]
}

/// A vendor's provider, as a program of OpenFeature would have one.
final class Vendor: FeatureProvider, Sendable {
    struct State: Sendable {
        var values: [String: EncodedFlagValue] = [:]
        var variants: [String: String] = [:]
        var reason: Reason? = .targetingMatch
        var failure: OpenFeatureError?
        var evaluations: [String: Int] = [:]
        /// Whether a flag that it doesn't have throws, or has the caller's default.
        var throwsForAbsent = true
        var sendsContextEvents = true
        var isReady = true
    }

    let tracker = ProviderStatusTracker()
    let state: Mutex<State>

    init(_ values: [String: EncodedFlagValue] = [:], _ change: (inout State) -> Void = { _ in }) {
        var state = State(values: values)
        change(&state)
        self.state = Mutex(state)
    }

    struct Metadata: ProviderMetadata { var name: String? { "vendor" } }

    var hooks: [any Hook] { [] }
    var metadata: any ProviderMetadata { Metadata() }
    var status: ProviderStatus { tracker.status }
    func observe() -> AnyPublisher<ProviderEvent, Never> { tracker.observe() }

    func initialize(initialContext: (any OpenFeature.EvaluationContext)?) -> Future<Void, Never> {
        Future { promise in
            if self.state.withLock({ $0.isReady }) { self.tracker.send(.ready()) }
            promise(.success(()))
        }
    }

    func onContextSet(
        oldContext: (any OpenFeature.EvaluationContext)?, newContext: any OpenFeature.EvaluationContext
    ) -> Future<Void, Never> {
        Future { promise in
            if self.state.withLock({ $0.sendsContextEvents }) { self.tracker.send(.contextChanged()) }
            promise(.success(()))
        }
    }

    private func evaluate<T>(
        _ key: String, _ fallback: T, _ context: (any OpenFeature.EvaluationContext)?,
        _ convert: (EncodedFlagValue) -> T?
    ) throws -> ProviderEvaluation<T> {
        try state.withLock { state in
            state.evaluations[key, default: 0] += 1
            let user = context?.getTargetingKey() ?? ""
            if let failure = state.failure {
                if state.throwsForAbsent { throw failure }
                return ProviderEvaluation(value: fallback, errorCode: failure.errorCode(), errorMessage: "\(failure)")
            }
            guard tracker.status != .notReady else { throw OpenFeatureError.providerNotReadyError }
            guard let value = state.values["\(key)@\(user)"] ?? state.values[key] else {
                if state.throwsForAbsent { throw OpenFeatureError.flagNotFoundError(key: key) }
                return ProviderEvaluation(value: fallback, reason: Reason.defaultReason.rawValue)
            }
            guard let converted = convert(value) else { throw OpenFeatureError.typeMismatchError }
            return ProviderEvaluation(
                value: converted, flagMetadata: ["owner": .string("shop"), "version": .integer(3)],
                variant: state.variants[key], reason: state.reason?.rawValue)
        }
    }

    func getBooleanEvaluation(
        key: String, defaultValue: Bool, context: (any OpenFeature.EvaluationContext)?
    ) throws -> ProviderEvaluation<Bool> {
        try evaluate(key, defaultValue, context) { if case .bool(let value) = $0 { value } else { nil } }
    }

    func getStringEvaluation(
        key: String, defaultValue: String, context: (any OpenFeature.EvaluationContext)?
    ) throws -> ProviderEvaluation<String> {
        try evaluate(key, defaultValue, context) { if case .string(let value) = $0 { value } else { nil } }
    }

    func getIntegerEvaluation(
        key: String, defaultValue: Int64, context: (any OpenFeature.EvaluationContext)?
    ) throws -> ProviderEvaluation<Int64> {
        try evaluate(key, defaultValue, context) { if case .integer(let value) = $0 { Int64(value) } else { nil } }
    }

    func getDoubleEvaluation(
        key: String, defaultValue: Double, context: (any OpenFeature.EvaluationContext)?
    ) throws -> ProviderEvaluation<Double> {
        try evaluate(key, defaultValue, context) { if case .double(let value) = $0 { value } else { nil } }
    }

    func getObjectEvaluation(
        key: String, defaultValue: Value, context: (any OpenFeature.EvaluationContext)?
    ) throws -> ProviderEvaluation<Value> {
        try evaluate(key, defaultValue, context) { Self.value($0) }
    }

    private static func value(_ value: EncodedFlagValue) -> Value? {
        switch value {
        case .bool(let value): .boolean(value)
        case .integer(let value): .integer(Int64(value))
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let values): .list(values.compactMap { Self.value($0) })
        case .object(let values): .structure(values.compactMapValues { Self.value($0) })
        default: nil
        }
    }
}

/// An API of its own, with a provider, for each test.
func makeAPI(_ provider: any FeatureProvider, user: String? = nil) async -> OpenFeatureAPI {
    let api = OpenFeatureAPI()
    await api.setProviderAndWait(provider: provider, initialContext: user.map { ImmutableContext(targetingKey: $0) })
    return api
}
