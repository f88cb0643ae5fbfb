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

        /// Records to a tracer.
        ///
        /// - Parameter tracer: The tracer. It has to know its active spans (`activeSpan(identifiedBy:)`), as those of
        ///   OpenTelemetry do.
        public init(tracer: any Tracer = InstrumentationSystem.tracer) { self.tracer = tracer }

        /// Records a value that a read was given as an event of the active span.
        public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
            guard let context = ServiceContext.current, let span = tracer.activeSpan(identifiedBy: context) else {
                return
            }
            span.addEvent(event(attributes(of: flag)))
        }

        /// Records an exposure from the stream of an `ExposureRecorder` as the event of a span of its own.
        public func record(_ exposure: FlagExposure) {
            tracer.withSpan("feature_flag.exposure", context: .topLevel) { span in
                span.addEvent(event(attributes(of: exposure)))
            }
        }

        private func attributes(of flag: FlagResolution<EncodedFlagValue>) -> [String: EncodedFlagValue] {
            if let exposure = FlagExposure(flag) {
                // The span is that of a request, and no record of users.
                return attributes(of: exposure).filter { $0.key != "feature_flag.context.id" }
            }
            var attributes: [String: EncodedFlagValue] = ["feature_flag.key": .string(flag.key.text)]
            if case .provider(let id) = flag.source { attributes["feature_flag.provider.name"] = .string(id) }
            if !flag.metadata.isSecret { attributes["feature_flag.result.value"] = flag.value }
            if flag.source == .default { attributes["feature_flag.result.reason"] = "default" }
            return attributes
        }

        /// Returns the attributes of an exposure, whose value is there if there is no variant.
        private func attributes(of exposure: FlagExposure) -> [String: EncodedFlagValue] {
            exposure.attributes.filter { $0.key != "feature_flag.result.value" || exposure.variant == nil }
        }

        /// Returns an event with the attributes in types that a span can hold: long texts are cut, and arrays and objects
        /// become texts.
        private func event(_ attributes: [String: EncodedFlagValue]) -> SpanEvent {
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
            return SpanEvent(name: FlagExposure.eventName, attributes: result)
        }
    }
#endif
