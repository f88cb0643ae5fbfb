// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Combine
import Dispatch
import Foundation
import Logging

public class OpenFeatureAPI {
    private let state = DispatchQueue(label: "OpenFeature stub, state")
    private let lifecycle = DispatchQueue(label: "OpenFeature stub, lifecycle")
    private let handlers = DispatchQueue(label: "OpenFeature stub, handlers")
    private let provider = CurrentValueSubject<FeatureProvider?, Never>(nil)
    private var evaluationContext: EvaluationContext?
    private var hooks: [any Hook] = []
    private var logger: Logger?

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

    public func clearProvider() { state.sync { provider.send(nil) } }

    public func clearProviderAndWait() async { clearProvider() }

    public func setEvaluationContext(evaluationContext: EvaluationContext) { _ = set(evaluationContext) }

    public func setEvaluationContextAndWait(evaluationContext: EvaluationContext) async {
        await set(evaluationContext).value
    }

    public func getEvaluationContext() -> EvaluationContext? { state.sync { evaluationContext } }

    public func getProviderStatus() -> ProviderStatus { state.sync { provider.value?.status ?? .notReady } }

    public func getProviderMetadata() -> ProviderMetadata? { state.sync { provider.value?.metadata } }

    public func getClient() -> Client { getClient(name: nil, version: nil) }

    public func getClient(name: String?, version: String?) -> Client {
        OpenFeatureClient(openFeatureApi: self, name: name, version: version)
    }

    public func addHooks(hooks: (any Hook)...) { state.sync { self.hooks += hooks } }

    public func clearHooks() { state.sync { hooks = [] } }

    public func setLogger(_ logger: Logger?) { state.sync { self.logger = logger } }

    public func getLogger() -> Logger? { state.sync { logger } }

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

public protocol Features {
    func getValue<T: AllowedFlagValueType>(key: String, defaultValue: T) -> T
    func getValue<T: AllowedFlagValueType>(key: String, defaultValue: T, options: FlagEvaluationOptions) -> T
    func getDetails<T: AllowedFlagValueType>(key: String, defaultValue: T) -> FlagEvaluationDetails<T>
    func getDetails<T: AllowedFlagValueType>(
        key: String, defaultValue: T, options: FlagEvaluationOptions
    ) -> FlagEvaluationDetails<T>
}

extension Features {
    public func getBooleanValue(key: String, defaultValue: Bool) -> Bool {
        getValue(key: key, defaultValue: defaultValue)
    }
    public func getBooleanDetails(key: String, defaultValue: Bool) -> FlagEvaluationDetails<Bool> {
        getDetails(key: key, defaultValue: defaultValue)
    }
    public func getStringValue(key: String, defaultValue: String) -> String {
        getValue(key: key, defaultValue: defaultValue)
    }
    public func getStringDetails(key: String, defaultValue: String) -> FlagEvaluationDetails<String> {
        getDetails(key: key, defaultValue: defaultValue)
    }
    public func getIntegerValue(key: String, defaultValue: Int64) -> Int64 {
        getValue(key: key, defaultValue: defaultValue)
    }
    public func getIntegerDetails(key: String, defaultValue: Int64) -> FlagEvaluationDetails<Int64> {
        getDetails(key: key, defaultValue: defaultValue)
    }
    public func getDoubleValue(key: String, defaultValue: Double) -> Double {
        getValue(key: key, defaultValue: defaultValue)
    }
    public func getDoubleDetails(key: String, defaultValue: Double) -> FlagEvaluationDetails<Double> {
        getDetails(key: key, defaultValue: defaultValue)
    }
    public func getObjectValue(key: String, defaultValue: Value) -> Value {
        getValue(key: key, defaultValue: defaultValue)
    }
    public func getObjectDetails(key: String, defaultValue: Value) -> FlagEvaluationDetails<Value> {
        getDetails(key: key, defaultValue: defaultValue)
    }
}

public protocol Client: Features, Tracking {
    var metadata: ClientMetadata { get }
    var hooks: [any Hook] { get }
    func addHooks(_ hooks: any Hook...)
    func setLogger(_ logger: Logger?)
}

public class OpenFeatureClient: Client {
    private let api: OpenFeatureAPI
    private let lock = NSLock()
    private var added: [any Hook] = []

    public let metadata: ClientMetadata
    public var hooks: [any Hook] { lock.withLock { added } }

    public init(openFeatureApi: OpenFeatureAPI, name: String?, version: String?) {
        api = openFeatureApi
        metadata = Metadata(name: name)
    }

    public struct Metadata: ClientMetadata {
        public var name: String?
    }

    private struct NoProvider: ProviderMetadata {
        var name: String? { nil }
    }

    public func addHooks(_ hooks: any Hook...) { lock.withLock { added += hooks } }

    public func setLogger(_ logger: Logger?) {}

    public func getValue<T: AllowedFlagValueType>(key: String, defaultValue: T) -> T {
        getDetails(key: key, defaultValue: defaultValue).value
    }

    public func getValue<T: AllowedFlagValueType>(key: String, defaultValue: T, options: FlagEvaluationOptions) -> T {
        getDetails(key: key, defaultValue: defaultValue, options: options).value
    }

    public func getDetails<T: AllowedFlagValueType>(key: String, defaultValue: T) -> FlagEvaluationDetails<T> {
        getDetails(key: key, defaultValue: defaultValue, options: FlagEvaluationOptions())
    }

    public func getDetails<T: AllowedFlagValueType>(
        key: String, defaultValue: T, options: FlagEvaluationOptions
    ) -> FlagEvaluationDetails<T> {
        let (provider, context) = (api.getProvider(), api.getEvaluationContext())
        let hooks = ((provider?.hooks ?? []) + options.hooks + self.hooks + api.allHooks)
            .filter { $0.supportsFlagValueType(flagValueType: T.flagValueType) }
        let about = HookContext(
            flagKey: key, type: T.flagValueType, defaultValue: defaultValue, ctx: context, clientMetadata: metadata,
            providerMetadata: provider?.metadata ?? NoProvider())
        var details = FlagEvaluationDetails(flagKey: key, value: defaultValue)
        for hook in hooks { hook.before(ctx: about, hints: options.hookHints) }
        do {
            guard let provider else { throw OpenFeatureError.providerNotReadyError }
            details = .from(
                providerEval: try evaluate(key, defaultValue, context, by: provider, options.logger), flagKey: key)
            for hook in hooks { hook.after(ctx: about, details: details, hints: options.hookHints) }
        } catch {
            details.errorCode = (error as? OpenFeatureError)?.errorCode() ?? .general
            details.errorMessage = "\(error)"
            details.reason = Reason.error.rawValue
            for hook in hooks { hook.error(ctx: about, error: error, hints: options.hookHints) }
        }
        for hook in hooks { hook.finally(ctx: about, details: details, hints: options.hookHints) }
        return details
    }

    private func evaluate<T: AllowedFlagValueType>(
        _ key: String, _ value: T, _ context: EvaluationContext?, by provider: FeatureProvider, _ logger: Logger?
    ) throws -> ProviderEvaluation<T> {
        let evaluation: Any? =
            switch value {
            case let value as Bool:
                try provider.getBooleanEvaluation(key: key, defaultValue: value, context: context, logger: logger)
            case let value as String:
                try provider.getStringEvaluation(key: key, defaultValue: value, context: context, logger: logger)
            case let value as Int64:
                try provider.getIntegerEvaluation(key: key, defaultValue: value, context: context, logger: logger)
            case let value as Double:
                try provider.getDoubleEvaluation(key: key, defaultValue: value, context: context, logger: logger)
            case let value as Value:
                try provider.getObjectEvaluation(key: key, defaultValue: value, context: context, logger: logger)
            default: nil
            }
        guard let evaluation = evaluation as? ProviderEvaluation<T> else {
            throw OpenFeatureError.generalError(message: "\(T.self) is not a type of a flag")
        }
        return evaluation
    }

    public func track(key: String) { report(key, nil, nil) }
    public func track(key: String, context: any EvaluationContext) { report(key, context, nil) }
    public func track(key: String, details: any TrackingEventDetails) { report(key, nil, details) }
    public func track(key: String, context: any EvaluationContext, details: any TrackingEventDetails) {
        report(key, context, details)
    }

    private func report(_ key: String, _ context: (any EvaluationContext)?, _ details: (any TrackingEventDetails)?) {
        try? api.getProvider()?.track(key: key, context: context ?? api.getEvaluationContext(), details: details)
    }
}
