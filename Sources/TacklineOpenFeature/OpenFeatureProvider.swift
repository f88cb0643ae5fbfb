#if OpenFeature
    import Combine
    @preconcurrency public import OpenFeature
    import Synchronization
    public import TacklineCore

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
        private let types: [String: OpenFeatureType]
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
            types = OpenFeatureType.all(in: collections)
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
            case .error, .fatal: .failed(failure(follower.message ?? "the provider doesn't say why"))
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
            guard let type = types[key.text] else { return FlagEvaluation(value: nil) }
            let answer =
                switch type {
                case .boolean: ask(key, isUse, with: false, then: true) { .bool($0) }
                case .string: ask(key, isUse, with: "", then: "\u{1}no value") { .string($0) }
                case .object:
                    ask(key, isUse, with: OpenFeature.Value.null, then: .structure([:])) { EncodedFlagValue($0) }
                case .integer:
                    askNumber(key, isUse, with: Int64(0), then: 1, { .integer(Int128($0)) }) {
                        ask(key, false, with: 0.0, then: 1) { .double($0) }
                    }
                case .double:
                    askNumber(key, isUse, with: 0.0, then: 1, { .double($0) }) {
                        ask(key, false, with: Int64(0), then: 1) { .integer(Int128($0)) }
                    }
                }
            report(answer, for: key)
            return answer
        }

        /// Asks for a number, and for the other kind of number if the vendor has that one. The flag's type accepts it if it
        /// is exact.
        private func askNumber<T: EvaluatedValue>(
            _ key: FlagKeyPath, _ isUse: Bool, with first: T, then second: T, _ encode: (T) -> EncodedFlagValue?,
            orElse other: () -> FlagEvaluation
        ) -> FlagEvaluation {
            let answer = ask(key, isUse, with: first, then: second, encode)
            guard answer.errorCode == .typeMismatch else { return answer }
            let number = other()
            return number.value == nil ? answer : number
        }

        private func ask<T: EvaluatedValue>(
            _ key: FlagKeyPath, _ isUse: Bool, with first: T, then second: T, _ encode: (T) -> EncodedFlagValue?
        ) -> FlagEvaluation {
            let details: FlagEvaluationDetails<T> =
                if isUse {
                    api.getClient(name: name, version: nil).getDetails(key: key.text, defaultValue: first)
                } else {
                    evaluation(key.text, first)
                }
            if let code = details.errorCode {
                return failed(FlagEvaluation.ErrorCode(code), details.errorMessage)
            }
            if details.value == first {
                let again = evaluation(key.text, second)
                if again.value == second || again.errorCode != nil { return FlagEvaluation(value: nil) }
            }
            guard let value = encode(details.value) else { return failed(.general, EncodedFlagValue.tooDeep()) }
            var answer = FlagEvaluation(
                value: value, variant: details.variant, reason: FlagEvaluation.Reason(openFeature: details.reason),
                metadata: details.flagMetadata.mapValues { EncodedFlagValue($0) })
            let subject = api.getEvaluationContext()?.getTargetingKey()
            answer.subject = subject == "" ? nil : subject
            return answer
        }

        /// Evaluates as a client does, without hooks.
        private func evaluation<T: EvaluatedValue>(_ key: String, _ fallback: T) -> FlagEvaluationDetails<T> {
            var details = FlagEvaluationDetails(flagKey: key, value: fallback)
            do {
                guard let provider = api.getProvider() else { throw OpenFeatureError.providerNotReadyError }
                let evaluation = try T.evaluate(key, fallback, api.getEvaluationContext(), by: provider)
                details = .from(providerEval: evaluation, flagKey: key)
            } catch {
                details.errorCode = (error as? OpenFeatureError)?.errorCode() ?? .general
                details.errorMessage = "\(error)"
            }
            return details
        }

        private func failed(_ code: FlagEvaluation.ErrorCode, _ message: String?) -> FlagEvaluation {
            FlagEvaluation(value: nil, reason: .error, errorCode: code, errorMessage: message)
        }

        private func failure(_ reason: String) -> FlagError {
            FlagError(
                .rejected, provider: name, reason: reason,
                advice: "Check the set-up of the vendor's SDK, such as its key, and the network")
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
            let details: ProviderEventDetails? =
                switch event {
                case .ready(let details), .error(let details), .configurationChanged(let details), .stale(let details),
                    .reconciling(let details), .contextChanged(let details):
                    details
                @unknown default: nil
                }
            switch event {
            case .configurationChanged: break
            default: last.withLock { $0 = (.now, details?.message) }
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
