#if ServiceLifecycle
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import TacklineCore
    import TacklineServer
    import TacklineTargeting
    import TacklineTestSupport
    import Testing

    @Suite("Services for flags", .hangLimit)
    struct ServiceTests {
        @Test("run a provider until a graceful shutdown, which is no error")
        func shutdown() async throws {
            let provider = RunningProvider()
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await FlagsService(provider, provider).run() }
                    while provider.begun.count < 2 { await Task.yield() }
                    #expect(provider.ended.count == 0)
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
            #expect(provider.ended.count == 2)
        }

        @Test("end when their task is cancelled, too")
        func cancellation() async throws {
            let provider = RunningProvider()
            let running = Task { try await FlagsService(provider).run() }
            while provider.begun.count < 1 { await Task.yield() }
            running.cancel()
            try await running.value
            #expect(provider.ended.count == 1)
        }

        @Test("go on where a provider was stopped by hand")
        func stopped() async throws {
            let provider = RunningProvider(endsAtOnce: true)
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let isOver = Told<Bool>()
                    group.addTask {
                        try await FlagsService(provider).run()
                        isOver.add(true)
                    }
                    while provider.ended.count < 1 { await Task.yield() }
                    for _ in 0..<100 { await Task.yield() }
                    #expect(isOver.all.isEmpty)
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
        }

        @Test("hand over the exposures that are left")
        func exposures() async throws {
            struct Observer: ExposureObserver {
                let told: Told<FlagExposure>
                func observe(_ exposures: [FlagExposure]) async { for exposure in exposures { told.add(exposure) } }
            }
            let told = Told<FlagExposure>()
            let recorder = ExposureRecorder(observer: Observer(told: told))
            let flags = FlagsLoader(ServerFlags.self, providers: [try ServerFlags.provider()], observers: [recorder])
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await FlagsService(recorder, every: .seconds(3600)).run() }
                    withEvaluationContext(["targetingKey": "ada", "plan": "gold"]) { _ = flags.newCheckout }
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
            #expect(told.all.map(\.variant) == ["on"])
        }
    }

    private struct RunningProvider: RefreshableFlagProvider {
        let begun = Counter()
        let ended = Counter()
        var endsAtOnce = false

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome { .unchanged }

        func run() async throws {
            _ = begun.next()
            defer { _ = ended.next() }
            if !endsAtOnce { try await Task.sleep(for: .seconds(3600)) }
        }
    }
#endif
