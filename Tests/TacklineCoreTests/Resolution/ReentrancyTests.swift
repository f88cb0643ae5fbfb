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

    @Test("may be a reporter that explains the flag whose value is refused, which is no cycle")
    func reporterExplains() {
        let (loader, text) = (Kept<FlagsLoader<Numbers>>(), Kept<String>())
        let reporter = FlagIssueReporter { _ in text.value = loader.value?.$number.explain().description }
        loader.value = .init(Numbers.self, providers: [MemoryProvider(values: ["number": ""])], issueReporter: reporter)
        #expect(loader.value?.number == 0 && text.value?.contains("refused: expected an integer") == true)
        loader.value = nil
    }

    @Test("may read a flag while its value is decoded, which then passes over the provider and is reported")
    func decodingReadsFlag() {
        let recorder = IssueRecorder()
        let memory = MemoryProvider(values: ["number": 1])
        let loader = FlagsLoader(OwnReaders.self, providers: [memory], issueReporter: recorder.reporter)
        OwnReader.loader.value = loader
        for _ in 0..<2 { #expect(loader.number.number == 6) }
        #expect(recorder.codes.contains(.cycle))
        OwnReader.loader.value = nil
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

/// An executor that runs a job on the thread that enqueues it.
private final class ImmediateExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}
