import Foundation
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import TacklineUsage
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: false, description: "A switch that nothing reads") var idle: Bool
    @Flag(default: "", updatePolicy: .session, description: "A pinned text") var pinned: String
    @Flag(default: "", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
}

/// A calendar that a test turns.
private final class Calendar: Sendable {
    private let days = Mutex(0.0)
    /// The beginning of the day, on which it is 1:18 o'clock.
    var today: Date { days.withLock { Date(timeIntervalSince1970: (20_000 + $0) * 86_400) } }
    var now: @Sendable () -> Date { { self.today + 4711 } }
    func advance(by number: Int) { days.withLock { $0 += Double(number) } }
}

/// Keeps the keys of the values that it is passed.
private struct KeyList: FlagResolutionObserver {
    let keys = Lines()
    func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) { keys.append("\(flag.key)") }
}

@Suite("A record of the usage of flags", .hangLimit) struct FlagUsageTests {
    private let folder: TemporaryFolder
    private let calendar = Calendar()
    private let issues = IssueRecorder()

    init() throws { folder = try TemporaryFolder() }

    private var file: URL { folder.file("usage.json") }

    private func usage(_ clock: ManualClock = ManualClock(), maximumFlags: Int = 2000) -> FlagUsage {
        FlagUsage.$lockTimeLimit.withValue(.seconds(3600)) {
            FlagUsage(
                file: file, maximumFlags: maximumFlags, clock: clock, now: calendar.now, issueReporter: issues.reporter)
        }
    }

    private func record() throws -> FlagUsage.Record { try FlagUsage.Record(json: Data(contentsOf: file)) }

    private func read(_ usage: FlagUsage, _ key: String, _ value: EncodedFlagValue) {
        usage.flagWasResolved(FlagResolution(key: FlagKeyPath(key), value: value, source: .default))
    }

    @Test("notices once in an interval that a flag is still read, without ending pins, and what nothing reads")
    func weeks() async throws {
        let clock = ManualClock()
        let other = KeyList()
        let memory = MemoryProvider(values: ["number": 1, "pinned": "a", "token": "s3cret"])
        let usage = usage(clock)
        let flags = ResolutionObservers.$clock.withValue(clock) {
            FlagsLoader(Flags.self, providers: [memory], observers: [other, usage])
        }
        for _ in 0..<100 { #expect(flags.number == 1 && flags.pinned == "a" && flags.token == "s3cret") }
        memory.setValue("b", for: "pinned")
        for pause in [60, 3540, 60, 3540] {
            // The loader and the file have an interval each, which starts over when it is over.
            try await clock.waitForSleepers(count: 2)
            clock.advance(by: .seconds(pause))
            try await clock.waitForSleepers(count: 2)
            if pause == 60 { calendar.advance(by: 10) }
            for _ in 0..<100 { #expect(flags.number == 1 && flags.pinned == "a") }
        }
        let (start, end) = (calendar.today - 20 * 86_400, calendar.today - 10 * 86_400)
        let written = try record()
        #expect(written.lastDay == end && written.firstDay == start)
        let number = try #require(written.flags["number"])
        #expect(number.firstRead == start && number.lastRead == end && number.values == ["1": end])
        #expect(written.flags["pinned"]?.values.keys.first == #""a""#)
        #expect(written.flags["idle"] == nil)
        #expect(written.flags["token"]?.isSecret == true && written.flags["token"]?.lastRead == start)
        #expect(try !folder.text("usage.json").contains("s3cret"))
        // What is not written yet is in the record, and other observers were passed nothing again.
        #expect(try usage.record().flags["number"]?.lastRead == calendar.today)
        #expect(other.keys.all == ["number", "pinned", "token"] && issues.codes.isEmpty)
    }

    @Test("has the last eight values, also of one day and over several writes")
    func lastValues() throws {
        let usage = usage()
        for number in 1...20 {
            read(usage, "number", .integer(Int128(number)))
            if number.isMultiple(of: 6) { try usage.save() }
        }
        read(usage, "number", 15)
        #expect(try usage.record().flags["number"]?.values.keys.sorted() == (13...20).map { "\($0)" })
        read(usage, "number", 1)
        #expect(
            try usage.record().flags["number"]?.values.keys.sorted() == ["1", "14", "15", "16", "17", "18", "19", "20"])
        try usage.save()
        #expect(try record().flags["number"]?.hasMoreValues == true)
    }

    @Test("keeps nothing of a loader that has gone, as where each request makes one")
    func loaders() async throws {
        let clock = ManualClock()
        let usage = usage(clock)
        try await clock.waitForSleepers(count: 1)
        weak var last: LoaderCore?
        for _ in 0..<50 {
            let flags = ResolutionObservers.$clock.withValue(clock) {
                FlagsLoader(Flags.self, providers: [], observers: [usage])
            }
            #expect(flags.number == 0)
            last = flags.core
        }
        try await clock.waitForSleepers { $0.count == 1 }
        while last != nil { await Task.yield() }
        #expect(try usage.record().flags["number"]?.values.count == 1)
    }

    @Test("is the same in whichever order, and however often, records of devices are merged")
    func merging() throws {
        var random = SeededGenerator(seed: 41)
        for round in 0..<15 {
            var records: [FlagUsage.Record] = []
            for _ in 0..<3 {
                try? FileManager.default.removeItem(at: file)
                let calendar = Calendar()
                let usage = FlagUsage(file: file, now: calendar.now)
                for _ in 0..<40 {
                    calendar.advance(by: Int.random(in: 0...2, using: &random))
                    let key = Int.random(in: 0..<4, using: &random)
                    let value = Int128.random(in: 0...11, using: &random)
                    read(usage, "k\(key)", .integer(value))
                    if Int.random(in: 0..<5, using: &random) == 0 { try usage.save() }
                }
                let record = try usage.record()
                #expect(try FlagUsage.Record(json: record.json()) == record)
                #expect(record.flags.values.allSatisfy { $0.values.count <= 8 })
                records.append(record)
            }
            var merged = records[0]
            for record in [records[1], records[2], records[1], merged] { merged.merge(record) }
            var other = records[2]
            var inner = records[1]
            inner.merge(records[0])
            other.merge(inner)
            #expect(merged == other, "\(round)")
            let last = records.compactMap { $0.flags["k0"]?.lastRead }.max()
            #expect(merged.flags["k0"]?.lastRead == last)
        }
    }

    @Test("has a bounded size, whatever is read, and is a file that it reads again")
    func bounds() throws {
        let usage = usage(maximumFlags: 100)
        for number in 0..<300 {
            read(usage, "k\(number)", .string(String(repeating: "ü\u{1}\"", count: 500)))
            if number % 50 == 0 { try usage.save() }
        }
        read(usage, String(repeating: "k", count: 300), 1)
        try usage.save()
        calendar.advance(by: 1)
        // Longer values that begin the same differ.
        for end in ["a", "b"] { read(usage, "k9", .string(String(repeating: "x", count: 200) + end)) }
        #expect(try usage.record().flags["k9"]?.values.count == 2)
        let odd: [EncodedFlagValue] = [.double(.infinity), .double(.nan), .data(Data([1])), .null, [1, [2]]]
        for value in odd + (0..<300).map({ .integer($0) }) { read(usage, "k7", value) }
        read(usage, "k8", .null)
        try usage.save()
        let size = try folder.bytes("usage.json").count
        #expect(size < 100 * 3000)
        let record = try record()
        #expect(record.flags.count == 100 && record.hasMoreFlags && record.flags["k7"]?.hasMoreValues == true)
        #expect(record.flags["k7"]?.values.keys.sorted() == (292...299).map { "\($0)" })
        #expect(record.flags["k1"]?.values.keys.first.map { $0.contains("… (") && $0.utf8.count < 200 } == true)
        for date in [
            Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .nan), Date(timeIntervalSince1970: -1e300),
        ] {
            let usage = FlagUsage(file: folder.file("other.json"), now: { date })
            read(usage, "k", 1)
            #expect(try FlagUsage.Record(json: usage.record().json()) == usage.record(), "\(date)")
        }
    }

    @Test(
        "keeps a damaged file aside and reports it, and leaves one alone that a newer version wrote or that is no file")
    func damaged() throws {
        var random = SeededGenerator(seed: 42)
        let usage = usage()
        read(usage, "number", 1)
        try usage.save()
        let good = try folder.bytes("usage.json")
        for round in 0..<96 {
            var bytes = good
            switch round % 4 {
            case 0: bytes = Array(good.prefix(Int.random(in: 0..<good.count - 2, using: &random)))
            case 1: bytes[Int.random(in: 0..<good.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
            default:
                let hostile = [
                    #"{"tacklineUsage":1,"hasMoreFlags":false,"flags":{"a":{"firstRead":"2026-99-99"}}}"#,
                    #"{"tacklineUsage":1,"flags":[]}"#, #"{"tacklineUsage":1e400,"flags":{}}"#, "[]", "null",
                    #"{"tacklineUsage":0,"flags":{},"hasMoreFlags":false}"#, String(repeating: "[", count: 100_000),
                ]
                bytes = Array(hostile[round / 4 % hostile.count].utf8)
            }
            try Data(bytes).write(to: file)
            let isGood = (try? FlagUsage.Record(json: Data(bytes))) != nil
            let before = issues.codes.count
            read(usage, "number", .integer(Int128(round)))
            try usage.save()
            #expect(try record().flags["number"]?.values["\(round)"] != nil)
            #expect(issues.codes.count == before + (isGood ? 0 : 1))
        }
        #expect(Set(issues.codes) == [FlagError.Code("usage-damaged")])
        #expect(try folder.names().count == issues.codes.count + 1)
        _ = try folder.file("usage.json", #"{"tacklineUsage": 2, "flags": {}}"#)
        for isFolder in [false, true] {
            read(usage, "number", 5)
            #expect(throws: FlagError.self) { try usage.save() }
            #expect(throws: FlagError.self) { try usage.record() }
            if isFolder { continue }
            #expect(try folder.text("usage.json").contains(#": 2, "flags""#))
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        }
        try FileManager.default.removeItem(at: file)
        try usage.save()
        #expect(
            try record().flags["number"]?.values.keys.first == "5", "what could not be written is written later")
    }

    @Test(
        "of several threads and processes, which write and exit as they like, on a disk that fails too, loses nothing")
    func processes() async throws {
        let usage = usage()
        let threads = (0..<4).map { thread in
            startThread {
                for number in 0..<200 {
                    self.read(usage, "t\(thread)", .integer(Int128(number % 3)))
                    if number % 50 == 0 { try usage.save() }
                }
            }
        }
        for thread in threads { try await thread.value }
        try usage.save()
        #expect(try (0..<4).allSatisfy { try record().flags["t\($0)"]?.values.count == 3 })
        guard let probe = ChildProcess.program("UsageProbe") else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...6 {
                let file = file
                group.addTask {
                    let child = try ChildProcess(probe, [file.path, "\(number)"])
                    #expect(try await child.ending().lines == ["done"])
                }
            }
            try await group.waitForAll()
        }
        let values = try record().flags["number"]?.values.keys.sorted()
        #expect(values == (0...6).map { "\($0)" } && issues.codes.isEmpty)
        // Whichever call of the system fails, the file is the old or the new one.
        for step in 1...24 {
            let child = try ChildProcess(probe, [file.path, "3"], environment: ["FAIL_AT_STEP": "\(step)"])
            let ending = try await child.ending()
            let isWhole = ["done", "issue usage-unwritten"].contains(ending.lines.last)
            // Dispatch traps if the call that fails is one of its own.
            #expect(isWhole || ending.isSignal, "\(step): \(ending)")
            #expect(try record().flags["number"]?.values["0"] != nil, "\(step)")
        }
        #expect(try folder.names() == ["usage.json"])
    }
}
