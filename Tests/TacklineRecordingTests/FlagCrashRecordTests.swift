import Foundation
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineRecording
import TacklineTestSupport
import TacklineTesting
import Testing

private let probe = ChildProcess.program("RecordProbe")

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: "", description: "A text") var text: String
    @Flag(default: "", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
}

@Suite("A record of the flags at a crash", .hangLimit) struct FlagCrashRecordTests {
    private let folder: TemporaryFolder
    private let issues = IssueRecorder()
    private let changes = Lines()

    init() throws { folder = try TemporaryFolder() }

    private var file: URL { folder.file("flags.crash") }

    private func begin(maximumFlags: Int = 256) -> FlagCrashRecord {
        let changes = changes
        return FlagCrashRecord(
            file: file, maximumFlags: maximumFlags, issueReporter: issues.reporter,
            onChange: { changes.append("\($0.number) \($0)") },
            now: { Date(timeIntervalSince1970: 1_795_248_552.25) })
    }

    private func resolve(_ record: FlagCrashRecord, _ key: String, _ value: EncodedFlagValue) {
        record.flagWasResolved(ResolvedFlag(key: FlagKeyPath(key), value: value, source: .provider("memory")))
    }

    private func start(_ arguments: String..., failingAt step: Int? = nil) throws -> ChildProcess {
        try ChildProcess(
            #require(probe), arguments, environment: step.map { ["FAIL_AT_STEP": "\($0)"] } ?? [:])
    }

    @Test("shows the values and the changes of the launch before, also those since the launch before it")
    func last() throws {
        let memory = MemoryProvider(name: "memory", values: ["number": 1, "token": "s3cret"])
        do {
            let record = begin()
            #expect(record.last == nil)
            let flags = FlagsLoader(Flags.self, providers: [memory], observers: [record])
            for _ in 0..<3 { #expect(flags.number == 1 && flags.text == "" && flags.token == "s3cret") }
            memory.setValue(2, for: "number")
            #expect(flags.number == 2)
        }
        #expect(
            changes.all == [
                #"0 number: 1 (provider "memory")"#, #"0 text: "" (default)"#,
                #"1 number: 1 → 2 (provider "memory")"#,
            ])
        memory.setValue(3, for: "number")
        let second = begin()
        let flags = FlagsLoader(Flags.self, providers: [memory], observers: [second])
        #expect(flags.number == 3 && flags.text == "")
        #expect(changes.all.suffix(2) == [#"1 number: 2 → 3 (provider "memory")"#, #"0 text: "" (default)"#])
        let text = """
            Flags of the launch of 2026-11-21T08:09:12.25Z:
              number = 2 (provider "memory")
              text = "" (default)
            Changes, the last one at the end:
              2026-11-21T08:09:12.25Z number: 1 → 2 (provider "memory")
            """
        #expect(second.last?.description == text)
        #expect(second.last?.document == FlagDocument(["number": 2, "text": ""]))
        #expect(second.last?.process == Int(getpid()))
        #expect(try FlagCrashReport(contentsOf: file).changes.map(\.from?.value) == [2])
        #expect(try !folder.text("flags.crash").contains("s3cret") && issues.codes.isEmpty)
    }

    @Test(
        "is never torn, and loses nothing but what was under way, when its process is killed at 60 moments",
        .enabled(if: probe != nil, "RecordProbe was not found beside the tests"))
    func kills() async throws {
        var counts: [Int] = []
        var mistakes: [String] = []
        for round in 0..<60 {
            // From no change to more than there is room for, each with another time from 0 to 1000 microseconds,
            // since 37 and 60 have no common divisor.
            let changes = round * 140 / 59
            let time = round * 37 % 60 * 1000 / 59
            let ending = try await start("crash", file.path, "\(changes)", "\(time)").ending()
            #expect(ending.isSignal && ending.status == SIGKILL && ending.lines.isEmpty)
            // The process may have been killed before it began.
            guard let report = try? FlagCrashReport(contentsOf: file) else { continue }
            let numbers = report.changes.map(\.number)
            let last = numbers.last ?? 0
            counts.append(last)
            if last < changes || numbers != Array((max(0, last - 64)..<last).map { $0 + 1 }) {
                mistakes.append("\(changes): \(numbers)")
            }
            mistakes += self.mistakes(in: report)
        }
        #expect(mistakes == [])
        #expect(counts.count > 56 && counts.contains { $0 > 64 } && Set(counts).count > 30, "\(counts)")
        #expect(try folder.names() == ["flags.crash"])
    }

    /// Returns what contradicts itself in the report of a process that was killed.
    private func mistakes(in report: FlagCrashReport) -> [String] {
        var mistakes: [String] = []
        var latest: [String: RecordedFlagValue] = [:]
        for change in report.changes {
            let isNumber = change.key == "number"
            // What a launch before had is the value before the first one.
            if let before = latest[change.key], change.from != before { mistakes.append("\(change), after \(before)") }
            latest[change.key] = change.to
            guard case .string(let text)? = change.to.value else {
                if !isNumber || change.to.value == nil { mistakes.append("\(change)") }
                continue
            }
            if isNumber || Set(text.split(separator: " ")).count > 1 { mistakes.append("\(change)") }
        }
        for (key, value) in latest where report.values[key]?.value != value {
            mistakes.append("\(key) is not \(value)")
        }
        if report.values["token"] != nil { mistakes.append("there is a token") }
        return mistakes
    }

    @Test("reads whatever is in its file without a trap, leaves out what is not whole, and begins anew")
    func hostile() throws {
        do {
            let record = begin(maximumFlags: 4)
            for number in 0..<100 { resolve(record, "k\(number % 4)", .integer(Int128(number))) }
        }
        let good = try FlagCrashReport(contentsOf: file)
        #expect(good.changes.count == 64 && good.changes.last?.number == 96 && good.values.count == 4)
        let bytes = try folder.bytes("flags.crash")
        var random = SeededGenerator(seed: 43)
        for round in 0..<120 {
            var broken = bytes
            switch round % 4 {
            case 0:
                broken[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: broken = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
            case 2: for index in 1024..<bytes.count { broken[index] = UInt8.random(in: 0...255, using: &random) }
            default:
                // A slot in another one's place.
                let (from, to) = (Int.random(in: 0..<75, using: &random), Int.random(in: 0..<75, using: &random))
                for index in 0..<512 where to * 512 + index < bytes.count && from * 512 + index < bytes.count {
                    broken[to * 512 + index] = bytes[from * 512 + index]
                }
            }
            try Data(broken).write(to: file)
            if let report = try? FlagCrashReport(contentsOf: file) {
                // One more than 64 is kept, which shows if another one is broken.
                #expect(report.changes.allSatisfy { $0.to.value == .integer(Int128($0.number + 3)) })
                #expect(round % 4 != 0 || report.changes.count >= 63)
                // The value before, if the last one is not whole.
                for (key, value) in report.values {
                    #expect(
                        value == good.values[key]
                            || good.changes.contains {
                                $0.key == key && ($0.to == value.value || $0.from == value.value)
                            })
                }
            }
            if round % 20 < 4 {
                let isWhole = broken.isEmpty || (try? FlagCrashReport(contentsOf: file)) != nil
                let count = issues.codes.count
                let record = begin(maximumFlags: 1 + round % 7)
                resolve(record, "a", 1)
                #expect(try FlagCrashReport(contentsOf: file).values.keys.sorted() == ["a"])
                #expect(issues.codes.count == count + (isWhole ? 0 : 1))
                #expect((record.last == nil) == (!isWhole || broken.isEmpty))
            }
        }
        // What is no record may be somebody's file.
        for size in [100, 5 << 20] {
            try Data(repeating: 7, count: size).write(to: file)
            #expect(begin().last == nil)
        }
        let aside = try folder.names().filter { $0.contains("unreadable") }
        #expect(Set(issues.codes) == [FlagIssue.Code("crash-record-damaged")] && aside.count == issues.codes.count)
        #expect(try aside.contains { try folder.bytes($0) == Array(repeating: 7, count: 5 << 20) })
        let damaged = issues.codes.count
        // Not a file, or a link to another one.
        for number in 0..<3 {
            try? FileManager.default.removeItem(at: file)
            switch number {
            case 0: #expect(mkfifo(file.path, 0o600) == 0)
            case 1: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            default: try FileManager.default.createSymbolicLink(at: file, withDestinationURL: folder.file("other", ""))
            }
            resolve(begin(), "a", 1)
            #expect(issues.codes.count == damaged + number + 1)
            #expect(throws: FlagRecordError.self) { try FlagCrashReport(contentsOf: file) }
        }
        #expect(try folder.bytes("other").isEmpty && issues.codes.last == FlagIssue.Code("crash-record-unwritten"))
        #expect(changes.all.last == #"0 a: 1 (provider "memory")"#, "breadcrumbs come without a file, too")
    }

    @Test(
        "has a fixed size: it shortens what is long, says that there were more flags, and has the values of few tasks")
    func bounds() async throws {
        let record = begin(maximumFlags: 3)
        let long = EncodedFlagValue.string(String(repeating: "\u{1}ü\"", count: 1000))
        let key = String(repeating: "\u{1}k", count: 200)
        for value in [1, long, .double(.infinity), [long]] as [EncodedFlagValue] { resolve(record, key, value) }
        record.flagWasResolved(
            ResolvedFlag(key: "b", value: nil, source: .provider(String(repeating: "\u{7}", count: 300))))
        for number in 0..<200 { resolve(record, "c\(number)", true) }
        for number in 0..<200 { resolve(record, "c\(number)", false) }
        let report = try FlagCrashReport(contentsOf: file)
        #expect(report.hasMoreFlags && report.values.count >= 3 && report.changes.count == 64)
        #expect(report.values.filter { $0.key.hasPrefix("\u{1}k") }.values.map(\.value.isShortened) == [true])
        #expect(report.values["b"]?.value.isShortened == true && report.description.contains("there was no room"))
        #expect(try folder.bytes("flags.crash").count <= 512 * (2 + 6 + 65))
        // Many threads at once.
        await onThreads(
            (0..<4).map { thread in
                { for number in 0..<500 { self.resolve(record, "t\(thread)", .integer(Int128(number))) } }
            })
        #expect(try FlagCrashReport(contentsOf: file).changes.map(\.number).last == 3 + 200 + 4 * 499)
        let flags = FlagsLoader(Flags.self, providers: [TaskProvider()], observers: [record])
        for number in 0..<1000 { TaskProvider.$number.withValue(number % 20) { _ = flags.number } }
        #expect(changes.all.count { $0.contains(" number: ") } == 8)
    }

    @Test(
        "of two processes is one for each, and a disk that is full or read-only is reported once and does no harm",
        .enabled(if: probe != nil, "RecordProbe was not found beside the tests"))
    func processes() async throws {
        let first = try start("wait", file.path, "5")
        #expect(try await first.nextLine() == "waiting")
        let second = try start("wait", file.path, "7")
        #expect(try await second.nextLine() == "waiting")
        first.kill()
        second.interrupt()
        #expect(try await first.ending().isSignal)
        #expect(try await second.ending().lines == ["done"])
        for (name, count) in [("flags.crash", 5), ("flags.crash-2", 7)] {
            #expect(
                try FlagCrashReport(contentsOf: folder.file(name)).values["number"]?.value.value
                    == .integer(Int128(count)))
        }
        for step in 1...30 {
            let lines = try start("wait", file.path, "10", failingAt: step)
            var line = try await lines.nextLine()
            if line == "issue crash-record-unwritten" { line = try await lines.nextLine() }
            #expect(line == "waiting", "\(step)")
            lines.kill()
            _ = try await lines.ending()
            let numbers = try FlagCrashReport(contentsOf: file).changes.map(\.number)
            #expect(numbers == numbers.sorted() && numbers.count >= 4, "\(step): \(numbers)")
        }
        resolve(FlagCrashRecord(file: URL(filePath: "/proc/flags.crash"), issueReporter: issues.reporter), "a", 1)
        #expect(issues.codes == [FlagIssue.Code("crash-record-unwritten")])
    }
}

private struct TaskProvider: FlagProvider {
    @TaskLocal static var number = 0
    var kind: FlagProviderKind { .taskDependent }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key == "number" ? .integer(Int128(Self.number)) : nil }
}
