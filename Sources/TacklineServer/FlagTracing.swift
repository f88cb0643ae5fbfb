#if Tracing
    public import TacklineCore
    public import TacklineTargeting
    public import Tracing

    /// What flags do, for swift-distributed-tracing, under the names of OpenTelemetry's semantic conventions for feature flags.
    ///
    /// An evaluation is an event ``FlagExposure/eventName`` of the span that is active in the task, with `feature_flag.key`,
    /// `feature_flag.provider.name`, and what is known of `feature_flag.result.variant`, `feature_flag.result.reason`, `feature_flag.set.id`,
    /// `feature_flag.version`, `error.type` and `feature_flag.error.message`. `feature_flag.result.value` is there if there is no variant, as the
    /// conventions want it, and never of a secret flag. Without an active span nothing is recorded.
    public struct FlagTracing: ExposureObserver {
        private let tracer: any Tracer
        private let secrets: SecretFlagKeys

        /// Records to a tracer.
        ///
        /// - Parameters:
        ///   - tracer: The tracer. It has to know its active spans (`activeSpan(identifiedBy:)`), as those of OpenTelemetry do.
        ///   - secrets: The flags whose values are not to be told.
        public init(tracer: any Tracer = InstrumentationSystem.tracer, secrets: SecretFlagKeys = .none) {
            self.tracer = tracer
            self.secrets = secrets
        }

        /// Makes a provider whose answers are recorded, to be put into chains in place of the provider itself.
        ///
        /// - Parameters:
        ///   - provider: The provider.
        ///   - everyRead: Whether each read is recorded. Otherwise those are that ask the provider: see ``EvaluatedProvider``.
        public func tracing<Base: FlagProvider>(
            _ provider: Base, everyRead: Bool = false
        ) -> EvaluatedProvider<Base> {
            let name = provider.name
            return EvaluatedProvider(provider, everyRead: everyRead) { [self] key, answer in
                guard let context = ServiceContext.current, let span = tracer.activeSpan(identifiedBy: context) else {
                    return
                }
                let attributes = attributes(of: answer, key.text, isSecret: secrets.contains(key), provider: name)
                span.addEvent(SpanEvent(name: FlagExposure.eventName, attributes: Self.spanAttributes(attributes)))
            }
        }

        /// Records exposures, which an `ExposureRecorder` hands over later, as the events of a span of their own.
        public func observe(_ exposures: [FlagExposure]) async {
            tracer.withSpan("feature_flag.exposures", context: .topLevel) { span in
                for exposure in exposures {
                    var attributes = exposure.attributes
                    if exposure.variant != nil || secrets.contains(FlagKeyPath(exposure.flagKey)) {
                        attributes["feature_flag.result.value"] = nil
                    }
                    span.addEvent(SpanEvent(name: FlagExposure.eventName, attributes: Self.spanAttributes(attributes)))
                }
            }
        }

        private func attributes(
            of answer: DetailedFlagValue, _ key: String, isSecret: Bool, provider: String
        ) -> [String: EncodedFlagValue] {
            var attributes: [String: EncodedFlagValue] = [
                "feature_flag.key": .string(key), "feature_flag.provider.name": .string(provider),
            ]
            if answer.details?.variant == nil, !isSecret { attributes["feature_flag.result.value"] = answer.value }
            guard let details = answer.details else { return attributes }
            attributes["feature_flag.result.variant"] = details.variant.map { .string($0) }
            attributes["feature_flag.result.reason"] = .string(details.reason.rawValue.lowercased())
            attributes["feature_flag.set.id"] = details.metadata["flagSetId"]
            attributes["feature_flag.version"] = details.metadata["version"]
            attributes["error.type"] = details.errorCode.map { .string($0.rawValue.lowercased()) }
            if !isSecret { attributes["feature_flag.error.message"] = details.errorMessage.map { .string($0) } }
            return attributes
        }

        /// What a span can hold: longer texts are cut, and what is neither text, number nor Boolean is told as a text.
        private static func spanAttributes(_ attributes: [String: EncodedFlagValue]) -> SpanAttributes {
            var result: SpanAttributes = [:]
            for (name, value) in attributes {
                let attribute: SpanAttribute =
                    switch value {
                    case .bool(let value): .bool(value)
                    case .integer(let value): Int64(exactly: value).map { .int64($0) } ?? .string("\(value)")
                    case .double(let value): .double(value)
                    case .decimal(let value): .double(value.nearestDouble)
                    case .string(let value), .unparsed(let value): .string(String(value.prefix(1000)))
                    default: .string(String("\(value)".prefix(1000)))
                    }
                result.set(name, value: attribute)
            }
            return result
        }
    }
#endif
