#if ServiceLifecycle
    public import ServiceLifecycle
    public import TacklineCore
    #if Metrics
        public import TacklineRemoteJSON
    #endif
    public import TacklineTargeting

    /// What runs behind flags, as a service of swift-service-lifecycle.
    ///
    /// ```swift
    /// let group = ServiceGroup(
    ///     services: [FlagsService(remote), server], gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// Services are shut down in the reverse order of the list, so put this one before what reads flags: values then follow until the last
    /// request is answered. A graceful shutdown ends the work, and the service with it, without an error. Values stay in force.
    public struct FlagsService: Service {
        private let works: [@Sendable () async throws -> Void]

        /// Follows the sources of providers (``RefreshableFlagProvider/run()``) until the service is shut down.
        ///
        /// A source that fails, or hangs, ends nothing; what its provider says of that is in `status`, and in metrics and logs.
        public init(_ providers: any RefreshableFlagProvider...) {
            works = providers.map { provider in { try await provider.run() } }
        }

        /// Hands the exposures of a recorder over at an interval, and those that are left when the service is shut down.
        public init(_ exposures: ExposureRecorder, every interval: Duration = .seconds(10)) {
            works = [{ await exposures.run(every: interval) }]
        }

        #if Metrics
            /// Measures a remote provider until the service is shut down. Put it before the service that runs the provider.
            public init(_ metrics: FlagMetrics, of provider: RemoteJSONProvider) {
                works = [{ await metrics.run(provider) }]
            }
        #endif

        /// Runs until the task is cancelled or the service is shut down.
        ///
        /// - Throws: What a provider throws, other than `CancellationError`.
        public func run() async throws {
            do {
                try await cancelWhenGracefulShutdown {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for work in works { group.addTask { try await work() } }
                        // A provider that was stopped by hand is no reason to end the process.
                        group.addTask { try await gracefulShutdown() }
                        try await group.waitForAll()
                    }
                }
            } catch is CancellationError {
            }
        }
    }
#endif
