import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("An exposure", .hangLimit)
struct ExposureTests {
    private struct Flags: FlagCollectionProtocol { @Flag(default: "none") var color: String }
    private struct Numbers: FlagCollectionProtocol { @Flag(default: 1) var color: Int }

    private let document = """
        {"flags": {"color": {"state": "ENABLED", "variants": {"red": "r"}, "defaultVariant": "red"}}}
        """

    private func user(_ number: Int) -> EvaluationContext { EvaluationContext(targetingKey: "user-\(number)") }

    private func color(_ name: String) -> FlagEvaluation {
        FlagEvaluation(value: .string(name), variant: name, reason: .static)
    }

    /// Ends the recorder and returns all exposures that were recorded.
    private func all(_ recorder: ExposureRecorder) async -> [FlagExposure] {
        recorder.finish()
        return await recorder.exposures.reduce(into: []) { $0.append($1) }
    }

    // MARK: Repeats

    @Test("is recorded once for each subject, flag and value, also for names that differ in nothing but bytes")
    func once() async {
        let recorder = ExposureRecorder()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let contexts =
            (0..<10).map(user) + names.map { EvaluationContext(targetingKey: $0) }
        for _ in 0..<3 {
            for context in contexts { recorder.record(color("red"), of: "color", for: context) }
        }
        #expect(recorder.record(color("blue"), of: "color", for: user(0)))
        #expect(recorder.record(color("blue"), of: "other", for: user(0)))
        #expect(!recorder.record(color("blue"), of: "other", for: user(0)))
        let recorded = await all(recorder)
        #expect(recorded.count == 14 && recorded.prefix(10).map(\.contextID) == (0..<10).map { "user-\($0)" })
    }

    @Test("is recorded again after another value, so that A, B and A are three")
    func back() async {
        let recorder = ExposureRecorder()
        for name in ["a", "a", "b", "b", "a", "a"] { recorder.record(color(name), of: "color", for: user(0)) }
        #expect(await all(recorder).map(\.variant) == ["a", "b", "a"])
    }

    @Test("is recorded again in each window and in each session")
    func windows() {
        let clock = ManualClock()
        func record(_ recorder: ExposureRecorder) -> Bool { recorder.record(color("a"), of: "color", for: user(0)) }
        let recorder = ExposureRecorder(window: .seconds(60), clock: clock)
        #expect(record(recorder))
        clock.advance(by: .seconds(59))
        #expect(!record(recorder))
        clock.advance(by: .seconds(1))
        #expect(record(recorder) && !record(recorder))
        recorder.beginSession()
        #expect(record(recorder) && !record(recorder))
        let lasting = ExposureRecorder(window: nil, clock: clock)
        #expect(record(lasting))
        clock.advance(by: .seconds(1_000_000))
        #expect(!record(lasting))
    }

    @Test("is known as a repeat for a thousand users of a hundred flags")
    func manyPairs() {
        let recorder = ExposureRecorder(capacity: 100_000)
        let evaluation = FlagEvaluation(value: true, variant: "on", reason: .static)
        func round() -> Int {
            (0..<1_000).reduce(0) { sum, number in
                sum + (0..<100).count { recorder.record(evaluation, of: "flag-\($0)", for: user(number)) }
            }
        }
        #expect([round(), round()] == [100_000, 0] && recorder.droppedCount == 0)
    }

    // MARK: Values of a loader

    @Test("of a value that a loader keeps is recorded once, and again in a new session of the loader")
    func sessions() async throws {
        let recorder = ExposureRecorder()
        let rules = DefinitionsProvider(try FlagDefinitions(json: document), context: .fixed(user(7)))
        let flags = FlagsLoader(Flags.self, providers: [rules], observers: [recorder])
        _ = flags.$color.explain()
        for _ in 0..<3 { #expect(flags.color == "r") }
        flags.beginSession()
        for _ in 0..<3 { #expect(flags.color == "r") }
        let recorded = await all(recorder)
        #expect(recorded.map(\.variant) == ["red", "red"] && recorded.map(\.contextID) == ["user-7", "user-7"])
    }

    @Test("is none where the flag's type refuses the value")
    func refusedValue() async throws {
        let recorder = ExposureRecorder()
        let rules = DefinitionsProvider(try FlagDefinitions(json: document), context: .task())
        let flags = FlagsLoader(Numbers.self, providers: [rules], issueReporter: .silent, observers: [recorder])
        for number in 0..<200 { withEvaluationContext(user(number)) { #expect(flags.color == 1) } }
        #expect(await all(recorder).isEmpty)
    }

    // MARK: Delivery

    @Test("is dropped beyond the capacity, counted, reported once, and recorded once there is room")
    func busy() async {
        let issues = IssueRecorder()
        let recorder = ExposureRecorder(capacity: 10, issueReporter: issues.reporter)
        func record(_ number: Int) -> Bool { recorder.record(color("a"), of: "color", for: user(number)) }
        #expect((0..<100).map(record) == (0..<100).map { $0 < 10 }, "the earliest are kept")
        #expect(recorder.droppedCount == 90)
        #expect(
            issues.issues.map(\.message) == [
                """
                Exposures are dropped, because 10 wait to be taken; droppedCount has their number. Take them from the stream \
                sooner, or raise the recorder's capacity.
                """
            ])
        var taken = recorder.exposures.makeAsyncIterator()
        #expect(await taken.next()?.contextID == "user-0")
        #expect(record(99) && !record(0))
        recorder.finish()
        #expect(!record(1_000) && recorder.droppedCount == 90)
        var rest: [String?] = []
        while let exposure = await taken.next() { rest.append(exposure.contextID) }
        #expect(rest == ((1..<10).map { "user-\($0)" } + ["user-99"]), "what waits is delivered at the end")
    }

    @Test("is taken while others are recorded by many threads, without loss, until the recorder is gone")
    func concurrency() async {
        var recorder: ExposureRecorder? = ExposureRecorder()
        let stream = recorder?.exposures
        async let taken = stream?.reduce(into: Set<String?>()) { $0.insert($1.contextID) }
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { [recorder] in
                    for number in 0..<500 {
                        recorder?.record(color("a"), of: "color", for: user(number / 2 + 250 * task))
                    }
                }
            }
        }
        recorder = nil
        #expect(await taken?.count == 1_000)
    }

    // MARK: Names

    @Test("has the names that OpenTelemetry gives its parts")
    func names() throws {
        let definitions = try FlagDefinitions(
            json: """
                {"flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"fractional": [["on"]]}},
                "bad": {}}, "metadata": {"flagSetId": "shop/dev", "version": "3"}}
                """)
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
    }
}
