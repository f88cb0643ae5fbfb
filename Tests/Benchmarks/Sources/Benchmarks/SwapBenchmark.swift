import Foundation
import Synchronization
import Tackline
import TacklineRemoteJSON

/// Two threads read flags while documents of 10,000 flags are fetched, verified and swapped; beside it the same two threads
/// while the third only parses documents, which shows what the processors and the scheduler do to them by themselves.
///
/// Each read is timed on the wall. A read that takes more than 5 µs is looked at: the system counts how often it took the
/// processor from a thread, and how often the thread gave it up to wait for somebody, a lock for example.
struct SwapBenchmark {
    let effort: Effort
    private let documents = Documents()

    func report() async throws -> String {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        configuration.transport = StubTransport { [documents] _ in
            HTTPTransportResponse(json: documents.latest.withLock { $0 })
        }
        configuration.clock = ImpatientClock()
        configuration.maximumBodyBytes = 4 << 20
        configuration.verify = { body, _ in
            guard body.reduce(0 as UInt64, { $0 &* 31 &+ UInt64($1) }) != 0 else {
                throw CocoaError(.coderInvalidValue)
            }
            return body
        }
        guard let url = URL(string: "https://cdn.example.com/flags.json") else { throw CocoaError(.coderInvalidValue) }
        let provider = RemoteJSONProvider(url: url, configuration: configuration)
        let loader = FlagsLoader(SwappedFlags.self, providers: [provider])
        let texts = (0..<4).map(Self.text)
        documents.set(texts[3])
        try await provider.refresh()
        let count = effort == .quick ? 4 : 100

        let quiet = try await histogram(loader) {
            for round in 0..<count {
                _ = try FlagDocument(json: Data(texts[round % 4].utf8))
            }
        }
        let swapping = try await histogram(loader) {
            for round in 0..<count {
                documents.set(texts[round % 4])
                guard case .changed(let keys) = try await provider.refresh(), keys.count > 7_000 else {
                    throw CocoaError(.coderInvalidValue)
                }
            }
        }
        return """
            \(try parsing(Data(texts[1].utf8), rounds: effort == .quick ? 3 : 21))
            \(texts[0].utf8.count) bytes with 10,000 flags, \(count) times; a read includes the two looks at the clock
              \(ReadHistogram.heading)
              parsed only         \(quiet)
              fetched and swapped \(swapping)
            """
    }

    /// How long our reader and Foundation's take for the same document, in turns.
    private func parsing(_ data: Data, rounds: Int) throws -> String {
        let clock = ContinuousClock()
        var times = (ours: [Duration](), theirs: [Duration]())
        for _ in 0..<rounds {
            times.ours.append(try clock.measure { _ = try FlagDocument(json: data) })
            times.theirs.append(try clock.measure { _ = try JSONSerialization.jsonObject(with: data) })
        }
        let medians = (times.ours.sorted()[rounds / 2], times.theirs.sorted()[rounds / 2])
        return
            "parsing takes \(medians.0 / .milliseconds(1)) ms, by JSONSerialization \(medians.1 / .milliseconds(1)) ms"
    }

    /// A document of 10,000 flags; three in four differ from one edition to the next.
    static func text(_ edition: Int) -> String {
        let flags = (0..<10_000).map { index in
            switch index % 4 {
            case 0: #""group_\#(index % 100)/flag_\#(index)": \#((index / 100 + edition) % 2 == 0)"#
            case 1: #""group_\#(index % 100)/flag_\#(index)": \#(index * (edition + 1))"#
            case 2:
                #""group_\#(index % 100)/flag_\#(index)": "a text of a usual length, of edition \#(edition), such as people are shown: a title, or the address of a page, https://www.example.com/welcome""#
            default:
                #""group_\#(index % 100)/flag_\#(index)": {"enabled": true, "rollout": 12.5, "variants": ["control", "one page", "two pages"], "note": "kept since the spring, ask the payments team"}"#
            }
        }
        let own = #""yes": \#(edition % 2 == 0), "number": \#(edition), "text": "edition \#(edition)", "same": 7"#
        let filler = String(repeating: "x", count: 40_000)
        return #"{\#(own), "filler": "\#(filler)", \#(flags.joined(separator: ",\n"))}"#
    }

    private func histogram(
        _ loader: FlagsLoader<SwappedFlags>, while work: () async throws -> Void
    ) async throws -> ReadHistogram {
        let isDone = Atomic(false)
        let results = Mutex<[ReadHistogram]>([])
        for _ in 0..<2 {
            Thread.detachNewThread {
                let result = Self.read(loader, until: isDone)
                results.withLock { $0.append(result) }
            }
        }
        defer { isDone.store(true, ordering: .releasing) }
        try await work()
        isDone.store(true, ordering: .releasing)
        while results.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        return results.withLock { $0.dropFirst().reduce(into: $0[0]) { $0.add($1) } }
    }

    private static func read(_ loader: FlagsLoader<SwappedFlags>, until isDone: borrowing Atomic<Bool>) -> ReadHistogram
    {
        var histogram = ReadHistogram()
        var sum = 0
        while !isDone.load(ordering: .acquiring) {
            for _ in 0..<64 {
                histogram.time { sum &+= loader.yes ? 1 : 0 }
                histogram.time { sum &+= loader.number }
                histogram.time { sum &+= loader.same }
                histogram.time { sum &+= loader.text.utf8.count }
            }
        }
        histogram.sum = sum
        return histogram
    }

    /// A clock that passes the second between two refreshes at once, and every longer time as it is.
    private final class ImpatientClock: _Concurrency.Clock {
        struct Instant: InstantProtocol {
            var offset = Duration.zero
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        private let instant = Mutex(Instant())
        var now: Instant { instant.withLock { $0 } }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            guard now.duration(to: deadline) > .seconds(2) else { return instant.withLock { $0 = max($0, deadline) } }
            try await Task.sleep(for: now.duration(to: deadline))
        }
    }

    /// The latest document of the server.
    private final class Documents: Sendable {
        let latest = Mutex("")

        func set(_ text: String) { latest.withLock { $0 = text } }
    }
}

struct SwappedFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Changes with each edition") var yes: Bool
    @Flag(default: 0, description: "Changes with each edition") var number: Int
    @Flag(default: 0, description: "Stays") var same: Int
    @Flag(default: "", description: "Changes with each edition") var text: String
}
