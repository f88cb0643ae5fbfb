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
    /// A flag is evaluated when it is resolved, so a vendor that counts evaluations counts the flags that an app reads.
    /// The hooks of the API run too, except for inspections.
    ///
    /// OpenFeature has no word for a flag without a value: some providers throw, and others return the default that they
    /// were given. So a value that equals this default is asked for a second time with another one, without hooks. An answer
    /// that follows the default counts as no value, and the loader asks the next provider.
    public final class OpenFeatureProvider: FlagProvider {
        /// Its name in messages and explanations, and its id in a chain.
        public let name: String

        // The SDK's classes are called from any thread, which their types don't say: `api` is a class with a queue for its
        // state, `events` is only released.
        private nonisolated(unsafe) let api: OpenFeatureAPI
        private nonisolated(unsafe) let events: AnyCancellable
        private let kinds: [String: FlagManifest.ValueType.Kind]
        private let follower: EventFollower

        /// Creates a provider for the provider that an API has, now or later.
        ///
        /// The API may get its provider before or after this call.
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
            func kinds<Collection: FlagCollectionProtocol>(
                of type: Collection.Type
            ) -> [(String, FlagManifest.ValueType.Kind)] {
                FlagProbe<Collection>.flags.map { ($0.keyPath.text, FlagManifest.ValueType(of: $0).kind) }
            }
            self.kinds = Dictionary(collections.flatMap { kinds(of: $0) }) { first, _ in first }
            let follower = EventFollower()
            self.follower = follower
            events = api.observe().sink { follower.receive($0) }
        }

        /// Returns the evaluation of a flag, or `nil` for a flag that the vendor doesn't have, an error, or another key.
        public func value(for key: FlagKeyPath) -> EncodedFlagValue? { answer(for: key, isUse: true).value }

        /// Returns the evaluation with its variant, reason, metadata and error. No hook runs.
        public func evaluation(for key: FlagKeyPath) -> FlagEvaluation { answer(for: key, isUse: false) }

        /// The status of the API's provider. It is not ready as long as the API has no provider.
        public var status: FlagProviderStatus {
            switch api.getProviderStatus() {
            case .ready: .ready
            case .notReady: .notReady
            case .stale, .reconciling: .stale(age: follower.timeSinceLastEvent)
            case .error, .fatal:
                .failed(
                    FlagError(
                        .rejected, provider: name, reason: follower.message ?? "the provider doesn't say why",
                        advice: "Check the set-up of the vendor's SDK, such as its key, and the network"))
            @unknown default: .ready
            }
        }

        /// The trait ``/TacklineCore/FlagProviderTraits/live``.
        public var traits: FlagProviderTraits { .live }

        /// Adds an observer, which is held weakly and notified after each event.
        public func observe(_ observer: FlagProviderObserver) -> Bool { follower.store.observe(observer) }

        /// Sets the context of the API, and ends the values that were evaluated for the former one.
        ///
        /// The SDK's own `setEvaluationContextAndWait` has the same effect if the vendor's provider sends an event then,
        /// which it needn't. When this method returns, reads return values for the new context.
        public func setContext(_ context: any OpenFeature.EvaluationContext) async {
            nonisolated(unsafe) let context = context
            await api.setEvaluationContextAndWait(evaluationContext: context)
            follower.store.announceSubjectChange()
        }

        /// Makes loaders resolve their flags again, after a change that the vendor's provider announces with no event.
        public func valuesDidChange() { follower.store.announceReset() }

        // MARK: Evaluations

        private func answer(for key: FlagKeyPath, isUse: Bool) -> FlagEvaluation {
            guard let kind = kinds[key.text] else { return FlagEvaluation(value: nil) }
            let answer =
                switch kind {
                case .boolean:
                    ask(key, isUse, false, true, { .bool($0) }) { $0.getBooleanEvaluation(key:defaultValue:context:) }
                case .string, .data, .date, .url, .uuid:
                    ask(key, isUse, "", "\u{1}no value", { .string($0) }) {
                        $0.getStringEvaluation(key:defaultValue:context:)
                    }
                case .integer: either(integer(key, isUse), number(key, false))
                case .number: either(number(key, isUse), integer(key, false))
                case .array, .object, .any:
                    ask(key, isUse, OpenFeature.Value.null, .structure([:]), { EncodedFlagValue($0) }) {
                        $0.getObjectEvaluation(key:defaultValue:context:)
                    }
                }
            report(answer, for: key)
            return answer
        }

        private func integer(_ key: FlagKeyPath, _ isUse: Bool) -> FlagEvaluation {
            ask(key, isUse, 0, 1, { .integer(Int128($0)) }) { $0.getIntegerEvaluation(key:defaultValue:context:) }
        }

        private func number(_ key: FlagKeyPath, _ isUse: Bool) -> FlagEvaluation {
            ask(key, isUse, 0, 1, { .double($0) }) { $0.getDoubleEvaluation(key:defaultValue:context:) }
        }

        /// Returns the second answer if the vendor has the other kind of number. The flag's type accepts it if it is exact.
        private func either(_ first: FlagEvaluation, _ second: @autoclosure () -> FlagEvaluation) -> FlagEvaluation {
            guard first.errorCode == .typeMismatch else { return first }
            let second = second()
            return second.value == nil ? first : second
        }

        /// Evaluates a flag.
        ///
        /// - Parameters:
        ///   - isUse: Whether a client evaluates it, with hooks.
        ///   - first: The default that the vendor is given.
        ///   - second: Another default, for a vendor that returned the first one.
        ///   - method: Returns the vendor's method for the type.
        private func ask<T: AllowedFlagValueType>(
            _ key: FlagKeyPath, _ isUse: Bool, _ first: T, _ second: T, _ encode: (T) -> EncodedFlagValue?,
            _ method: (any FeatureProvider) -> (String, T, (any OpenFeature.EvaluationContext)?) throws ->
                ProviderEvaluation<T>
        ) -> FlagEvaluation {
            let context = api.getEvaluationContext()
            func evaluation(_ fallback: T) -> FlagEvaluationDetails<T> {
                var details = FlagEvaluationDetails(flagKey: key.text, value: fallback)
                do {
                    guard let provider = api.getProvider() else { throw OpenFeatureError.providerNotReadyError }
                    details = .from(providerEval: try method(provider)(key.text, fallback, context), flagKey: key.text)
                } catch {
                    details.errorCode = (error as? OpenFeatureError)?.errorCode() ?? .general
                    details.errorMessage = "\(error)"
                }
                return details
            }
            let client = api.getClient(name: name, version: nil)
            let details = isUse ? client.getDetails(key: key.text, defaultValue: first) : evaluation(first)
            if let code = details.errorCode {
                return failed(FlagEvaluation.ErrorCode(code), details.errorMessage)
            }
            if details.value == first {
                let again = evaluation(second)
                if again.value == second || again.errorCode != nil { return FlagEvaluation(value: nil) }
            }
            guard let value = encode(details.value) else { return failed(.general, EncodedFlagValue.tooDeep()) }
            var answer = FlagEvaluation(
                value: value, variant: details.variant, reason: FlagEvaluation.Reason(openFeature: details.reason),
                metadata: details.flagMetadata.mapValues { EncodedFlagValue($0) })
            answer.subject = context.map { $0.getTargetingKey() }.flatMap { $0.isEmpty ? nil : $0 }
            return answer
        }

        private func failed(_ code: FlagEvaluation.ErrorCode, _ message: String?) -> FlagEvaluation {
            FlagEvaluation(value: nil, reason: .error, errorCode: code, errorMessage: message)
        }

        /// Reports an evaluation that failed, until it succeeds. A flag that the vendor doesn't have, and a provider that
        /// isn't ready yet, are no issues.
        private func report(_ answer: FlagEvaluation, for key: FlagKeyPath) {
            let code = answer.errorCode
            let message = """
                OpenFeature's provider can't evaluate the flag "\(key)": \
                \(answer.errorMessage ?? code?.description ?? ""). The next provider was asked instead. Correct the \
                flag at the vendor, the context, or the type of the flag.
                """
            let issue = FlagError(.openFeatureEvaluation, message, key: key, provider: name)
            if let code, code != .flagNotFound, code != .providerNotReady {
                follower.store.report(issue)
            } else {
                follower.store.resolve(issue.code, key: key, provider: name)
            }
        }
    }

    extension FlagError.Code {
        /// A flag that a provider of OpenFeature can't evaluate.
        public static let openFeatureEvaluation = FlagError.Code("openfeature-evaluation")
    }

    /// The observers of a provider, and what it remembers of the SDK's events.
    private final class EventFollower: Sendable {
        /// It keeps no values, which the SDK has.
        let store = FlagProviderStore()
        private let last = Mutex<(time: ContinuousClock.Instant, message: String?)>((.now, nil))

        var timeSinceLastEvent: Duration { last.withLock { $0.time }.duration(to: .now) }
        var message: String? { last.withLock { $0.message } }

        func receive(_ event: ProviderEvent) {
            switch event {
            case .ready(let details), .error(let details), .stale(let details), .reconciling(let details),
                .contextChanged(let details):
                last.withLock { $0 = (.now, details?.message) }
            default: break
            }
            switch event {
            case .contextChanged: store.announceSubjectChange()
            // The values of the former context, until the new ones are there.
            case .reconciling: break
            default: store.announceReset()
            }
        }
    }
#endif
