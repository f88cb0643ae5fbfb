import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("Code that is called back and reads flags", .hangLimit)
struct ReentrancyTests {
    @Test("comes to an end where a reporter reads the very flag that it hears of")
    func reporterReadsUnboundFlag() {
        let flags = Numbers()
        let reports = Counter()
        let reporter = FlagIssueReporter { _ in
            // The bound only keeps a failing test from ending the process.
            if reports.next() < 100 { _ = flags.number }
        }
        let value = FlagIssueReporter.withReporter(reporter) { flags.number }
        #expect(value == 0 && reports.count == 4)
    }

    @Test("is under no lock while a default is encoded, so that it may make a loader of its own")
    func encodingMakesLoader() {
        let flags = (0..<2).map { _ in FlagsLoader(Busy.self, providers: [], issueReporter: .silent) }
        #expect(flags.map(\.worker.text) == Array(repeating: Worker().text, count: 2))
        #expect(Busy().worker.text == Worker().text)
    }

    @Test("comes to an end where a reporter reads a flag of the circle that it hears of")
    func reporterReadsCircle() {
        let reports = Counter()
        let circle = Kept<FlagsLoader<Circle>>()
        let reporter = FlagIssueReporter { _ in
            if reports.next() < 100 { _ = circle.value?.first }
        }
        let loader = FlagsLoader(Circle.self, providers: [], issueReporter: reporter)
        circle.value = loader
        #expect(loader.first == 1)
        #expect(reports.count < 100)
        circle.value = nil
    }

    @Test("holds no lock while an object that a flag's value owned ends with the loader")
    func valueEndsWithLoader() async {
        // In a process of its own: a test beside this one that opens a scope would keep values from being kept.
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
        // More values than there are nodes, so that the last one is kept under the lock.
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

    @Test("is in no circle with the computed flag that started its task and is done")
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

private struct Circle: FlagCollectionProtocol {
    @Flag(default: 1, computed: { (flags: Circle) in flags.second }) var first: Int
    @Flag(default: 2, computed: { (flags: Circle) in flags.first }) var second: Int
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
    @Flag(default: Worker(), description: "Does more than it should where it is encoded")
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
