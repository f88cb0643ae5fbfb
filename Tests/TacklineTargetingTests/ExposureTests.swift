import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("An exposure", .hangLimit)
struct ExposureTests {
    /// Keeps the batches that it is given, and refuses as many as it is asked to.
    final class Recording: ExposureObserver {
        struct Refusal: Error {}

        let batches = Mutex<[[FlagExposure]]>([])
        let refused = Mutex<[[FlagExposure]]>([])
        private let refusals: Mutex<Int>

        init(refusals: Int = 0) { self.refusals = Mutex(refusals) }

        var count: Int { batches.withLock { $0.joined().count } }
        var subjects: [String?] { batches.withLock { $0.joined().map(\.contextID) } }

        func observe(_ exposures: [FlagExposure]) async throws {
            let refuses = refusals.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            if refuses {
                refused.withLock { $0.append(exposures) }
                throw Refusal()
            }
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

        func observe(_ exposures: [FlagExposure]) async throws {
            for await _ in gate {}
            try await recording.observe(exposures)
        }
    }

    private let rollout = PercentageRollout(50, of: "reservations")

    private func user(_ number: Int) -> EvaluationContext {
        EvaluationContext(targetingKey: "user-\(number)", attributes: [:])
    }

    @discardableResult
    private func record(_ number: Int, _ recorder: ExposureRecorder) -> Bool {
        recorder.record(rollout.evaluate(for: user(number)), of: "reservations", for: user(number))
    }

    private func color(_ name: String) -> FlagEvaluation {
        FlagEvaluation(value: .string(name), variant: name, reason: .static)
    }

    // MARK: Repeats

    @Test("is recorded for each of two subjects whose names differ in nothing but the bytes of a letter")
    func equivalentNames() {
        let recorder = ExposureRecorder(observer: Recording())
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let contexts =
            names.map { EvaluationContext(targetingKey: $0) }
            + names.map { EvaluationContext(attributes: ["name": .string($0)]) }
        for context in contexts { #expect(recorder.record(color("red"), of: "color", for: context)) }
        for context in contexts { #expect(!recorder.record(color("red"), of: "color", for: context)) }
    }

    @Test("is recorded once for each subject, flag and value")
    func once() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        for _ in 0..<3 {
            for number in 0..<10 { record(number, recorder) }
        }
        let changed = FlagEvaluation(value: 5, variant: "five", reason: .static)
        #expect(recorder.record(changed, of: "reservations", for: user(0)))
        #expect(!recorder.record(changed, of: "reservations", for: user(0)))
        #expect(await recorder.flush())
        let batches = recording.batches.withLock { $0 }
        #expect(batches.map(\.count) == [11])
        #expect(batches.first?.first?.contextID == "user-0")
    }

    @Test("is recorded again after another value, so that A, B and A are three")
    func back() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        for name in ["a", "a", "b", "b", "a", "a"] { recorder.record(color(name), of: "color", for: user(0)) }
        await recorder.flush()
        #expect(recording.batches.withLock { $0.joined().map(\.variant) } == ["a", "b", "a"])
    }

    @Test("is recorded again in each window and in each session")
    func windows() async {
        let clock = ManualClock()
        let recorder = ExposureRecorder(observer: Recording(), window: .seconds(60), clock: clock)
        #expect(record(0, recorder))
        clock.advance(by: .seconds(59))
        #expect(!record(0, recorder))
        clock.advance(by: .seconds(1))
        #expect(record(0, recorder) && !record(0, recorder))
        recorder.beginSession()
        #expect(record(0, recorder) && !record(0, recorder))

        let lasting = ExposureRecorder(observer: Recording(), window: nil, clock: clock)
        #expect(record(0, lasting))
        clock.advance(by: .seconds(1_000_000))
        #expect(!record(0, lasting))
    }

    @Test("of a value that a loader keeps is recorded again in a new session of the loader")
    func sessions() async throws {
        struct Flags: FlagCollectionProtocol { @Flag(default: "none") var color: String }
        let definitions = try FlagDefinitions(
            json: #"{"flags": {"color": {"state": "ENABLED", "variants": {"red": "r"}, "defaultVariant": "red"}}}"#)
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        let rules = DefinitionsProvider(definitions, context: .fixed(user(7)))
        let flags = FlagsLoader(Flags.self, providers: [rules], observers: [recorder])
        for _ in 0..<3 { #expect(flags.color == "r") }
        flags.beginSession()
        for _ in 0..<3 { #expect(flags.color == "r") }
        await recorder.flush()
        #expect(recording.batches.withLock { $0.joined().map(\.variant) } == ["red", "red"])
    }

    @Test("is none where the flag's type refuses the value")
    func refusedValue() async throws {
        struct Flags: FlagCollectionProtocol { @Flag(default: 1) var color: Int }
        let definitions = try FlagDefinitions(
            json: #"{"flags": {"color": {"state": "ENABLED", "variants": {"red": "r"}, "defaultVariant": "red"}}}"#)
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        let rules = DefinitionsProvider(definitions, context: .task())
        let flags = FlagsLoader(Flags.self, providers: [rules], issueReporter: .silent, observers: [recorder])
        for number in 0..<200 { withEvaluationContext(user(number)) { #expect(flags.color == 1) } }
        await recorder.flush()
        #expect(recording.count == 0)
    }

    @Test("is known as a repeat for a thousand users of a hundred flags")
    func manyPairs() {
        let recorder = ExposureRecorder(observer: Recording(), batchSize: 1_000, maximumWaitingBytes: 1 << 30)
        let evaluation = FlagEvaluation(value: true, variant: "on", reason: .static)
        var counts = [0, 0, 0]
        for round in counts.indices {
            for number in 0..<1_000 {
                let user = user(number)
                for flag in 0..<100 where recorder.record(evaluation, of: "flag-\(flag)", for: user) {
                    counts[round] += 1
                }
            }
        }
        #expect(counts[0] + recorder.droppedCount == 100_000)
        #expect(recorder.droppedCount == 0)
        #expect(counts[1] + counts[2] < 100, "\(counts)")
    }

    // MARK: Delivery

    @Test("is handed over in batches, in order")
    func batches() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording, batchSize: 4)
        for number in 0..<10 { record(number, recorder) }
        await recorder.flush()
        let batches = recording.batches.withLock { $0 }
        #expect(batches.map(\.count) == [4, 4, 2])
        #expect(batches.joined().map(\.contextID) == (0..<10).map { "user-\($0)" })
    }

    @Test("that the observer refuses is handed over again in the same batch, before all later ones")
    func refusal() async throws {
        let issues = IssueRecorder()
        let clock = ManualClock()
        let recording = Recording(refusals: 2)
        let recorder = ExposureRecorder(
            observer: recording, batchSize: 2, issueReporter: issues.reporter, clock: clock)
        for number in 0..<2 { record(number, recorder) }
        try await clock.waitForSleepers(count: 1)
        #expect(recorder.waitingCount == 2)
        for number in 2..<5 { record(number, recorder) }
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers(count: 1)
        let refused = recording.refused.withLock { $0.map { $0.map(\.contextID) } }
        #expect(refused == [["user-0", "user-1"], ["user-0", "user-1"]])
        #expect(await recorder.flush(), "a flush doesn't wait for the end of the pause")
        #expect(recording.batches.withLock { $0.map(\.count) } == [2, 2, 1])
        #expect(recording.subjects == (0..<5).map { "user-\($0)" })
        #expect(recorder.droppedCount == 0 && recorder.waitingCount == 0)
        #expect(issues.codes == [.undeliveredExposures], "one issue until a batch is taken")
    }

    @Test("that the observer refuses lets a flush return, which says so")
    func refusedFlush() async {
        let recording = Recording(refusals: 1)
        let recorder = ExposureRecorder(observer: recording, issueReporter: .silent, clock: ManualClock())
        record(0, recorder)
        #expect(await !recorder.flush())
        #expect(recorder.waitingCount == 1)
        #expect(await recorder.flush())
        #expect(await recorder.flush(), "nothing waits")
        #expect(recording.count == 1)
    }

    @Test("is handed over at the end of a run, if the observer is given it again")
    func shutdown() async throws {
        let clock = ManualClock()
        let recording = Recording(refusals: 2)
        let recorder = ExposureRecorder(observer: recording, issueReporter: .silent, clock: clock)
        for number in 0..<5 { record(number, recorder) }
        let run = Task { await recorder.run(every: .seconds(10), clock: clock) }
        try await clock.waitForSleepers(count: 1)
        run.cancel()
        await run.value
        #expect(recording.subjects == (0..<5).map { "user-\($0)" })
    }

    @Test("is handed over when the recorder is deallocated, or dropped after three refusals")
    func deallocation() async throws {
        let clock = ManualClock()
        let issues = IssueRecorder()
        let (taking, refusing) = (Recording(refusals: 1), Recording(refusals: .max))
        do {
            let first = ExposureRecorder(observer: taking, issueReporter: .silent, clock: clock)
            record(1, first)
        }
        try await clock.waitForSleepers(count: 1)
        #expect(taking.refused.withLock { $0.count } == 1)
        do {
            let second = ExposureRecorder(observer: refusing, issueReporter: issues.reporter, clock: clock)
            record(2, second)
        }
        for attempt in 1...3 {
            while refusing.refused.withLock({ $0.count }) < attempt {
                clock.advance(by: .seconds(2))
                await Task.yield()
            }
        }
        while taking.count == 0 || issues.codes.count < 2 { await Task.yield() }
        #expect(refusing.refused.withLock { $0.count } == 3)
        #expect(
            issues.issues.last?.message == """
                1 exposure was dropped, because the observer refused it: Refusal(). Make room for more \
                (maximumWaitingBytes), or correct the observer if it throws or takes too long.
                """)
    }

    @Test("is dropped, counted and reported beyond the maximum of bytes, and recorded once there is room")
    func busy() async {
        let issues = IssueRecorder()
        let blocking = Blocking()
        let recorder = ExposureRecorder(
            observer: blocking, batchSize: 1, maximumWaitingBytes: 10_000, issueReporter: issues.reporter)
        let isNew = (0..<100).map { record($0, recorder) }
        let kept = isNew.prefix { $0 }.count
        #expect(kept > 10 && kept < 60, "\(kept) exposures in 10,000 bytes")
        #expect(isNew == (0..<100).map { $0 < kept }, "the earliest are kept")
        #expect(recorder.droppedCount == 100 - kept)
        #expect(issues.codes == [.undeliveredExposures])
        blocking.open()
        #expect(await recorder.flush())
        #expect(blocking.recording.subjects == (0..<kept).map { "user-\($0)" })
        #expect(record(99, recorder) && !record(0, recorder))
    }

    @Test("is recorded by many threads at once without loss")
    func concurrency() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording, batchSize: 7)
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<500 { record(number / 2 + 250 * task, recorder) }
                }
            }
        }
        await recorder.flush()
        #expect(recording.count == 1_000)
        #expect(Set(recording.subjects).count == 1_000)
    }

    @Test("is not lost when hundreds of tasks record and flush at once")
    func concurrentFlushes() async {
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        await withTaskGroup { group in
            for task in 0..<300 {
                group.addTask {
                    for number in 0..<5 { record(task * 5 + number, recorder) }
                    await recorder.flush()
                    // What a task has recorded has been handed over when its flush returns.
                    #expect(Set(recording.subjects).isSuperset(of: (0..<5).map { "user-\(task * 5 + $0)" }))
                }
            }
        }
        #expect(recording.count == 1_500 && Set(recording.subjects).count == 1_500)
        #expect(recorder.droppedCount == 0)
    }

    // MARK: Names

    @Test("has the names that OpenTelemetry gives its parts")
    func names() throws {
        let definitions = try FlagDefinitions(
            json(
                #"""
                {"flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"fractional": [["on"]]}},
                "bad": {}}, "metadata": {"flagSetId": "shop/dev", "version": "3"}}
                """#))
        let exposure = FlagExposure(
            definitions.evaluate("f", for: user(1)), of: "f", for: user(1), providerName: "remote")
        #expect(
            exposure.attributes == [
                "feature_flag.key": "f", "feature_flag.result.variant": "on", "feature_flag.result.value": true,
                "feature_flag.result.reason": "split", "feature_flag.context.id": "user-1",
                "feature_flag.provider.name": "remote", "feature_flag.set.id": "shop/dev", "feature_flag.version": "3",
            ])
        let error = FlagExposure(definitions.evaluate("bad", for: user(1)), of: "bad", for: user(1))
        #expect(error.attributes["error.type"] == "parse_error")
        #expect(error.attributes["feature_flag.result.reason"] == "error")
        #expect(error.attributes["feature_flag.error.message"] != nil)
        #expect(FlagExposure.eventName == "feature_flag.evaluation")
    }
}
