import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("Code of the app that the core calls", .hangLimit)
struct ReentrancyTests {
    @Test("may be a reporter that reads the reported flag, which is reported once")
    func reporterReadsUnboundFlag() {
        let flags = Numbers()
        let reports = Counter()
        let reporter = FlagIssueReporter { _ in
            // The limit keeps a failing test from ending the process.
            if reports.next() < 100 { _ = flags.number }
        }
        let value = FlagIssueReporter.withReporter(reporter) { flags.number }
        #expect(value == 0 && reports.count == 1)
    }

    @Test("may be a reporter that reports to itself, at most four times")
    func reporterReports() {
        let reports = Counter()
        let reporter = FlagIssueReporter { issue in
            if reports.next() < 100 { FlagIssueReporter.current.report(issue) }
        }
        FlagIssueReporter.withReporter(reporter) {
            FlagIssueReporter.current.report(FlagError(.unknownFlag, "A test."))
        }
        #expect(reports.count == 4)
    }

    @Test("may encode a default and create a loader meanwhile, because no lock is held")
    func encodingMakesLoader() {
        let flags = (0..<2).map { _ in FlagsLoader(Busy.self, providers: [], issueReporter: .silent) }
        #expect(flags.map(\.worker.text) == Array(repeating: Worker().text, count: 2))
        #expect(Busy().worker.text == Worker().text)
    }

    @Test("may be a reporter that reads a flag of the reported cycle")
    func reporterReadsCycle() {
        let reports = Counter()
        let cycle = Kept<FlagsLoader<Cycle>>()
        let reporter = FlagIssueReporter { _ in
            if reports.next() < 100 { _ = cycle.value?.first }
        }
        let loader = FlagsLoader(Cycle.self, providers: [], issueReporter: reporter)
        cycle.value = loader
        #expect(loader.first == 1)
        #expect(reports.count < 100)
        cycle.value = nil
    }

    @Test("may encode a default and create flags meanwhile, which are no part of the construction that compares it")
    func encodingMakesFlags() {
        for _ in 0..<2 {
            let loader = FlagsLoader(Beside.self, providers: [MemoryProvider(values: ["text": "set"])])
            #expect(loader.maker.text == Maker().text && loader.text == "set" && loader.number == 3)
            #expect(loader.root.allFlags.map(\.property) == ["maker", "text", "number"])
        }
    }

    @Test("may read a flag while its value is decoded, which then passes over the provider and is reported")
    func decodingReadsFlag() {
        let recorder = IssueRecorder()
        let memory = MemoryProvider(values: ["number": 1])
        let loader = FlagsLoader(OwnReaders.self, providers: [memory], issueReporter: recorder.reporter)
        OwnReader.loader.value = loader
        #expect(loader.number.number == 6)
        #expect(loader.number.number == 6)
        #expect(recorder.codes.contains(.cycle))
        OwnReader.loader.value = nil
    }

    @Test("may read a flag while its value is encoded")
    func encodingReadsFlag() {
        let loader = FlagsLoader(Selves.self, providers: [])
        Itself.loader.value = loader
        #expect(loader.live.text == Itself().text && loader.pinned.text == Itself().text)
        #expect(loader.snapshot()["live"] == .string(Itself().text))
        #expect(loader.snapshot()["pinned"] == .string(Itself().text))
        Itself.loader.value = nil
    }

    @Test("may be an executor that runs a consumer at once, which writes to the store that resumed it")
    func executorRunsConsumer() async {
        let memory = MemoryProvider()
        let loader = FlagsLoader(Numbers.self, providers: [memory])
        let (seen, continuation) = AsyncStream.makeStream(of: Int.self)
        var values = seen.makeAsyncIterator()
        let consumer = Task(executorPreference: ImmediateExecutor()) { @concurrent in
            for await value in loader.$number.values {
                continuation.yield(value)
                if value == 1 { memory.setValue(2, for: "number") }
                if value == 2 { break }
            }
        }
        #expect(await values.next() == 0)
        memory.setValue(1, for: "number")
        await consumer.value
        #expect(memory.value(for: "number") == 2)
    }

    @Test("may deallocate a flag's value with the loader and read flags meanwhile")
    func valueEndsWithLoader() async {
        // In a process of its own, because while another test has a scope open, slots keep no values.
        await #expect(processExitsWith: .success) {
            let ends = Counter()
            ReentrancyTests.endLoader(counting: ends)
            #expect(ends.count > 0)
        }
    }

    private static func endLoader(counting ends: Counter) {
        let provider = MemoryProvider()
        var loader: FlagsLoader<Tokens>? = FlagsLoader(Tokens.self, providers: [provider])
        let flags = loader?.flags
        // More values than a slot keeps, so that the last one is stored under the lock.
        for number in 1...40 {
            provider.setValue(["number": .integer(Int128(number))], for: "token")
            #expect(loader?.token.number == number)
        }
        Token.atEnd.value = {
            _ = ends.next()
            _ = flags?.token
        }
        FlagIssueReporter.withReporter(.silent) { loader = nil }
        Token.atEnd.value = nil
        #expect(loader == nil)
    }

    @Test("may deallocate a changed default and read flags meanwhile")
    func defaultEnds() async {
        // In a process of its own, because the values of another test in this file call the same closure.
        await #expect(processExitsWith: .success) {
            let ends = Counter()
            let loader = FlagsLoader(Tokens.self, providers: [])
            Token.atEnd.value = {
                if ends.next() < 100 { _ = loader.token }
            }
            loader.$token.setDefault(Token(number: 1))
            loader.$token.setDefault(Token(number: 2))
            #expect(loader.token.number == 2)
            loader.$token.resetDefault()
            #expect(loader.token.number == 0 && ends.count > 0)
            Token.atEnd.value = nil
        }
    }

    @Test("may read the computed flag that started its task, after that has returned")
    func taskOfComputedFlag() async {
        let recorder = IssueRecorder()
        let loader = FlagsLoader(Starting.self, providers: [], issueReporter: recorder.reporter)
        Starting.loader.value = loader
        #expect(loader.number == 5)
        let task = Starting.task.value
        Starting.gate.continuation.finish()
        #expect(await task?.value == 5)
        #expect(recorder.issues.isEmpty)
        Starting.loader.value = nil
        Starting.task.value = nil
    }
}

private final class Kept<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    var value: Value? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}

private struct Numbers: FlagCollectionProtocol {
    @Flag(default: 0) var number: Int
}

private struct Cycle: FlagCollectionProtocol {
    @Flag(default: 1, computed: { (flags: Cycle) in flags.second }) var first: Int
    @Flag(default: 2, computed: { (flags: Cycle) in flags.first }) var second: Int
}

private final class Token: FlagValue, Codable {
    let number: Int
    static let atEnd = Kept<@Sendable () -> Void>()

    init(number: Int) { self.number = number }

    private enum CodingKeys: CodingKey {
        case number
    }

    deinit { Token.atEnd.value?() }
}

private struct Tokens: FlagCollectionProtocol {
    @Flag(default: Token(number: 0)) var token: Token
}

private struct Maker: FlagValue {
    let text = "a text that takes more than fifteen bytes"
    /// Differs in every value, so that the encoded forms are compared.
    let id = Counter()

    init() {}

    init(encoded: EncodedFlagValue) throws(FlagValueError) {}

    var encoded: EncodedFlagValue {
        _ = Numbers()
        return .string(text)
    }
}

private struct Beside: FlagCollectionProtocol {
    @Flag(default: Maker()) var maker: Maker
    @Flag(default: "a") var text: String
    @Flag(default: 3) var number: Int
}

private struct OwnReader: FlagValue {
    static let loader = Kept<FlagsLoader<OwnReaders>>()
    let number: Int

    init(_ number: Int) { self.number = number }

    init(encoded: EncodedFlagValue) throws(FlagValueError) {
        number = try Int(encoded: encoded) + (OwnReader.loader.value?.number.number ?? 0)
    }

    var encoded: EncodedFlagValue { .integer(Int128(number)) }
}

private struct OwnReaders: FlagCollectionProtocol {
    @Flag(default: OwnReader(5)) var number: OwnReader
}

private struct Itself: FlagValue {
    static let loader = Kept<FlagsLoader<Selves>>()
    let text = "a text that takes more than fifteen bytes"

    init() {}

    init(encoded: EncodedFlagValue) throws(FlagValueError) {}

    var encoded: EncodedFlagValue {
        let loader = Itself.loader.value
        _ = (loader?.live, loader?.pinned)
        return .string(text)
    }
}

private struct Selves: FlagCollectionProtocol {
    @Flag(default: Itself()) var live: Itself
    @Flag(default: Itself(), updatePolicy: .session) var pinned: Itself
}

/// An executor that runs a job on the thread that enqueues it.
private final class ImmediateExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

private struct Starting: FlagCollectionProtocol {
    static let loader = Kept<FlagsLoader<Starting>>()
    static let task = Kept<Task<Int?, Never>>()
    static let gate = AsyncStream.makeStream(of: Void.self)

    @Flag(
        default: 0,
        computedValue: {
            if Starting.task.value == nil {
                Starting.task.value = Task {
                    for await _ in Starting.gate.stream {}
                    return Starting.loader.value?.number
                }
            }
            return 5
        })
    var number: Int
}

private struct Busy: FlagCollectionProtocol {
    @Flag(default: Worker(), description: "Creates a loader while it is encoded")
    var worker: Worker
}

private struct Worker: Codable, FlagValue, Equatable {
    var text = "a text that takes more than fifteen bytes"

    enum CodingKeys: CodingKey { case text }

    func encode(to encoder: any Encoder) throws {
        let numbers = FlagsLoader(Numbers.self, providers: [], issueReporter: .silent)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(numbers.number == 0 ? text : "", forKey: .text)
    }
}
