import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("An exposure", .hangLimit)
struct ExposureTests {
    private final class Recording: ExposureObserver {
        let batches = Mutex<[[FlagExposure]]>([])

        func observe(_ exposures: [FlagExposure]) async {
            batches.withLock { $0.append(exposures) }
        }
    }

    /// Holds on to the first batch until it is let go.
    private final class Blocking: ExposureObserver {
        let recording = Recording()
        private let gate: AsyncStream<Void>
        private let opener: AsyncStream<Void>.Continuation

        init() {
            (gate, opener) = AsyncStream.makeStream()
        }

        func open() { opener.finish() }

        func observe(_ exposures: [FlagExposure]) async {
            for await _ in gate {}
            await recording.observe(exposures)
        }
    }

    private let rollout = PercentageRollout(50, of: "reservations")

    private func user(_ number: Int) -> EvaluationContext {
        EvaluationContext(targetingKey: "user-\(number)", attributes: [:])
    }

    @Test("is reported once for each subject, flag and value")
    func once() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        for _ in 0..<3 {
            for number in 0..<10 { recorder.record(rollout.evaluate(for: user(number)), for: user(number)) }
        }
        let changed = FlagEvaluation(flagKey: "reservations", outcome: .value(5), variant: "five", reason: .static)
        #expect(recorder.record(changed, for: user(0)))
        #expect(!recorder.record(changed, for: user(0)))
        await recorder.flush()
        let batches = recording.batches.withLock { $0 }
        #expect(batches.map(\.count) == [11])
        #expect(batches.first?.first?.contextID == "user-0")
    }

    @Test("is handed over in batches, in order")
    func batches() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording, batchSize: 4)
        for number in 0..<10 { recorder.record(rollout.evaluate(for: user(number)), for: user(number)) }
        await recorder.flush()
        let batches = recording.batches.withLock { $0 }
        #expect(batches.map(\.count) == [4, 4, 2])
        #expect(batches.joined().map(\.contextID) == (0..<10).map { "user-\($0)" })
    }

    @Test("is forgotten when the memory is full, and then reported again")
    func memory() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording, memory: 10)
        for number in 0..<100 { recorder.record(rollout.evaluate(for: user(number)), for: user(number)) }
        #expect(!recorder.record(rollout.evaluate(for: user(99)), for: user(99)))
        #expect(recorder.record(rollout.evaluate(for: user(0)), for: user(0)))
        await recorder.flush()
        #expect(recording.batches.withLock { $0.joined().count } == 101)
    }

    @Test("is dropped and counted when the observer is busy for too long, which keeps nobody waiting")
    func busy() async {
        let blocking = Blocking()
        let recorder = ExposureRecorder(observer: blocking, batchSize: 1, waitingBatches: 3)
        for number in 0..<100 { recorder.record(rollout.evaluate(for: user(number)), for: user(number)) }
        #expect(recorder.droppedCount >= 96)
        blocking.open()
        await recorder.flush()
        let taken = blocking.recording.batches.withLock { $0.joined().count }
        #expect(taken + recorder.droppedCount == 100)
        #expect(taken > 0)
    }

    @Test("is recorded by many threads at once without loss")
    func concurrency() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording, batchSize: 7, waitingBatches: 1_000)
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        recorder.record(
                            rollout.evaluate(for: user(number / 2 + 250 * task)), for: user(number / 2 + 250 * task))
                    }
                }
            }
        }
        await recorder.flush()
        let exposures = recording.batches.withLock { Array($0.joined()) }
        #expect(exposures.count == 1_000)
        #expect(Set(exposures.map(\.contextID)).count == 1_000)
    }

    @Test("has the names that OpenTelemetry gives its parts")
    func names() throws {
        let definitions = try FlagDefinitions(
            json(
                #"""
                {"flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"fractional": [["on"]]}},
                "bad": {}}, "metadata": {"flagSetId": "shop/dev", "version": "3"}}
                """#))
        let exposure = FlagExposure(definitions.evaluate("f", for: user(1)), for: user(1), providerName: "remote")
        #expect(
            exposure.attributes == [
                "feature_flag.key": "f", "feature_flag.result.variant": "on", "feature_flag.result.value": true,
                "feature_flag.result.reason": "split", "feature_flag.context.id": "user-1",
                "feature_flag.provider.name": "remote", "feature_flag.set.id": "shop/dev", "feature_flag.version": "3",
            ])
        let error = FlagExposure(definitions.evaluate("bad", for: user(1)), for: user(1))
        #expect(error.attributes["error.type"] == "parse_error")
        #expect(error.attributes["feature_flag.result.reason"] == "error")
        #expect(error.attributes["feature_flag.error.message"] != nil)
        #expect(FlagExposure.eventName == "feature_flag.evaluation")
    }
}
