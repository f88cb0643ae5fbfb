#if Metrics
    import CoreMetrics
    import MetricsTestKit
    import TacklineCore
    import TacklineMemory
    import TacklineRemoteJSON
    import TacklineServer
    import TacklineTargeting
    import TacklineTestSupport
    import TacklineTesting
    import Testing

    @Suite("Metrics of flags", .hangLimit)
    struct MetricsTests {
        private let metrics = TestMetrics()

        private func evaluations(_ flag: String, _ variant: String, _ provider: String) -> Int64 {
            metrics.counterTotal(
                label: "tackline_evaluations",
                dimensions: [("flag", flag), ("variant", variant), ("provider", provider)])
        }

        @Test("count evaluations by flag and variant")
        func evaluations() throws {
            let counts = FlagMetrics(factory: metrics)
            let memory = MemoryProvider(values: ["page_size": 50, "group/hidden": true])
            let flags = FlagsLoader(
                ServerFlags.self, providers: [try ServerFlags.provider(), memory], observers: [counts])
            for plan in ["gold", "plain", "gold"] {
                withEvaluationContext(["targetingKey": "ada", "plan": .string(plan)]) { _ = flags.newCheckout }
            }
            #expect(evaluations("new_checkout", "on", "rules") == 2)
            #expect(evaluations("new_checkout", "off", "rules") == 1)
            _ = (flags.pageSize, flags.group.hidden)
            #expect(evaluations("page_size", "value", "MemoryProvider") == 1)
            #expect(
                evaluations("group/hidden", "value", "MemoryProvider") == 1, "a Boolean that is secret has no variant")
        }

        @Test("count what exceeds the limit as one, however many variants a source makes up")
        func cardinality() {
            let counts = FlagMetrics(factory: metrics, maximumSeries: 10)
            for number in 0..<1000 { counts.flagWasResolved(madeUp("flag_\(number)")) }
            #expect(metrics.counters(label: "tackline_evaluations").count == 11)
            #expect(evaluations("other", "other", "made up") == 990)
            #expect(evaluations("flag_9", "variant of flag_9", "made up") == 1)
            counts.flagWasResolved(madeUp("flag_9"))
            #expect(evaluations("flag_9", "variant of flag_9", "made up") == 2)
        }

        @Test("lose no evaluation of many threads")
        func threads() async {
            let counts = FlagMetrics(factory: metrics, maximumSeries: 10)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for number in 0..<100 { counts.flagWasResolved(madeUp("flag_\(number % 20)")) }
                    }
                }
            }
            #expect(metrics.counterTotal(label: "tackline_evaluations") == 800)
            #expect(metrics.counters(label: "tackline_evaluations").count == 11)
        }

        @Test("count how refreshes end, and tell how old values are")
        func refreshes() async throws {
            let clock = ManualClock()
            let counts = FlagMetrics(factory: metrics, interval: .seconds(15), clock: clock)
            let (outcomes, source) = AsyncStream.makeStream(of: Refresher.Outcome.self)
            async let following: Void = counts.follow(outcomes, of: "remote")
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(15))
            try await clock.waitForSleepers(count: 1)
            let age = try metrics.expectRecorder("tackline_values_age_seconds", [("provider", "remote")])
            #expect(age.values.isEmpty, "there are no values yet")
            source.yield(.success(.changed(["a"])))
            while age.values.count < 1 { await Task.yield() }
            clock.advance(by: .seconds(15))
            while age.values.count < 2 { await Task.yield() }
            try await clock.waitForSleepers(count: 1)
            let error = FlagError(.network, provider: "remote", reason: "it is down")
            source.yield(.failure(error))
            source.yield(.failure(FlagError(.rejected, provider: "remote", reason: "no JSON")))
            while age.values.count < 4 { await Task.yield() }
            source.yield(.success(.unchanged))
            source.finish()
            await following
            #expect(age.values == [0, 15, 15, 15, 0])
            for (outcome, count) in ["changed": 1, "failed": 1, "rejected": 1, "unchanged": 1, "staged": 0]
                as [String: Int64]
            {
                let dimensions = [("provider", "remote"), ("outcome", outcome)]
                #expect(
                    metrics.counterTotal(label: "tackline_refreshes", dimensions: dimensions) == count, "\(outcome)")
            }
        }

        @Test("end when the task is cancelled")
        func cancellation() async throws {
            let counts = FlagMetrics(factory: metrics)
            let (outcomes, _) = AsyncStream.makeStream(of: Refresher.Outcome.self)
            let following = Task { await counts.follow(outcomes, of: "remote") }
            following.cancel()
            await following.value
        }
    }

    private func madeUp(_ key: String) -> FlagResolution<EncodedFlagValue> {
        FlagResolution(
            key: FlagKeyPath(key), value: true, source: .provider("made up"),
            evaluation: FlagEvaluation(value: true, variant: "variant of \(key)", reason: .static))
    }
#endif
