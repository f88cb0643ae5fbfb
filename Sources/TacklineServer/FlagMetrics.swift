#if Metrics
    public import CoreMetrics
    import Synchronization
    public import TacklineCore
    public import TacklineRemoteJSON

    /// An observer that counts reads and refreshes of flags with swift-metrics.
    ///
    /// | Metric | Kind | Dimensions |
    /// |---|---|---|
    /// | `tackline_refreshes` | counter | `provider`, `outcome`: `changed`, `unchanged`, `staged`, `rejected`, `failed` |
    /// | `tackline_values_age_seconds` | gauge | `provider` |
    /// | `tackline_evaluations` | counter | `flag`, `variant`, `provider` |
    ///
    /// ```swift
    /// let metrics = FlagMetrics()
    /// let flags = FlagsLoader(ShopFlags.self, providers: [remote], observers: [metrics])
    /// ```
    ///
    /// As an observer of a loader it counts the values that reads are given, as ``/TacklineCore/FlagResolutionObserver`` passes them on:
    /// each request's, where rules are evaluated for each request, and otherwise once per value. ``run(_:)`` follows a remote
    /// provider. Safe from any thread.
    public final class FlagMetrics: FlagResolutionObserver {
        private struct Series: Hashable {
            let flag: String
            let variant: String
            let provider: String
        }

        private let factory: any MetricsFactory
        private let prefix: String
        private let maximumSeries: Int
        private let clock: any Clock<Duration>
        private let interval: Duration
        /// The counters of the series that are counted apart; `nil` for one whose counter is being made.
        private let counters = Mutex<[Series: Counter?]>([:])

        /// Makes metrics.
        ///
        /// - Parameters:
        ///   - factory: Where they go.
        ///   - prefix: How their names begin.
        ///   - maximumSeries: How many combinations of flag, variant and provider are counted apart. What comes after them is counted as
        ///     flag and variant `other`, so that a source which makes up variants cannot fill the metrics backend's memory.
        ///   - interval: The time between two records of the age of values while nothing happens.
        ///   - clock: What the age goes by.
        public init(
            factory: any MetricsFactory = MetricsSystem.factory, prefix: String = "tackline",
            maximumSeries: Int = 1000, interval: Duration = .seconds(15), clock: any Clock<Duration> = ContinuousClock()
        ) {
            (self.factory, self.prefix, self.maximumSeries) = (factory, prefix, maximumSeries)
            (self.interval, self.clock) = (max(interval, .milliseconds(1)), clock)
        }

        // MARK: Evaluations

        /// Counts a value that a read was given.
        ///
        /// The variant is the name that the provider gives. Without one it is `true` or `false` for a Boolean flag that is not
        /// secret, and otherwise `value`. The provider is its id, or `default`, `computed` or `scope`.
        public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
            var variant = flag.variant
            if variant == nil, case .bool(let value) = flag.value, !flag.metadata.isSecret { variant = "\(value)" }
            let provider = if case .provider(let id) = flag.source { id } else { "\(flag.source)" }
            let series = Series(flag: flag.key.text, variant: variant ?? "value", provider: provider)
            (counters.withLock { $0[series] ?? nil } ?? add(series)).increment()
        }

        /// Returns the counter of a new series, or of those for which there is no place.
        private func add(_ series: Series) -> Counter {
            let kept = counters.withLock { counters in
                guard counters[series] == nil else { return series }
                guard counters.count < maximumSeries else {
                    return Series(flag: "other", variant: "other", provider: series.provider)
                }
                counters[series] = .some(nil)
                return series
            }
            // The factory is somebody else's code, so it runs under no lock; who came first wins.
            let counter = Counter(
                label: "\(prefix)_evaluations",
                dimensions: [("flag", kept.flag), ("variant", kept.variant), ("provider", kept.provider)],
                factory: factory)
            return counters.withLock { counters in
                let first = counters[kept].flatMap(\.self) ?? counter
                counters[kept] = first
                return first
            }
        }

        /// Follows a remote provider until the task is cancelled: counts how refreshes end, and records the age of its values.
        ///
        /// The age counts from when the server last gave or confirmed the values, by this call's own observation; before that, nothing is
        /// recorded. Begin it before the provider runs.
        public func run(_ provider: RemoteJSONProvider) async {
            await follow(provider.refresher.outcomes, of: provider.name)
        }

        package func follow(_ outcomes: AsyncStream<Refresher.Outcome>, of name: String) async {
            let elapsed = Mutex<(@Sendable () -> Duration)?>(nil)
            let age = Gauge(label: "\(prefix)_values_age_seconds", dimensions: [("provider", name)], factory: factory)
            let record: @Sendable () -> Void = {
                if let elapsed = elapsed.withLock({ $0 }) { age.record(elapsed() / .seconds(1)) }
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [clock, interval] in
                    while (try? await clock.sleep(for: interval)) != nil { record() }
                }
                for await outcome in outcomes {
                    // The server has given or confirmed the values.
                    if case .success = outcome { elapsed.withLock { $0 = Self.stopwatch(clock) } }
                    let dimensions = [("provider", name), ("outcome", Self.name(of: outcome))]
                    Counter(label: "\(prefix)_refreshes", dimensions: dimensions, factory: factory).increment()
                    record()
                }
                group.cancelAll()
            }
        }

        private static func name(of outcome: Refresher.Outcome) -> String {
            switch outcome {
            case .success(.changed): "changed"
            case .success(.staged): "staged"
            case .success: "unchanged"
            case .failure(let error): error.code == .rejected ? "rejected" : "failed"
            }
        }

        private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
    }
#endif
