// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Combine
import Dispatch
import Foundation

public class OpenFeatureAPI {
    private let state = DispatchQueue(label: "OpenFeature stub, state")
    private let lifecycle = DispatchQueue(label: "OpenFeature stub, lifecycle")
    private let handlers = DispatchQueue(label: "OpenFeature stub, handlers")
    private let provider = CurrentValueSubject<FeatureProvider?, Never>(nil)
    private var evaluationContext: EvaluationContext?
    private var hooks: [any Hook] = []

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

    public func getProvider() -> FeatureProvider? { state.sync { provider.value } }

    public func setEvaluationContext(evaluationContext: EvaluationContext) { _ = set(evaluationContext) }

    public func setEvaluationContextAndWait(evaluationContext: EvaluationContext) async {
        await set(evaluationContext).value
    }

    public func getEvaluationContext() -> EvaluationContext? { state.sync { evaluationContext } }

    public func getProviderStatus() -> ProviderStatus { state.sync { provider.value?.status ?? .notReady } }

    public func getClient(name: String? = nil, version: String? = nil) -> OpenFeatureClient { OpenFeatureClient(self) }

    public func addHooks(hooks: (any Hook)...) { state.sync { self.hooks += hooks } }

    public func observe() -> AnyPublisher<ProviderEvent, Never> {
        provider
            .map { $0?.observe() ?? Empty().eraseToAnyPublisher() }
            .switchToLatest()
            .receive(on: handlers)
            .eraseToAnyPublisher()
    }

    var allHooks: [any Hook] { state.sync { hooks } }

    private func set(_ new: FeatureProvider, _ context: EvaluationContext?) -> Future<Void, Never> {
        state.sync {
            provider.send(new)
            if let context { evaluationContext = context }
            return run { new.initialize(initialContext: context) }
        }
    }

    private func set(_ context: EvaluationContext) -> Future<Void, Never> {
        state.sync {
            let old = evaluationContext
            evaluationContext = context
            guard let provider = self.provider.value else { return Future { $0(.success(())) } }
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
    public func getBooleanDetails(key: String, defaultValue: Bool) -> FlagEvaluationDetails<Bool> {
        getDetails(key: key, defaultValue: defaultValue)
    }
    public func getStringValue(key: String, defaultValue: String) -> String {
        getDetails(key: key, defaultValue: defaultValue).value
    }
    public func getStringDetails(key: String, defaultValue: String) -> FlagEvaluationDetails<String> {
        getDetails(key: key, defaultValue: defaultValue)
    }
    public func getIntegerValue(key: String, defaultValue: Int64) -> Int64 {
        getDetails(key: key, defaultValue: defaultValue).value
    }
    public func getIntegerDetails(key: String, defaultValue: Int64) -> FlagEvaluationDetails<Int64> {
        getDetails(key: key, defaultValue: defaultValue)
    }
    public func getDoubleValue(key: String, defaultValue: Double) -> Double {
        getDetails(key: key, defaultValue: defaultValue).value
    }
    public func getObjectValue(key: String, defaultValue: Value) -> Value {
        getDetails(key: key, defaultValue: defaultValue).value
    }

    public func getDetails<T: AllowedFlagValueType>(key: String, defaultValue: T) -> FlagEvaluationDetails<T> {
        let (provider, context) = (api.getProvider(), api.getEvaluationContext())
        let about = HookContext(
            flagKey: key, type: T.flagValueType, defaultValue: defaultValue, ctx: context,
            providerMetadata: provider?.metadata)
        for hook in (provider?.hooks ?? []) + api.allHooks
        where hook.supportsFlagValueType(flagValueType: T.flagValueType) {
            hook.before(ctx: about, hints: [:])
        }
        var details = FlagEvaluationDetails(flagKey: key, value: defaultValue)
        do {
            guard let provider else { throw OpenFeatureError.providerNotReadyError }
            details = .from(providerEval: try evaluate(key, defaultValue, context, by: provider), flagKey: key)
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
