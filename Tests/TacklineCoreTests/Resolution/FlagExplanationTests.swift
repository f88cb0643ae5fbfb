import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct PinnedComputing: FlagCollectionProtocol {
    @TaskLocal static var computed: Int?
    @Flag(default: 0, updatePolicy: .session, computedValue: { PinnedComputing.computed }) var number: Int
}

@Suite("An explanation")
struct FlagExplanationTests {
    @Test("shows every provider's answer, the winner and the reason")
    func text() {
        let user = FlagsLoader(
            UserExperiments.self,
            providers: [
                MemoryProvider(name: "overrides"),
                MemoryProvider(name: "remote", values: ["max_attempts": 300]),
                MemoryProvider(name: "region defaults", values: ["max_attempts": 5]),
                MemoryProvider(name: "last", values: ["max_attempts": 6]),
            ],
            issueReporter: .silent)
        #expect(
            user.$maxAttempts.explain().description == """
                max_attempts = 5 (UInt8), from provider "region defaults": the first usable value in the chain
                  How often a password may be wrong
                    overrides        no value
                    remote           refused: expected an integer from 0 to 255, found the integer 300
                  > region defaults  5
                    last             6
                    default          3
                """)
        let alone = FlagsLoader(UserExperiments.self, providers: []).$allowsSSON.explain()
        #expect(alone.reason == "the chain has no providers" && alone.source == .default)
    }

    @Test("shows a scoped, a pinned and a computed value in rows of their own, whichever of them wins")
    func losingRows() throws {
        let memory = MemoryProvider(name: "memory", values: ["number": 1])
        let flags = FlagsLoader(PinnedComputing.self, providers: [memory])
        PinnedComputing.$computed.withValue(nil) { #expect(flags.number == 1) }
        var scope = FlagScope()
        scope.set(9, for: FlagKeyPath.Identity(root: ObjectIdentifier(PinnedComputing.self), ordinal: 0))
        PinnedComputing.$computed.withValue(4) {
            let explanation = FlagScope.run(scope) { flags.$number.explain() }
            let since = explanation.pinned?.pinnedSince.map { "\(EncodedFlagValue.date($0))" } ?? ""
            #expect(
                explanation.description == """
                    number = 9 (Int), from scope: set for the current task, which wins over everything
                      > scope     9
                        pinned    1 since \(since)
                        computed  4
                        memory    1
                        default   0
                    """)
        }
    }

    @Test("reports no issue, unlike a read and a value from one provider")
    func issues() {
        let recorder = IssueRecorder()
        let memory = MemoryProvider(name: "memory", values: ["number": "x"])
        let flags = FlagsLoader(PinnedComputing.self, providers: [memory], issueReporter: recorder.reporter)
        #expect(flags.$number.explain().providers.first?.refusal != nil && recorder.issues.isEmpty)
        #expect(flags.$number.flagValue(from: memory) == nil)
        #expect(recorder.codes == [.refusedValue])
        memory.setValue("y", for: "number")
        #expect(flags.number == 0 && recorder.codes == [.refusedValue, .refusedValue])
    }
}
