import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A flag without its loader")
struct FlagWithoutLoaderTests {
    @Test("gives its default and reports that no loader bound it")
    func unbound() {
        let recorder = IssueRecorder()
        let byHand = UserExperiments()
        FlagIssueReporter.withReporter(recorder.reporter) {
            #expect(byHand.maxAttempts == 3 && byHand.secrets.moodOfTheDay == "calm" && byHand.theme == .light)
        }
        #expect(recorder.codes == [.unboundFlag, .unboundFlag, .unboundFlag])
        #expect(recorder.issues.first?.message.contains("SampleFlags.swift") == true)
        #expect(recorder.issues.first?.message.contains("Read it through a FlagsLoader") == true)
    }

    @Test("gives its default and reports that its loader is gone, even if another loader uses the slot")
    func loaderGone() {
        let recorder = IssueRecorder()
        let memory = MemoryProvider(values: ["max_attempts": 9, "secrets/mood_of_the_day": "a mood from a provider"])
        var user: FlagsLoader<UserExperiments>? = FlagsLoader(UserExperiments.self, providers: [memory])
        let copy = user?.flags
        #expect(copy?.maxAttempts == 9 && copy?.secrets.moodOfTheDay == "a mood from a provider")
        user = nil
        let next = FlagsLoader(UserExperiments.self, providers: [memory])
        #expect(next.maxAttempts == 9)
        FlagIssueReporter.withReporter(recorder.reporter) {
            #expect(copy?.maxAttempts == 3 && copy?.secrets.moodOfTheDay == "calm")
        }
        #expect(recorder.codes == [.loaderGone, .loaderGone])
        #expect(recorder.issues.first?.message.contains("Keep the FlagsLoader") == true)
    }

    @Test("is still read, written and given a default through a handle, which keeps the loader's data")
    func handle() throws {
        let memory = MemoryProvider(values: ["max_attempts": 9])
        var user: FlagsLoader<UserExperiments>? = FlagsLoader(UserExperiments.self, providers: [memory])
        let handle = try #require(user?.$maxAttempts)
        user = nil
        #expect(handle.value == 9)
        try handle.setValue(10)
        #expect(handle.value == 10 && handle.keyPath == "max_attempts")
        memory.setValue(nil, for: "max_attempts")
        handle.setDefault(8)
        #expect(handle.value == 8 && handle.defaultValue == 8)
        handle.resetDefault()
        #expect(handle.value == 3)
    }

    @Test("has a handle that reads and explains its default and throws on a write")
    func unboundHandle() {
        let memory = MemoryProvider()
        let gone = { FlagsLoader(UserExperiments.self, providers: [memory]).flags }()
        FlagIssueReporter.withReporter(.silent) {
            for handle in [UserExperiments().$maxAttempts, gone.$maxAttempts] {
                #expect(handle.value == 3 && handle.defaultValue == 3 && handle.keyPath == nil)
                #expect(handle.flagValue(from: MemoryProvider.self) == nil && handle.metadata == FlagMetadata())
                #expect(handle.resolution().value == 3 && handle.resolution().source == .default)
                #expect(handle.explain().value == 3)
                #expect(handle.explain().reason == "no loader bound the flag, or its loader is gone")
                #expect("\(handle)" == "a flag without a loader = 3 (default)")
                handle.setDefault(9)
                #expect(handle.value == 3)
                let error = #expect(throws: FlagError.self) { try handle.setValue(1) }
                #expect(error?.code == .unboundFlag && error?.key == nil)
                #expect(throws: FlagError.self) { try handle.resetValue() }
            }
        }
        #expect(memory.document?.root.isEmpty == true)
    }

    /// A text that counts the instances which exist.
    private struct CountedText: FlagValue {
        static let kept = Atomic<Int>(0)

        private final class Count: Sendable {
            init() { CountedText.kept.add(1, ordering: .relaxed) }
            deinit { CountedText.kept.subtract(1, ordering: .relaxed) }
        }

        let text: String
        private let count = Count()

        init(_ text: String) { self.text = text }
        init(encoded: EncodedFlagValue) throws(FlagValueError) { text = try String(encoded: encoded) }
        var encoded: EncodedFlagValue { .string(text) }
    }

    @Test("keeps its first sixteen values and the current one, which is released with the loader")
    func manyValues() async {
        // In a process of its own, because no value is kept while another test has a scope.
        await #expect(processExitsWith: .success) {
            struct Flags: FlagCollectionProtocol {
                @Flag(default: CountedText("")) var text: CountedText
            }
            let memory = MemoryProvider()
            var loader: FlagsLoader<Flags>? = FlagsLoader(Flags.self, providers: [memory])
            let before = CountedText.kept.load(ordering: .relaxed)
            for round in 0..<3 {
                for number in 0..<32 {
                    memory.setValue(.string("text \(number)"), for: "text")
                    #expect(loader?.text.text == "text \(number)" && loader?.text.text == "text \(number)")
                }
                #expect(CountedText.kept.load(ordering: .relaxed) - before == 17, "round \(round)")
            }
            loader = nil
            #expect(CountedText.kept.load(ordering: .relaxed) - before == 16)
        }
    }

    @Test("releases its providers and closures with the last handle")
    func release() {
        final class Token: Sendable {}
        struct Flags: FlagCollectionProtocol {
            @TaskLocal static var token: Token?
            @Flag var number: Int

            init() {
                let token = Flags.token
                _number = Flag(default: 1, computedValue: { token == nil ? 1 : 2 }, description: "Keeps a token")
            }
        }
        weak var weakToken: Token?
        weak var weakProvider: MemoryProvider?
        do {
            let token = Token()
            let provider = MemoryProvider()
            weakToken = token
            weakProvider = provider
            let loader = Flags.$token.withValue(token) { FlagsLoader(Flags.self, providers: [provider]) }
            #expect(loader.number == 2)
        }
        #expect(weakToken == nil)
        #expect(weakProvider == nil)
    }

    @Test("keeps its default if it is one of the first 64 that are made in a loop")
    func loop() {
        func makeFlags<Value: FlagValue>(_ defaults: [Value]) -> [Flag<Value>] { defaults.map { Flag(default: $0) } }
        let numbers = makeFlags(Array(0..<70))
        let texts = makeFlags((0..<64).map { "text \($0)" })
        FlagIssueReporter.withReporter(.silent) {
            #expect(numbers.prefix(64).map(\.wrappedValue) == Array(0..<64))
            #expect(numbers.dropFirst(64).allSatisfy { $0.wrappedValue == 64 })
            #expect(texts.map(\.wrappedValue) == (0..<64).map { "text \($0)" })
        }
    }
}
