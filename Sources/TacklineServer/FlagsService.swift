#if ServiceLifecycle
    public import ServiceLifecycle
    public import TacklineCore
    #if Metrics
        public import TacklineRemoteJSON
    #endif
    public import TacklineTargeting

    /// The background work of providers, as a service of swift-service-lifecycle.
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
        private struct Work: Sendable {
            let name: String
            let run: @Sendable () async throws -> Void
        }

        private let works: [Work]
        private let shutdownDeadline: Duration
        private let clock: any Clock<Duration>
        private let issueReporter: FlagIssueReporter

        /// Follows the sources of providers (``/TacklineCore/RefreshableFlagProvider/run()``) until the service is shut down.
        ///
        /// A source that fails, or hangs, ends nothing; what its provider says of that is in `status`, and in metrics and logs. One
        /// whose `run()` throws is reported and not followed any more.
        ///
        /// - Parameters:
        ///   - providers: The providers.
        ///   - shutdownDeadline: The longest time that a shutdown waits for sources to end. What ignores it is reported.
        ///   - clock: The clock that measures it.
        ///   - issueReporter: The destination of issues.
        public init(
            _ providers: any RefreshableFlagProvider..., shutdownDeadline: Duration = .seconds(5),
            clock: any Clock<Duration> = ContinuousClock(), issueReporter: FlagIssueReporter = .current
        ) {
            self.init(
                providers.map { provider in Work(name: provider.name) { try await provider.run() } },
                shutdownDeadline, clock, issueReporter)
        }

        /// Calls a closure with each exposure of a recorder, which ends when the service is shut down, after those that
        /// wait.
        public init(
            _ exposures: ExposureRecorder, shutdownDeadline: Duration = .seconds(5),
            clock: any Clock<Duration> = ContinuousClock(), issueReporter: FlagIssueReporter = .current,
            handler: @escaping @Sendable (FlagExposure) async -> Void
        ) {
            let work = Work(name: "exposures") {
                // In a task of its own, since the end of this one would drop what waits.
                let delivery = Task { for await exposure in exposures.exposures { await handler(exposure) } }
                await withTaskCancellationHandler {
                    await delivery.value
                } onCancel: {
                    exposures.finish()
                }
            }
            self.init([work], shutdownDeadline, clock, issueReporter)
        }

        private init(
            _ works: [Work], _ shutdownDeadline: Duration, _ clock: any Clock<Duration>,
            _ issueReporter: FlagIssueReporter
        ) {
            (self.works, self.shutdownDeadline) = (works, shutdownDeadline)
            (self.clock, self.issueReporter) = (clock, issueReporter)
        }

        #if Metrics
            /// Measures a remote provider until the service is shut down. Put it before the service that runs the provider.
            public init(_ metrics: FlagMetrics, of provider: RemoteJSONProvider) {
                let work = Work(name: provider.name) { await metrics.run(provider) }
                self.init([work], .seconds(5), ContinuousClock(), .current)
            }
        #endif

        /// Runs until the task is cancelled or the service is shut down. Throws nothing.
        public func run() async throws {
            // Tasks of their own, since a group would wait for a source that ignores the end of its task.
            let (ends, end) = AsyncStream.makeStream(of: Int.self)
            let tasks = works.enumerated().map { number, work in
                Task {
                    do {
                        try await work.run()
                    } catch is CancellationError {
                    } catch {
                        issueReporter.report(
                            FlagError(
                                .stoppedSource, provider: work.name,
                                reason: "it threw \(error), so it is not followed any more",
                                advice: "Correct the cause, and start the process again"))
                    }
                    end.yield(number)
                }
            }
            // A provider that was stopped by hand is no reason to end the process.
            try? await gracefulShutdown()
            for task in tasks { task.cancel() }
            // In a task of its own, because this one may be cancelled, which would cut the wait short.
            let left = await Task { [works, clock, shutdownDeadline] in
                let timer = Task {
                    try? await clock.sleep(for: shutdownDeadline)
                    end.finish()
                }
                defer { timer.cancel() }
                var left = Set(works.indices)
                var iterator = ends.makeAsyncIterator()
                while !left.isEmpty, let number = await iterator.next() { left.remove(number) }
                return left
            }.value
            for number in left.sorted() {
                issueReporter.report(
                    FlagError(
                        .ignoredShutdown, provider: works[number].name,
                        reason: "it still runs \(shutdownDeadline.roundedText) after the shutdown of its service",
                        advice: "Let it end when its task is cancelled"))
            }
        }
    }

    extension FlagError.Code {
        /// The `run()` of a provider threw, so its service doesn't follow it any more.
        public static let stoppedSource = FlagError.Code("source-stopped")
        /// A source still ran after the deadline of its service's shutdown.
        public static let ignoredShutdown = FlagError.Code("shutdown-ignored")
    }
#endif
