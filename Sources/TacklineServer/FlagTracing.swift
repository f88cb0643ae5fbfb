#if Tracing
    public import TacklineCore
    public import TacklineTargeting
    public import Tracing

    /// An observer that records reads of flags as span events, named by OpenTelemetry's semantic conventions for feature flags.
    ///
    /// A value that a read is given is an event `FlagExposure.eventName` of the span that is active in the task, with `feature_flag.key`,
    /// `feature_flag.provider.name`, and what is known of `feature_flag.result.variant`, `feature_flag.result.reason`, `feature_flag.set.id`,
    /// `feature_flag.version`, `error.type` and `feature_flag.error.message`. `feature_flag.result.value` is there if there is no variant, as the
    /// conventions want it, and never of a secret flag. Without an active span nothing is recorded. Give it to a loader:
    /// `FlagsLoader(ShopFlags.self, providers: [remote], observers: [tracing])`.
    public struct FlagTracing: FlagResolutionObserver {
        private let tracer: any Tracer
        private let secrets: SecretFlagKeys

        /// Records to a tracer.
        ///
        /// - Parameters:
        ///   - tracer: The tracer. It has to know its active spans (`activeSpan(identifiedBy:)`), as those of OpenTelemetry do.
        ///   - secrets: The secret flags of exposures. Those of a loader are known by their metadata.
        public init(tracer: any Tracer = InstrumentationSystem.tracer, secrets: SecretFlagKeys = .none) {
            self.tracer = tracer
            self.secrets = secrets
        }

        /// Records a value that a read was given as an event of the active span.
        public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
            guard let context = ServiceContext.current, let span = tracer.activeSpan(identifiedBy: context) else {
                return
            }
            span.addEvent(
                SpanEvent(name: FlagExposure.eventName, attributes: Self.spanAttributes(attributes(of: flag))))
        }

        /// Records an exposure from the stream of an `ExposureRecorder` as the event of a span of its own.
        public func record(_ exposure: FlagExposure) {
            tracer.withSpan("feature_flag.exposure", context: .topLevel) { span in
                var attributes = exposure.attributes
                if exposure.variant != nil || secrets.contains(FlagKeyPath(exposure.flagKey)) {
                    attributes["feature_flag.result.value"] = nil
                }
                span.addEvent(SpanEvent(name: FlagExposure.eventName, attributes: Self.spanAttributes(attributes)))
            }
        }

        private func attributes(of flag: FlagResolution<EncodedFlagValue>) -> [String: EncodedFlagValue] {
            let isSecret = flag.metadata.isSecret || secrets.contains(flag.key)
            var attributes: [String: EncodedFlagValue] = ["feature_flag.key": .string(flag.key.text)]
            if case .provider(let id) = flag.source { attributes["feature_flag.provider.name"] = .string(id) }
            if flag.variant == nil, !isSecret { attributes["feature_flag.result.value"] = flag.value }
            guard let evaluation = flag.evaluation else {
                if flag.source == .default { attributes["feature_flag.result.reason"] = "default" }
                return attributes
            }
            attributes["feature_flag.result.variant"] = evaluation.variant.map { .string($0) }
            attributes["feature_flag.result.reason"] = evaluation.reason.map { .string($0.rawValue.lowercased()) }
            attributes["feature_flag.set.id"] = evaluation.metadata["flagSetId"]
            attributes["feature_flag.version"] = evaluation.metadata["version"]
            attributes["error.type"] = evaluation.errorCode.map { .string($0.rawValue.lowercased()) }
            if !isSecret { attributes["feature_flag.error.message"] = evaluation.errorMessage.map { .string($0) } }
            return attributes
        }

        /// Returns the attributes in types that a span can hold: long texts are cut, and arrays and objects become texts.
        private static func spanAttributes(_ attributes: [String: EncodedFlagValue]) -> SpanAttributes {
            var result: SpanAttributes = [:]
            for (name, value) in attributes {
                let attribute: SpanAttribute =
                    switch value {
                    case .bool(let value): .bool(value)
                    case .integer(let value): Int64(exactly: value).map { .int64($0) } ?? .string("\(value)")
                    case .double(let value): .double(value)
                    case .string(let value), .unparsed(let value): .string(String(value.prefix(1000)))
                    default: .string(String("\(value)".prefix(1000)))
                    }
                result.set(name, value: attribute)
            }
            return result
        }
    }
#endif
