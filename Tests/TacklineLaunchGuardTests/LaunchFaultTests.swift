import Foundation
import Synchronization
import TacklineCore
import TacklineLaunchGuard
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A launch guard with damaged, foreign or unusable files", .hangLimit) struct LaunchFaultTests {
    private let world: LaunchWorld
    private let remote = MemoryProvider(name: "remote", values: ["number": 2])

    init() throws {
        world = try LaunchWorld()
    }

    /// Leaves the record of an app whose value of `number` is held back.
    private func holdBack() throws {
        for _ in 0..<3 { try world.die { _ = world.flags($0, remote).number } }
        let launches = world.launch()
        #expect(world.flags(launches, remote).number == 0)
        launches.end()
    }

    /// Launches and returns the codes of the issues.
    private func issues(_ body: (LaunchGuard) -> Void = { _ in }) -> [FlagError.Code] {
        let issues = IssueRecorder()
        let launches = world.launch { $0.issueReporter = issues.reporter }
        body(launches)
        launches.end()
        return issues.codes
    }

    private func expectIssues(
        _ expected: [FlagError.Code], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (LaunchGuard) -> Void = { _ in }
    ) {
        #expect(issues(body) == expected, sourceLocation: sourceLocation)
    }

    @Test("reports a folder that can't be created at each launch, and holds nothing back")
    func unusable() throws {
        let file = try world.folder.file("file", "")
        for _ in 0..<2 {
            let issues = IssueRecorder()
            var options = LaunchGuard.Options()
            options.healthyAfter = nil
            options.issueReporter = issues.reporter
            let launches = LaunchGuard(folder: file.appending(path: "x"), options: options)
            #expect(world.flags(launches, remote).number == 2)
            launches.markHealthy()
            #expect(issues.codes == [.unknownLaunches])
        }
    }

    @Test("reports a record that was cut off at any byte or has any bit changed, and works on")
    func damaged() throws {
        try holdBack()
        let record = try world.record()
        let whole = [UInt8](try Data(contentsOf: record))
        var damaged = (0..<whole.count).map { Array(whole.prefix($0)) }
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 1 << (index % 8)
            damaged.append(bytes)
        }
        for bytes in damaged {
            try Data(bytes).write(to: record)
            expectIssues([.unknownLaunches]) { #expect($0.heldBack == []) }
        }
        // The new record is whole.
        #expect(issues() == [])
    }

    @Test("has a number of any size in its files without a trap")
    func numbers() throws {
        try holdBack()
        for number in ["9223372036854775807", "-9223372036854775808", "ffffffffffffffff", "1e999", "", "-1"] {
            let body = "tackline launches 1\nbuild x\nvain \(number)\nhealthy \(number) \(number)\n"
            let checksum = body.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
            }
            try Data("\(body)end \(String(checksum, radix: 16))\n".utf8).write(to: world.record())
            #expect(issues() == [.unknownLaunches], "\(number)")
        }
    }

    @Test("refuses a record of endless lines, and values of a flag with an endless key are held back and released")
    func endless() throws {
        try holdBack()
        let lines = "tackline launches 1\nbuild x\n" + String(repeating: "vain 0\n", count: 100_000)
        let checksum = lines.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        try Data("\(lines)end \(String(checksum, radix: 16))\n".utf8).write(to: world.record())
        #expect(issues() == [.unknownLaunches])
        struct Long: FlagCollectionProtocol {
            @Flag(key: .absolute(String(repeating: "long key/", count: 500)), default: 0, description: "") var number:
                Int
        }
        func flags(_ launches: LaunchGuard) -> FlagsLoader<Long> {
            let key = String(repeating: "long key/", count: 500)
            let long = MemoryProvider(name: String(repeating: "provider ", count: 500), values: [key: 2])
            return FlagsLoader(Long.self, providers: [long], issueReporter: .silent, launchGuard: launches)
        }
        for _ in 0..<3 { try world.die { #expect(flags($0).number == 2) } }
        let launches = world.launch()
        #expect(flags(launches).number == 0)
        try launches.release(try #require(launches.heldBack.first))
        #expect(flags(launches).number == 2)
    }

    @Test("with things that are no files, or far too large ones, in their places reports them and works on")
    func foreign() throws {
        try holdBack()
        let record = try world.record()
        let folder = try world.executable()
        try FileManager.default.removeItem(at: record)
        #expect(mkfifo(record.path, 0o600) == 0)
        #expect(mkfifo(folder.appending(path: "launch-0").path, 0o600) == 0)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "launch-1"), withIntermediateDirectories: true)
        expectIssues([.unknownLaunches]) { #expect(world.flags($0, remote).number == 2) }
        try Data(repeating: 0x20, count: 5 << 20).write(to: record)
        try Data(repeating: 0x20, count: 5 << 20).write(to: folder.appending(path: "launch-2"))
        #expect(issues() == [.unknownLaunches])
        try FileManager.default.removeItem(at: record)
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
        #expect(issues() == [.unknownLaunches])
        #expect(issues() == [.unknownLaunches])
    }

    @Test("waits for no other process: what is held back stays so, and the lock is reported")
    func lockedElsewhere() throws {
        try holdBack()
        let descriptor = open(try world.executable().appending(path: "lock").path, O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        expectIssues([.unknownLaunches]) { #expect(world.flags($0, remote).number == 0) }
        // Deaths count, although the record can't be written.
        remote.setValue(5, for: "number")
        for _ in 0..<3 { try world.die { #expect(world.flags($0, remote).number == 5) } }
        expectIssues([.heldBackValues, .unknownLaunches]) { #expect(world.flags($0, remote).number == 0) }
        // So does a healthy launch.
        remote.setValue(6, for: "number")
        let healthy = world.launch()
        #expect(world.flags(healthy, remote).number == 6)
        healthy.markHealthy()
        flock(descriptor, LOCK_UN)
        for _ in 0..<3 { try world.die { #expect(world.flags($0, remote).number == 6) } }
        #expect(world.flags(world.launch(), remote).number == 6)
    }

    @Test("reads a file of notes that was cut off at any byte, up to its last whole line")
    func cutNotes() throws {
        for _ in 0..<2 { try world.die { _ = world.flags($0, remote).number } }
        let launches = world.launch()
        _ = world.flags(launches, remote).number
        let file = try world.notesFile()
        let notes = try Data(contentsOf: file)
        launches.end()
        let kept = try FileManager.default.contentsOfDirectory(atPath: try world.executable().path)
        var files: [String: Data] = [:]
        for name in kept { files[name] = try Data(contentsOf: world.executable().appending(path: name)) }
        for length in 0...notes.count {
            for (name, data) in files { try data.write(to: world.executable().appending(path: name)) }
            try notes.prefix(length).write(to: file)
            let next = world.launch()
            #expect(next.heldBack.count == (length == notes.count ? 1 : 0), "\(length)")
            next.end()
        }
    }

    @Test("notes so many values of a launch at most, and says when there are more")
    func manyValues() throws {
        let issues = IssueRecorder()
        let launches = world.launch { $0.issueReporter = issues.reporter }
        let flags = world.flags(launches, remote)
        for number in 0..<4500 {
            remote.setValue(.integer(Int128(number)), for: "number")
            #expect(flags.number == number)
        }
        #expect(issues.codes == [.unknownLaunches])
        #expect(try world.notes().count < 300_000)
        launches.markHealthy()
        #expect(try Data(contentsOf: world.record()).count < 300_000)
    }

    @Test("judges so many launches at most, and removes the files of all")
    func manyLaunches() throws {
        try world.die { _ = world.flags($0, remote).number }
        let file = try world.notesFile()
        for copy in 0..<200 { try FileManager.default.copyItem(at: file, to: file.appendingPathExtension("\(copy)")) }
        let launches = world.launch { $0.deathLimit = .max }
        #expect(launches.heldBack == [])
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: world.executable().path) }
        #expect(try names().filter { $0.hasPrefix("launch-") }.count == 1)
        launches.end()
        // Far too many are removed in several launches.
        for copy in 0..<5000 { try Data().write(to: world.executable().appending(path: "launch-0\(copy)")) }
        for _ in 0..<20 { world.launch { $0.deathLimit = .max }.end() }
        #expect(try names().sorted() == ["lock", "record"])
        for (count, limit) in [Int.min, -1, 0].enumerated() {
            remote.setValue(.integer(Int128(10 + count)), for: "number")
            try world.die { _ = world.flags($0, remote).number }
            #expect(world.launch { $0.deathLimit = limit }.heldBack.count == count + 1)
        }
    }

    @Test("with random bytes or mixed lines in any of its files neither traps nor loses the next record")
    func fuzzed() throws {
        try holdBack()
        let record = try world.record()
        let folder = try world.executable()
        let whole = [UInt8](try Data(contentsOf: record))
        let lines = whole.split(separator: 10) + [Array("new 1 2 3 4".utf8)[...], Array("held".utf8)[...]]
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<30, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes += Array(lines.randomElement(using: &random) ?? []) + [10]
                case 1: bytes += (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
                default: bytes.append([10, 32, 37].randomElement(using: &random) ?? 10)
                }
            }
            let name = Bool.random(using: &random) ? "record" : "launch-\(seed)"
            if name == "record", Bool.random(using: &random) {
                // With a checksum, so that its lines are read.
                bytes = Array("tackline launches 1\n".utf8) + bytes
                if bytes.last != 10 { bytes.append(10) }
                let checksum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
                    ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
                }
                bytes += Array("end \(String(checksum, radix: 16))\n".utf8)
            }
            try Data(bytes).write(to: folder.appending(path: name))
            _ = issues { launches in #expect(launches.heldBack.count <= 1) }
            #expect(issues() == [], "\(seed)")
        }
    }

    @Test("is healthy when the actor that it was given runs, and not only the clock")
    func actor() async throws {
        let clock = ManualClock()
        let executor = HeldExecutor()
        let launches = world.launch {
            $0.healthyAfter = .seconds(20)
            $0.clock = clock
            $0.healthActor = HeldActor(executor)
        }
        #expect(world.flags(launches, remote).number == 2)
        try await clock.waitForSleepers { $0.count == 1 }
        let notes = try world.notesFile()
        clock.advance(by: .seconds(20))
        let job = await executor.nextJob()
        // The actor hangs.
        #expect(FileManager.default.fileExists(atPath: notes.path))
        job()
        while FileManager.default.fileExists(atPath: notes.path) { await Task.yield() }
        for _ in 0..<3 { try world.die { _ = world.flags($0, remote).number } }
        #expect(world.launch().heldBack == [])
    }
}

private actor HeldActor {
    private let executor: HeldExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    init(_ executor: HeldExecutor) { self.executor = executor }
}

/// Runs a job only when a test says so.
private final class HeldExecutor: SerialExecutor {
    private let jobs: AsyncStream<UnownedJob>
    private let continuation: AsyncStream<UnownedJob>.Continuation

    init() { (jobs, continuation) = AsyncStream.makeStream(of: UnownedJob.self) }

    func enqueue(_ job: consuming ExecutorJob) { continuation.yield(UnownedJob(job)) }

    func nextJob() async -> () -> Void {
        for await job in jobs { return { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
        return {}
    }
}
