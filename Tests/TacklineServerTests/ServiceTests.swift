#if ServiceLifecycle
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import TacklineCore
    import TacklineServer
    import TacklineTargeting
    import TacklineTestSupport
    import TacklineTesting
    import Testing

    @Suite("Services for flags", .hangLimit)
    struct ServiceTests {
        /// Runs a service, and shuts it down after `body`, until which it goes on.
        private func shutDown(_ service: FlagsService, after body: @Sendable () async throws -> Void) async throws {
            let ends = Counter()
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await service.run()
                        _ = ends.next()
                    }
                    try await body()
                    #expect(ends.count == 0)
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
        }

        @Test("run a provider until a graceful shutdown, or the cancellation of their task, which is no error")
        func shutdown() async throws {
            let provider = RunningProvider()
            try await shutDown(FlagsService(provider, provider, shutdownDeadline: .seconds(3600))) {
                while provider.begun.count < 2 { await Task.yield() }
                #expect(provider.ended.count == 0)
            }
            #expect(provider.ended.count == 2)
            let running = Task { try await FlagsService(provider).run() }
            while provider.begun.count < 3 { await Task.yield() }
            running.cancel()
            try await running.value
            #expect(provider.ended.count == 3)
        }

        @Test("go on where a provider was stopped by hand, or throws, which is reported, and end with the others")
        func throwing() async throws {
            let (provider, stopped, issues) = (RunningProvider(), RunningProvider(endsAtOnce: true), IssueRecorder())
            let service = FlagsService(
                ThrowingProvider(), stopped, provider, shutdownDeadline: .seconds(3600), issueReporter: issues.reporter)
            try await shutDown(service) {
                while issues.codes.isEmpty || provider.begun.count < 1 || stopped.ended.count < 1 { await Task.yield() }
                for _ in 0..<100 { await Task.yield() }
                #expect(issues.codes == [.stoppedSource])
                #expect(issues.issues.first?.message.contains("is not followed any more") == true)
                #expect(provider.ended.count == 0)
            }
            #expect(provider.ended.count == 1)
        }

        @Test("wait for a source that ignores the end of its task no longer than until a deadline")
        func deadline() async throws {
            let (provider, clock, issues) = (StubbornProvider(), ManualClock(), IssueRecorder())
            let running = Task {
                try await FlagsService(
                    provider, shutdownDeadline: .seconds(5), clock: clock, issueReporter: issues.reporter
                ).run()
            }
            while provider.begun.count < 1 { await Task.yield() }
            running.cancel()
            try await clock.waitForSleepers { $0.count == 1 }
            #expect(issues.codes == [])
            clock.advance(by: .seconds(5))
            try await running.value
            #expect(issues.codes == [.ignoredShutdown])
            #expect(issues.issues.first?.provider == "stubborn")
            provider.release()
        }

        @Test("hand over the exposures that are left")
        func exposures() async throws {
            let told = Told<FlagExposure>()
            let recorder = ExposureRecorder()
            let flags = FlagsLoader(ServerFlags.self, providers: [try ServerFlags.provider()], observers: [recorder])
            try await shutDown(FlagsService(recorder, shutdownDeadline: .seconds(3600)) { told.add($0) }) {
                withEvaluationContext(["targetingKey": "ada", "plan": "gold"]) { _ = flags.newCheckout }
            }
            #expect(told.all.map(\.variant) == ["on"])
        }
    }

    private struct RunningProvider: RefreshableFlagProvider {
        let begun = Counter()
        let ended = Counter()
        var endsAtOnce = false

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func refresh() async throws(FlagError) -> FlagRefreshOutcome { .unchanged }

        func run() async throws {
            _ = begun.next()
            defer { _ = ended.next() }
            if !endsAtOnce { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    private struct ThrowingProvider: RefreshableFlagProvider {
        struct Failure: Error {}
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func refresh() async throws(FlagError) -> FlagRefreshOutcome { .unchanged }
        func run() async throws { throw Failure() }
    }

    /// Ignores the end of its task.
    private struct StubbornProvider: RefreshableFlagProvider {
        let name = "stubborn"
        let begun = Counter()
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream(of: Void.self) }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func refresh() async throws(FlagError) -> FlagRefreshOutcome { .unchanged }
        func release() { continuation.finish() }

        func run() async throws {
            _ = begun.next()
            // A task that nothing cancels.
            await Task.detached { [stream] in for await _ in stream {} }.value
        }
    }
#endif
