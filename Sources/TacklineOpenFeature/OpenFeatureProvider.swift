#if OpenFeature
    import Combine
    @preconcurrency public import OpenFeature
    import Synchronization
    public import TacklineCore
    import TacklineManifest

    /// A provider whose values are those of a provider of OpenFeature's SDK.
    ///
    /// ```swift
    /// let api = OpenFeatureAPI()
    /// await api.setProviderAndWait(provider: vendor, initialContext: ImmutableContext(targetingKey: user.id))
    /// let flags = FlagsLoader(AppFlags.self, providers: [overrides, OpenFeatureProvider(api, for: AppFlags.self)])
    /// ```
    ///
    /// The API keeps the vendor's provider, its context and its hooks. This provider takes values from whichever provider
    /// the API has, and follows that provider's events: after ready, stale, error and configuration changed, loaders
    /// resolve their flags again. After context changed they also end the values that they pinned for the former user.
    ///
    /// A client of the API evaluates a flag when it is resolved or inspected, with the API's hooks. So a vendor that counts
    /// evaluations counts the flags that an app reads, and those that a browser shows.
    ///
    /// OpenFeature has no word for a flag without a value: some providers throw, and others return the default that they
    /// were given. So a value that equals this default is evaluated a second time with another one, unless its reason is
    /// static, split or targeting match. An answer that follows the default counts as no value, and the loader asks the
    /// next provider.
    public final class OpenFeatureProvider: FlagProvider {
        /// Its name in messages and explanations, and its id in a chain.
        public let name: String

        // The SDK's classes are called from any thread, which their types don't say: `api` is a class with a queue for its
        // state, `events` is set once and released.
        private nonisolated(unsafe) let api: OpenFeatureAPI
        private nonisolated(unsafe) var events: AnyCancellable?
        private let kinds: [String: FlagManifest.ValueType.Kind]
        /// The observers. It keeps no values, which the SDK has.
        private let store = FlagProviderStore()
        /// The time and the message of the last event about the vendor's health.
        private let lastEvent = Mutex<(time: ContinuousClock.Instant, message: String?)>((.now, nil))

        /// Creates a provider for the provider that an API has, now or later.
        ///
        /// - Parameters:
        ///   - api: The API. Don't give it a ``FlagsFeatureProvider`` of a loader that uses this provider.
        ///   - collections: The root collections of the flags. OpenFeature asks for a flag by its type.
        ///     A flag's key is its key for the vendor: the collections'
        ///     ``/TacklineCore/FlagCollectionProtocol/keyConfiguration``
        ///     `KeyConfiguration(pathSeparator: ".", keyTransform: .kebabCase)` makes `checkout.new-flow`.
        ///   - name: The name.
        public init(
            _ api: OpenFeatureAPI = .shared, for collections: any FlagCollectionProtocol.Type...,
            name: String = "OpenFeature"
        ) {
            self.name = name
            self.api = api
            func flags<Collection: FlagCollectionProtocol>(of type: Collection.Type) -> [AnyFlagHandle] {
                FlagProbe<Collection>.flags
            }
            let kinds = collections.flatMap { flags(of: $0) }
                .map { ($0.keyPath.text, FlagManifest.ValueType(of: $0).kind) }
            self.kinds = Dictionary(kinds) { first, _ in first }
            events = api.observe().sink { [weak self] in self?.receive($0) }
        }

        /// Returns the evaluation of a flag, or `nil` for a flag that the vendor doesn't have, an error, or another key.
        public func value(for key: FlagKeyPath) -> EncodedFlagValue? { evaluation(for: key).value }

        /// Returns the evaluation with its variant, reason, metadata and error.
        public func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
            let answer =
                switch kinds[key.text] {
                case nil: FlagEvaluation(value: nil)
                case .boolean: evaluation(key, false, or: true) { .bool($0) }
                case .string, .data, .date, .url, .uuid: evaluation(key, "", or: "\u{1}no value") { .string($0) }
                case .integer: evaluation(key, Int64(0), or: 1) { .integer(Int128($0)) }
                case .number: evaluation(key, 0.0, or: 1) { .double($0) }
                case .array, .object, .any:
                    evaluation(key, OpenFeature.Value.null, or: .structure([:])) { try EncodedFlagValue($0) }
                }
            report(answer, for: key)
            return answer
        }

        /// The status of the API's provider. It is not ready as long as the API has no provider.
        public var status: FlagProviderStatus {
            switch api.getProviderStatus() {
            case .ready: .ready
            case .notReady: .notReady
            case .stale, .reconciling: .stale(age: lastEvent.withLock { $0.time }.duration(to: .now))
            case .error, .fatal:
                .failed(
                    FlagError(
                        .rejected, provider: name,
                        reason: lastEvent.withLock { $0.message } ?? "the provider doesn't say why",
                        advice: "Check the set-up of the vendor's SDK, such as its key, and the network"))
            @unknown default: .ready
            }
        }

        /// The trait ``/TacklineCore/FlagProviderTraits/live``.
        public var traits: FlagProviderTraits { .live }

        /// Adds an observer, which is held weakly and notified after each event.
        public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }

        /// Sets the context of the API, and ends the values that were evaluated for the former one.
        ///
        /// The SDK's own `setEvaluationContextAndWait` has the same effect if the vendor's provider sends an event then,
        /// which it needn't. When this method returns, reads return values for the new context.
        public func setContext(_ context: any OpenFeature.EvaluationContext) async {
            nonisolated(unsafe) let context = context
            await api.setEvaluationContextAndWait(evaluationContext: context)
            store.announceSubjectChange()
        }

        /// Makes loaders resolve their flags again, after a change that the vendor's provider announces with no event.
        public func valuesDidChange() { store.announceReset() }

        private func receive(_ event: ProviderEvent) {
            switch event {
            case .error(let details), .stale(let details), .reconciling(let details):
                lastEvent.withLock { $0 = (.now, details?.message) }
            default: break
            }
            switch event {
            case .contextChanged: store.announceSubjectChange()
            // The values of the former context, until the new ones are there.
            case .reconciling: break
            default: store.announceReset()
            }
        }

        /// Evaluates a flag.
        ///
        /// - Parameters:
        ///   - first: The default that the vendor is given.
        ///   - second: Another default, for a vendor that returned the first one.
        private func evaluation<T: AllowedFlagValueType>(
            _ key: FlagKeyPath, _ first: T, or second: T, _ encode: (T) throws -> EncodedFlagValue
        ) -> FlagEvaluation {
            let user = api.getEvaluationContext()?.getTargetingKey() ?? ""
            let client = api.getClient(name: name, version: nil)
            let details = client.getDetails(key: key.text, defaultValue: first)
            let reason = FlagEvaluation.Reason(openFeature: details.reason)
            guard details.errorCode == nil, let value = try? encode(details.value) else {
                let code = details.errorCode.map { FlagEvaluation.ErrorCode($0) } ?? .general
                let message = details.errorCode == nil ? EncodedFlagValue.tooDeep() : details.errorMessage
                return FlagEvaluation(value: nil, reason: .error, errorCode: code, errorMessage: message)
            }
            if details.value == first, ![.static, .split, .targetingMatch].contains(reason) {
                let again = client.getDetails(key: key.text, defaultValue: second)
                if again.value == second || again.errorCode != nil { return FlagEvaluation(value: nil) }
            }
            var answer = FlagEvaluation(
                value: value, variant: details.variant, reason: reason,
                metadata: details.flagMetadata.mapValues { EncodedFlagValue($0) })
            answer.subject = user.isEmpty ? nil : user
            return answer
        }

        /// Reports an evaluation that failed, until it succeeds. A flag that the vendor doesn't have, and a provider that
        /// isn't ready yet, are no issues.
        private func report(_ answer: FlagEvaluation, for key: FlagKeyPath) {
            let code = answer.errorCode
            guard let code, code != .flagNotFound, code != .providerNotReady else {
                return store.resolve(.openFeatureEvaluation, key: key, provider: name)
            }
            let message = """
                OpenFeature's provider can't evaluate the flag "\(key)": \(answer.errorMessage ?? "\(code)"). The next \
                provider was asked instead. Correct the flag at the vendor, the context, or the type of the flag.
                """
            store.report(FlagError(.openFeatureEvaluation, message, key: key, provider: name))
        }
    }

    extension FlagError.Code {
        /// A flag that a provider of OpenFeature can't evaluate.
        public static let openFeatureEvaluation = FlagError.Code("openfeature-evaluation")
    }
#endif
