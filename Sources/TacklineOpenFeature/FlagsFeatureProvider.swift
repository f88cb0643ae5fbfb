#if OpenFeature
    public import Combine
    import Foundation
    @preconcurrency public import OpenFeature
    import Synchronization
    public import TacklineCore
    public import TacklineTargeting

    /// A provider for OpenFeature's SDK whose flags are those of a loader.
    ///
    /// ```swift
    /// await OpenFeatureAPI.shared.setProviderAndWait(provider: FlagsFeatureProvider(flags))
    /// let client = OpenFeatureAPI.shared.getClient()
    /// client.getBooleanValue(key: "checkout/new_flow", defaultValue: false)
    /// ```
    ///
    /// A flag is found under its key. Its value is the one that a read of the property returns, and evaluating it counts as a
    /// use. Where the chain has no value, it is the default of the flag's declaration, and not the caller's, unless
    /// `givesDefaults` is `false`. An optional flag that is `nil` leaves the caller's default.
    ///
    /// A value is converted as a flag of the type that is asked for would convert it, exactly or not at all: `typeMismatch`.
    /// An object is asked for as `Value`, which is any flag's type.
    ///
    /// ## Events
    ///
    /// `setProviderAndWait` returns after the providers of the chain that weren't ready and can be refreshed have been
    /// refreshed. Then, or at the next evaluation after a change of their health, the SDK gets an event: error if a provider
    /// has failed or still isn't ready, else stale if one is stale, else ready. Values are there in each case. Each changed
    /// flag sends configuration changed with its key.
    ///
    /// A flag whose value comes from a provider that can't notify observers changes without an event.
    public final class FlagsFeatureProvider: FeatureProvider, ProviderMetadata, Sendable {
        /// The name of the provider.
        public let name: String?

        private let givesDefaults: Bool
        private let core: LoaderCore
        private let flags: [String: AnyFlagHandle]
        private let root: FlagGroup
        private let setContext: (@Sendable (TacklineTargeting.EvaluationContext) async throws -> Void)?
        private let tracker = ProviderStatusTracker()
        private let state = Mutex(State())

        private struct State: Sendable {
            var observation: FlagObservation?
            /// The use of the last context. Contexts are used one after the other.
            var use: Task<Void, any Error>?
            /// The last event about the health; `nil` before the provider is initialized, and while the context changes.
            nonisolated(unsafe) var event: ProviderEvent?
        }

        /// Creates a provider for a loader, which it keeps.
        ///
        /// - Parameters:
        ///   - loader: The loader.
        ///   - name: The name in the SDK's metadata.
        ///   - givesDefaults: Whether a flag without a value in the chain has its declared default. Otherwise it is not found,
        ///     so that a `MultiProvider` of the SDK asks its next provider.
        ///   - onContext: Uses the SDK's context, when the provider is set and after each change, or `nil` to ignore it. A
        ///     chain with rules takes `{ context.set($0) }` of its ``/TacklineTargeting/CurrentContext``, and one with OFREP
        ///     `{ _ = try await ofrep.refresh(for: $0) }`. While it runs the SDK's status is reconciling. If the context
        ///     changes meanwhile, its task is cancelled.
        public init<Collection>(
            _ loader: FlagsLoader<Collection>, name: String = "Tackline", givesDefaults: Bool = true,
            onContext: (@Sendable (TacklineTargeting.EvaluationContext) async throws -> Void)? = nil
        ) {
            self.name = name
            self.givesDefaults = givesDefaults
            core = loader.core
            flags = Dictionary(loader.root.allFlags.map { ($0.keyPath.text, $0) }) { first, _ in first }
            root = loader.root
            setContext = onContext
        }

        /// No hooks.
        public var hooks: [any Hook] { [] }

        /// The provider itself, which has a name.
        public var metadata: any ProviderMetadata { self }

        /// The status by the last event.
        public var status: ProviderStatus { tracker.status }

        /// The events of the provider, of which the first is for the current status.
        public func observe() -> AnyPublisher<ProviderEvent, Never> { tracker.observe() }

        /// Uses the context, refreshes what isn't ready, and begins to follow the flags.
        public func initialize(initialContext: (any OpenFeature.EvaluationContext)?) -> Future<Void, Never> {
            let observation = root.observeChanges { [weak self] change in
                self?.tracker.send(.configurationChanged(ProviderEventDetails(flagsChanged: [change.key.text])))
                self?.checkHealth()
            }
            state.withLock { $0.observation = observation }
            return use(initialContext, isFirst: true)
        }

        /// Uses the new context.
        public func onContextSet(
            oldContext: (any OpenFeature.EvaluationContext)?, newContext: any OpenFeature.EvaluationContext
        ) -> Future<Void, Never> {
            setContext == nil ? Future { $0(.success(())) } : use(newContext, isFirst: false)
        }

        /// Uses a context after the one before it, whose use is cancelled, and sends the event, unless there is a newer one.
        private func use(_ context: (any OpenFeature.EvaluationContext)?, isFirst: Bool) -> Future<Void, Never> {
            let context = context.map { TacklineTargeting.EvaluationContext($0) }
            let task = state.withLock { state in
                let earlier = state.use
                earlier?.cancel()
                let task = Task { [setContext] in
                    _ = await earlier?.result
                    if let context, !Task.isCancelled { try await setContext?(context) }
                }
                (state.use, state.event) = (task, nil)
                if !isFirst { tracker.send(.reconciling()) }
                return task
            }
            return Future { [self] promise in
                // Combine calls it from any thread.
                nonisolated(unsafe) let promise = promise
                Task {
                    let result = await task.result
                    for link in core.chain.links where isFirst && link.provider.status == .notReady {
                        // Its status has the error.
                        _ = try? await (link.provider as? any RefreshableFlagProvider)?.refresh()
                    }
                    let event = health(after: result)
                    state.withLock { state in
                        guard !task.isCancelled else { return }
                        state.event = event
                        if !isFirst, case .success = result { tracker.send(.contextChanged()) }
                        if isFirst || event != .ready() { tracker.send(event) }
                    }
                    promise(.success(()))
                }
            }
        }

        // MARK: Events

        /// Returns the event for the worst health of the chain's providers, or for a context that could not be used.
        private func health(after use: Result<Void, any Error> = .success(())) -> ProviderEvent {
            func failure(_ message: String, _ code: ErrorCode) -> ProviderEvent {
                .error(ProviderEventDetails(message: message, errorCode: code))
            }
            if case .failure(let error) = use { return failure("\(error)", .general) }
            var worst = ProviderEvent.ready()
            for link in core.chain.links {
                switch (link.provider.status, worst) {
                case (.failed(let error), _): return failure("\(error)", .general)
                case (.notReady, _): worst = failure("Provider \"\(link.id)\" isn't ready", .providerNotReady)
                case (.stale, .ready):
                    worst = .stale(ProviderEventDetails(message: "Provider \"\(link.id)\" has old values"))
                default: break
                }
            }
            return worst
        }

        /// Sends an event for a health that has changed since the last one.
        private func checkHealth() {
            let event = health()
            // Sent under the lock, so that the last event is the one that is remembered. The tracker enqueues it.
            state.withLock { state in
                guard let last = state.event, last != event else { return }
                state.event = event
                tracker.send(event)
            }
        }

        // MARK: Evaluations

        /// Returns the value of a flag as a Boolean.
        ///
        /// - Throws: `OpenFeatureError` if there is no such flag, or its value isn't one.
        public func getBooleanEvaluation(
            key: String, defaultValue: Bool, context: (any OpenFeature.EvaluationContext)?
        ) throws -> ProviderEvaluation<Bool> {
            try evaluation(key, defaultValue) { try Bool(encoded: $0) }
        }

        /// Returns the value of a flag as a text. A date is in the form of RFC 3339, and bytes are in base64.
        ///
        /// - Throws: `OpenFeatureError` if there is no such flag, or its value isn't one.
        public func getStringEvaluation(
            key: String, defaultValue: String, context: (any OpenFeature.EvaluationContext)?
        ) throws -> ProviderEvaluation<String> {
            try evaluation(key, defaultValue) { value in
                switch value {
                case .date(let date): try FlagTimestamp.text(of: date)
                case .data(let data): data.base64EncodedString()
                default: try String(encoded: value)
                }
            }
        }

        /// Returns the value of a flag as an integer.
        ///
        /// - Throws: `OpenFeatureError` if there is no such flag, or its value isn't one.
        public func getIntegerEvaluation(
            key: String, defaultValue: Int64, context: (any OpenFeature.EvaluationContext)?
        ) throws -> ProviderEvaluation<Int64> {
            try evaluation(key, defaultValue) { try Int64(encoded: $0) }
        }

        /// Returns the value of a flag as a floating-point number.
        ///
        /// - Throws: `OpenFeatureError` if there is no such flag, or its value isn't one.
        public func getDoubleEvaluation(
            key: String, defaultValue: Double, context: (any OpenFeature.EvaluationContext)?
        ) throws -> ProviderEvaluation<Double> {
            try evaluation(key, defaultValue) { try Double(encoded: $0) }
        }

        /// Returns the value of a flag of any type.
        ///
        /// - Throws: `OpenFeatureError` if there is no such flag, or OpenFeature can't represent its value.
        public func getObjectEvaluation(
            key: String, defaultValue: Value, context: (any OpenFeature.EvaluationContext)?
        ) throws -> ProviderEvaluation<Value> {
            try evaluation(key, defaultValue) { try Value($0) }
        }

        private func evaluation<T>(
            _ key: String, _ fallback: T, _ convert: (EncodedFlagValue) throws -> T
        ) throws -> ProviderEvaluation<T> {
            guard let flag = flags[key] else { throw OpenFeatureError.flagNotFoundError(key: key) }
            func read<Flag: FlagValue>(as type: Flag.Type) -> EncodedFlagValue? {
                flag.handle(as: type).flatMap { try? $0.value.encoded }
            }
            checkHealth()
            let value = read(as: flag.valueType) ?? .null
            let step = core.inspect(flag.ordinal)
            if step.source == .default, !givesDefaults { throw OpenFeatureError.flagNotFoundError(key: key) }
            // The value may have changed between the two.
            let answer = step.value.flatMap { flag.declaration.encode($0) } == value ? step.evaluation : nil
            var evaluation = ProviderEvaluation(
                value: fallback,
                flagMetadata: (answer?.metadata ?? [:]).compactMapValues { MetadataValue($0) },
                variant: answer?.variant,
                reason: (answer?.reason ?? (step.source == .default ? .default : .static)).openFeature)
            evaluation.flagMetadata["source"] = .string("\(step.source)")
            guard value != .null else { return evaluation }
            do {
                evaluation.value = try convert(value)
            } catch is FlagValueError {
                throw OpenFeatureError.typeMismatchError
            }
            return evaluation
        }
    }
#endif
