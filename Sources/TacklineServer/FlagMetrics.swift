#if Metrics
    public import CoreMetrics
    import Synchronization
    public import TacklineCore
    public import TacklineRemoteJSON

    /// What flags do, for swift-metrics.
    ///
    /// | Metric | Kind | Dimensions |
    /// |---|---|---|
    /// | `tackline_refreshes` | counter | `provider`, `outcome`: `changed`, `unchanged`, `staged`, `rejected`, `failed`, `throttled` |
    /// | `tackline_values_age_seconds` | gauge | `provider` |
    /// | `tackline_evaluations` | counter | `flag`, `variant`, `provider` |
    ///
    /// Nothing is measured but what is asked for: ``run(_:)`` follows a remote provider, ``counting(_:everyRead:)`` counts the answers
    /// of a provider. Safe from any thread.
    public final class FlagMetrics: Sendable {
        private struct Series: Hashable {
            let flag: String
            let variant: String
            let provider: String
        }

        private let factory: any MetricsFactory
        private let prefix: String
        private let secrets: SecretFlagKeys
        private let maximumSeries: Int
        private let clock: any Clock<Duration>
        private let interval: Duration
        private let evaluations = Mutex(Evaluations())

        private struct Evaluations {
            var counters: [Series: Counter] = [:]
            /// The series that are counted apart. Each has its counter soon.
            var places: Set<Series> = []
        }

        /// Makes metrics.
        ///
        /// - Parameters:
        ///   - factory: Where they go.
        ///   - prefix: How their names begin.
        ///   - secrets: The flags whose Boolean values are not to be told as variants.
        ///   - maximumSeries: How many combinations of flag, variant and provider are counted apart. What comes after them is counted as
        ///     flag and variant `other`, so that a source which makes up variants cannot fill the memory of whoever collects metrics.
        ///   - interval: How often the age of values is told while nothing happens.
        ///   - clock: What the age goes by.
        public init(
            factory: any MetricsFactory = MetricsSystem.factory, prefix: String = "tackline",
            secrets: SecretFlagKeys = .none,
            maximumSeries: Int = 1000, interval: Duration = .seconds(15), clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.factory = factory
            self.prefix = prefix
            self.secrets = secrets
            self.maximumSeries = maximumSeries
            self.interval = max(interval, .milliseconds(1))
            self.clock = clock
        }

        // MARK: Evaluations

        /// Makes a provider whose answers are counted, to be put into chains in place of the provider itself.
        ///
        /// The variant is the name that the provider gives; without one, `true` or `false` of a Boolean flag that is not secret, and else
        /// `value`.
        ///
        /// - Parameters:
        ///   - provider: The provider.
        ///   - everyRead: Whether each read is counted. Otherwise those are that ask the provider: see ``EvaluatedProvider``.
        public func counting<Base: FlagProvider>(
            _ provider: Base, everyRead: Bool = false
        ) -> EvaluatedProvider<Base> {
            let name = provider.name
            return EvaluatedProvider(provider, everyRead: everyRead) { [self] key, answer in
                var variant = answer.details?.variant
                if variant == nil, case .bool(let value)? = answer.value, !secrets.contains(key) {
                    variant = "\(value)"
                }
                count(Series(flag: key.text, variant: variant ?? "value", provider: name))
            }
        }

        private func count(_ series: Series) {
            let counter = evaluations.withLock { $0.counters[series] } ?? add(series)
            counter.increment()
        }

        /// Returns the counter of a new series, or of those for which there is no place.
        private func add(_ series: Series) -> Counter {
            let other = Series(flag: "other", variant: "other", provider: series.provider)
            let kept = evaluations.withLock { evaluations in
                guard evaluations.places.count < maximumSeries else {
                    return evaluations.places.contains(series) ? series : other
                }
                evaluations.places.insert(series)
                return series
            }
            if let counter = evaluations.withLock({ $0.counters[kept] }) { return counter }
            // The factory is somebody else's code, so it runs under no lock; who came first wins.
            let counter = Counter(
                label: "\(prefix)_evaluations",
                dimensions: [("flag", kept.flag), ("variant", kept.variant), ("provider", kept.provider)],
                factory: factory)
            return evaluations.withLock { evaluations in
                if let first = evaluations.counters[kept] { return first }
                evaluations.counters[kept] = counter
                return counter
            }
        }

        // MARK: Refreshes

        /// Follows a remote provider until the task is cancelled: counts how refreshes end, and tells the age of its values.
        ///
        /// The age counts from when the server last gave or confirmed the values, by this call's own observation; before that happens, nothing is
        /// told. Begin it before the provider runs.
        public func run(_ provider: RemoteJSONProvider) async {
            await follow(provider.events, of: provider.name)
        }

        package func follow(_ events: AsyncStream<RemoteJSONEvent>, of name: String) async {
            let confirmed = Mutex<(@Sendable () -> Duration)?>(nil)
            let age = Gauge(label: "\(prefix)_values_age_seconds", dimensions: [("provider", name)], factory: factory)
            let tell: @Sendable () -> Void = {
                if let elapsed = confirmed.withLock({ $0 }) { age.record(elapsed() / .seconds(1)) }
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [clock, interval] in
                    while (try? await clock.sleep(for: interval)) != nil { tell() }
                }
                for await event in events {
                    if event.confirmsValues { confirmed.withLock { $0 = Self.stopwatch(clock) } }
                    if let outcome = event.outcome { count(outcome, of: name) }
                    tell()
                }
                group.cancelAll()
            }
        }

        private func count(_ outcome: String, of name: String) {
            Counter(
                label: "\(prefix)_refreshes", dimensions: [("provider", name), ("outcome", outcome)], factory: factory
            ).increment()
        }

        private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
    }

    extension RemoteJSONEvent {
        /// How a refresh has ended; `nil` for what is none.
        fileprivate var outcome: String? {
            switch self {
            case .changed(_, _, .fresh): "changed"
            case .unchanged: "unchanged"
            case .staged: "staged"
            case .rejected: "rejected"
            case .failed: "failed"
            case .throttled: "throttled"
            default: nil
            }
        }

        /// Whether the server has given or confirmed the values.
        fileprivate var confirmsValues: Bool {
            switch self {
            case .ready(.fresh), .changed(_, _, .fresh), .unchanged, .staged: true
            default: false
            }
        }
    }
#endif
