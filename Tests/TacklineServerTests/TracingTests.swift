#if Tracing
    import Foundation
    import InMemoryTracing
    import TacklineCore
    import TacklineMemory
    import TacklineServer
    import TacklineTargeting
    import TacklineTestSupport
    import Testing
    import Tracing

    @Suite("Traces of flags", .hangLimit)
    struct TracingTests {
        private let tracer = InMemoryTracer()

        private func attributes(_ event: SpanEvent) -> [String: String] {
            var result: [String: String] = [:]
            event.attributes.forEach { name, value in
                result[name] = "\(value)".replacingOccurrences(of: "\"", with: "")
            }
            return result
        }

        @Test("record an evaluation as an event of the active span, by OpenTelemetry's names")
        func evaluations() throws {
            let tracing = FlagTracing(tracer: tracer)
            let memory = MemoryProvider(values: ["page_size": 50, "group/hidden": true])
            let flags = FlagsLoader(
                ServerFlags.self, providers: [try ServerFlags.provider(), memory], observers: [tracing])
            _ = flags.newCheckout
            tracer.withSpan("request") { _ in
                withEvaluationContext(["targetingKey": "ada", "plan": "gold"]) { _ = flags.newCheckout }
                _ = (flags.pageSize, flags.group.hidden)
            }
            let span = try #require(tracer.finishedSpans.first)
            #expect(
                tracer.finishedSpans.count == 1
                    && span.events.map(\.name) == Array(repeating: "feature_flag.evaluation", count: 3))
            #expect(
                attributes(span.events[0]) == [
                    "feature_flag.key": "string(new_checkout)", "feature_flag.provider.name": "string(rules)",
                    "feature_flag.result.variant": "string(on)",
                    "feature_flag.result.reason": "string(targeting_match)",
                    "feature_flag.set.id": "string(shop)", "feature_flag.version": "string(7)",
                ])
            #expect(
                attributes(span.events[1]) == [
                    "feature_flag.key": "string(page_size)", "feature_flag.provider.name": "string(MemoryProvider)",
                    "feature_flag.result.value": "int64(50)",
                ])
            #expect(
                attributes(span.events[2]) == [
                    "feature_flag.key": "string(group/hidden)", "feature_flag.provider.name": "string(MemoryProvider)",
                ], "the value of a secret flag is not told")
        }

        @Test("record exposures, with who was exposed, each as the event of a span of its own")
        func exposures() async throws {
            let tracing = FlagTracing(tracer: tracer)
            let recorder = ExposureRecorder()
            let flags = FlagsLoader(ServerFlags.self, providers: [try ServerFlags.provider()], observers: [recorder])
            withEvaluationContext(["targetingKey": "ada", "plan": "gold"]) {
                #expect(flags.newCheckout && flags.token == "s3cr3t")
            }
            recorder.finish()
            for await exposure in recorder.exposures { tracing.record(exposure) }
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["feature_flag.exposure", "feature_flag.exposure"])
            let first = attributes(try #require(spans.first?.events.first))
            #expect(
                first["feature_flag.context.id"] == "string(ada)"
                    && first["feature_flag.result.variant"] == "string(on)")
            #expect(spans.allSatisfy { $0.events.count == 1 && !"\(attributes($0.events[0]))".contains("s3cr3t") })
        }

        @Test("cut what is long")
        func limits() throws {
            let tracing = FlagTracing(tracer: tracer)
            let text = String(repeating: "x", count: 10_000_000)
            tracer.withSpan("request") { _ in
                tracing.flagWasResolved(FlagResolution(key: "text", value: .string(text), source: .provider("memory")))
            }
            let event = try #require(tracer.finishedSpans.first?.events.first)
            #expect(attributes(event)["feature_flag.result.value"]?.utf8.count == 1008)
        }
    }
#endif
