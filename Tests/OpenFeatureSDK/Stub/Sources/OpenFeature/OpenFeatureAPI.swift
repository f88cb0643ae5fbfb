// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Combine
import Dispatch
import Foundation

public class OpenFeatureAPI {
    private let state = DispatchQueue(label: "OpenFeature stub, state")
    private let lifecycle = DispatchQueue(label: "OpenFeature stub, lifecycle")
    private let events = ProviderStatusTracker()
    private var subscription: AnyCancellable?
    private var provider: FeatureProvider?
    private var evaluationContext: EvaluationContext?

    static public let shared = OpenFeatureAPI()

    public init() {}

    public func setProvider(provider: FeatureProvider, initialContext: EvaluationContext?) {
        _ = set(provider, initialContext)
    }

    public func setProviderAndWait(provider: FeatureProvider, initialContext: EvaluationContext?) async {
        await set(provider, initialContext).value
    }

    public func setProvider(provider: FeatureProvider) { setProvider(provider: provider, initialContext: nil) }

    public func setProviderAndWait(provider: FeatureProvider) async {
        await setProviderAndWait(provider: provider, initialContext: nil)
    }

    public func getProvider() -> FeatureProvider? { state.sync { provider } }

    public func setEvaluationContext(evaluationContext: EvaluationContext) { _ = set(evaluationContext) }

    public func setEvaluationContextAndWait(evaluationContext: EvaluationContext) async {
        await set(evaluationContext).value
    }

    public func getEvaluationContext() -> EvaluationContext? { state.sync { evaluationContext } }

    public func getProviderStatus() -> ProviderStatus { state.sync { provider?.status ?? .notReady } }

    public func getClient(name: String? = nil, version: String? = nil) -> OpenFeatureClient { OpenFeatureClient(self) }

    public func observe() -> AnyPublisher<ProviderEvent, Never> { events.observe() }

    private func set(_ new: FeatureProvider, _ context: EvaluationContext?) -> Future<Void, Never> {
        state.sync {
            subscription = nil
            events.reset()
            provider = new
            subscription = new.observe().sink { [events] in events.send($0) }
            if let context { evaluationContext = context }
            return run { new.initialize(initialContext: context) }
        }
    }

    private func set(_ context: EvaluationContext) -> Future<Void, Never> {
        state.sync {
            let old = evaluationContext
            evaluationContext = context
            guard let provider else { return Future { $0(.success(())) } }
            return run { provider.onContextSet(oldContext: old, newContext: context) }
        }
    }

    private func run(_ work: @escaping () -> Future<Void, Never>) -> Future<Void, Never> {
        Future { resolve in
            self.lifecycle.async { _ = work().sink { resolve(.success(())) } }
        }
    }
}

// MARK: Clients

public class OpenFeatureClient {
    private let api: OpenFeatureAPI

    init(_ api: OpenFeatureAPI) { self.api = api }

    public func getBooleanValue(key: String, defaultValue: Bool) -> Bool {
        getDetails(key: key, defaultValue: defaultValue).value
    }

    public func getIntegerDetails(key: String, defaultValue: Int64) -> FlagEvaluationDetails<Int64> {
        getDetails(key: key, defaultValue: defaultValue)
    }

    public func getValue<T: AllowedFlagValueType>(key: String, defaultValue: T) -> T {
        getDetails(key: key, defaultValue: defaultValue).value
    }

    public func getDetails<T: AllowedFlagValueType>(key: String, defaultValue: T) -> FlagEvaluationDetails<T> {
        let (provider, context) = (api.getProvider(), api.getEvaluationContext())
        var details = FlagEvaluationDetails(flagKey: key, value: defaultValue)
        do {
            guard let provider else { throw OpenFeatureError.providerNotReadyError }
            let answer = try evaluate(key, defaultValue, context, by: provider)
            details = FlagEvaluationDetails(
                flagKey: key, value: answer.value, variant: answer.variant, reason: answer.reason,
                flagMetadata: answer.flagMetadata, errorCode: answer.errorCode, errorMessage: answer.errorMessage)
        } catch {
            details.errorCode = (error as? OpenFeatureError)?.errorCode() ?? .general
            details.errorMessage = "\(error)"
            details.reason = Reason.error.rawValue
        }
        return details
    }

    private func evaluate<T: AllowedFlagValueType>(
        _ key: String, _ value: T, _ context: EvaluationContext?, by provider: FeatureProvider
    ) throws -> ProviderEvaluation<T> {
        let evaluation: Any? =
            switch value {
            case let value as Bool:
                try provider.getBooleanEvaluation(key: key, defaultValue: value, context: context)
            case let value as String:
                try provider.getStringEvaluation(key: key, defaultValue: value, context: context)
            case let value as Int64:
                try provider.getIntegerEvaluation(key: key, defaultValue: value, context: context)
            case let value as Double:
                try provider.getDoubleEvaluation(key: key, defaultValue: value, context: context)
            case let value as Value: try provider.getObjectEvaluation(key: key, defaultValue: value, context: context)
            default: nil
            }
        guard let evaluation = evaluation as? ProviderEvaluation<T> else {
            throw OpenFeatureError.generalError(message: "\(T.self) is not a type of a flag")
        }
        return evaluation
    }
}
