import Foundation
import TacklineTestSupport
import Testing

/// The program that dies.
private let probe = ChildProcess.program("LaunchProbe")

@Suite(
    "An app that is killed at any moment of its launch",
    .enabled(if: probe != nil, "LaunchProbe was not found beside the tests"), .hangLimit)
struct LaunchKillTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var launches: URL { folder.url.appending(path: "launches") }

    private func values(_ text: String) throws { _ = try folder.file("flags.json", text) }

    /// Launches it and returns what it printed, with a line for its death.
    private func launch(_ way: String = "kill", _ variables: [String: String] = [:]) async throws -> [String] {
        let environment = variables.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let ending = try await ChildProcess(
            #require(probe), [folder.url.path, way], environment: environment
        ).ending()
        return ending.lines + (ending.isSignal ? ["died"] : [])
    }

    /// Returns the number of steps of a launch, or `nil` if they can't be counted here.
    private func countOfSteps() async throws -> Int? {
        let lines = try await launch("kill", ["COUNT_STEPS": "1"])
        let line = try #require(lines.first { $0.hasPrefix("steps ") })
        let counts = line.split(separator: " ").compactMap { Int($0) }
        let count = try #require(counts.first)
        // The power may go at any step, too: what takes the record's place is on the disk before.
        #expect(count < 0 || counts.last == 0)
        return count < 0 ? nil : count
    }

    private func save() throws -> URL {
        let saved = folder.url.appending(path: "saved")
        try? FileManager.default.removeItem(at: saved)
        try FileManager.default.copyItem(at: launches, to: saved)
        return saved
    }

    private func restore(_ saved: URL) throws {
        try? FileManager.default.removeItem(at: launches)
        try FileManager.default.copyItem(at: saved, to: launches)
    }

    /// Returns a copy of the program where programs can run.
    private func copyOfProbe() async throws -> URL {
        let copy = FileManager.default.temporaryDirectory.appending(path: "App-\(UUID().uuidString)")
        // Copied by another process: a program that a process has open for writing can't be started, and a child that
        // another test starts in this moment would have it open.
        let ending = try await ChildProcess(URL(filePath: "/bin/cp"), [#require(probe).path, copy.path]).ending()
        #expect(ending.status == 0)
        return copy
    }

    /// Launches until it lives, and expects that it does after at most three deaths, under values that do no harm.
    private func expectHealing(_ context: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var history: [[String]] = []
        while history.count < 4 {
            let lines = try await launch()
            history.append(lines)
            #expect(!lines.contains("issue launches-unknown"), "\(context): \(history)", sourceLocation: sourceLocation)
            if lines.last == "healthy" { break }
        }
        let isCalm = history.last?.contains { $0.hasPrefix("calm ") } == true
        #expect(isCalm, "\(context): \(history)", sourceLocation: sourceLocation)
    }

    @Test("heals from bad values within three more deaths, whichever step it was killed at")
    func steps() async throws {
        try values(#"{"edition": 1, "factor": 2.5}"#)
        guard let count = try await countOfSteps() else { return }
        // One death before, two deaths before, and values that are held back already.
        for deaths in [1, 2, 3] {
            try? FileManager.default.removeItem(at: launches)
            try values(#"{"edition": 1, "factor": 2.5}"#)
            #expect(try await launch() == ["calm 1", "healthy"])
            try values(#"{"edition": 2, "boom": true, "factor": 1e308}"#)
            for _ in 0..<deaths { #expect(try await launch() == ["boom 2", "died"]) }
            if deaths == 3 { #expect(try await launch().last == "healthy") }
            let saved = try save()
            for step in 1...count + 12 {
                try restore(saved)
                _ = try await launch("kill", ["KILL_AT_STEP": "\(step)"])
                if deaths == 3 {
                    // What is held back is never forgotten.
                    #expect(try await launch().suffix(2) == ["calm 0", "healthy"], "\(step)")
                } else {
                    try await expectHealing("\(deaths) deaths, step \(step)")
                }
            }
        }
    }

    @Test("never suspects values that were healthy, whichever step it was killed at")
    func healthySteps() async throws {
        try values(#"{"edition": 1}"#)
        guard let count = try await countOfSteps() else { return }
        for step in 1...count + 12 {
            for _ in 0..<3 { _ = try await launch("kill", ["KILL_AT_STEP": "\(step)"]) }
            #expect(try await launch() == ["calm 1", "healthy"], "\(step)")
        }
    }

    @Test("forgets nothing that is held back and suspects nothing that was healthy, whichever step fails")
    func failingSteps() async throws {
        try values(#"{"edition": 1}"#)
        guard let count = try await countOfSteps() else { return }
        try values(#"{"edition": 2, "boom": true}"#)
        for _ in 0..<3 { #expect(try await launch() == ["boom 2", "died"]) }
        #expect(try await launch().last == "healthy")
        let saved = try save()
        for step in 1...count + 4 {
            let error = [EIO, ENOSPC, EACCES, EMFILE][step % 4]
            let failing = ["FAIL_AT_STEP": "\(step)", "FAIL_WITH": "\(error)"]
            try values(#"{"edition": 2, "boom": true}"#)
            try restore(saved)
            _ = try await launch("kill", failing)
            #expect(try await launch().suffix(2) == ["calm 0", "healthy"], "\(step)")
            try values(#"{"edition": 3}"#)
            try FileManager.default.removeItem(at: launches)
            for _ in 0..<3 { #expect(try await launch("kill", failing).last == "healthy", "\(step)") }
            #expect(try await launch() == ["calm 3", "healthy"], "\(step)")
        }
        // The steps of what makes a launch healthy are the same in each launch.
        for step in 1...16 {
            try FileManager.default.removeItem(at: launches)
            for _ in 0..<3 {
                #expect(try await launch("kill", ["FAIL_HEALTH_AT_STEP": "\(step)"]).last == "healthy", "\(step)")
            }
            #expect(try await launch() == ["calm 3", "healthy"], "\(step)")
        }
    }

    @Test("takes no launch for a death that ends in good order while the next one is at any step of its start")
    func endsMeanwhile() async throws {
        try values(#"{"edition": 1}"#)
        guard let count = try await countOfSteps() else { return }
        func start(_ variables: [String: String] = [:]) throws -> ChildProcess {
            let environment = variables.merging(["DEATH_LIMIT": "1"]) { $1 }
            return try ChildProcess(#require(probe), [folder.url.path, "end"], environment: environment)
        }
        for step in 1...count {
            try FileManager.default.removeItem(at: launches)
            let (first, second): (ChildProcess, ChildProcess)
            first = try start()
            while try await first.nextLine() != "waiting" {}
            second = try start(["PAUSE_AT_STEP": "\(step)"])
            var line = try await second.nextLine()
            let isPaused = line == "paused"
            first.interrupt()
            #expect(try await first.ending().isSignal == false)
            if isPaused {
                second.interrupt()
                line = try await second.nextLine()
            }
            #expect(line == "calm 1", "\(step)")
            second.kill()
            _ = try await second.ending()
            // The later steps are not those of the start.
            if !isPaused { break }
        }
    }

    @Test("does a bounded number of steps at its start, however much is in its folder and whoever has its lock")
    func boundedStart() async throws {
        try values(#"{"edition": 1}"#)
        guard try await countOfSteps() != nil else { return }
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: launches.path).first)
        let folder = launches.appending(path: name)
        func file(_ name: String, size: Int) throws {
            let file = folder.appending(path: name)
            try Data().write(to: file)
            #expect(truncate(file.path, off_t(size)) == 0)
        }
        let lock = open(folder.appending(path: "lock").path, O_RDWR)
        defer { close(lock) }
        let cases: [(String, () throws -> Void)] = [
            ("a large record", { try file("record", size: 100 << 20) }),
            ("large notes", { for number in 0..<80 { try file("launch-\(number)", size: 2 << 20) } }),
            ("endless notes", { for number in 0..<80 { try file("launch-\(number)", size: 1 << 30) } }),
            ("many notes", { for number in 0..<3000 { try file("launch-\(number)", size: 0) } }),
            ("many orphans", { for number in 0..<3000 { try file("new-\(number)", size: 0) } }),
            ("many other files", { for number in 0..<3000 { try file("\(number)", size: 0) } }),
            ("pipes", { for name in ["launch-0", "new-0"] { mkfifo(folder.appending(path: name).path, 0o600) } }),
            ("another process", { #expect(flock(lock, LOCK_EX) == 0) }),
        ]
        for (context, prepare) in cases {
            try prepare()
            let lines = try await launch("exit", ["COUNT_START": "1"])
            let counts = try #require(lines.first { $0.hasPrefix("start ") }).split(separator: " ").compactMap {
                Int($0)
            }
            #expect(counts[0] < 2500 && counts[1] < 6 << 20, "\(context): \(counts)")
        }
    }

    @Test("heals from bad values after it was killed at two hundred random moments")
    func randomMoments() async throws {
        var random = SeededGenerator(seed: 40)
        for round in 0..<50 {
            try values(#"{"edition": \#(round)}"#)
            // Kills at random may have held back what is harmless: then it is released by a person.
            try? FileManager.default.removeItem(at: launches)
            #expect(try await launch().last == "healthy")
            try values(#"{"edition": \#(round), "boom": true}"#)
            for _ in 0..<4 {
                _ = try await launch("kill", ["KILL_AFTER": "\(Int.random(in: 1...30_000, using: &random))"])
            }
            var lines: [[String]] = []
            for _ in 0..<7 {
                lines.append(try await launch())
                if lines.last?.last == "healthy" { break }
            }
            #expect(lines.last?.last == "healthy", "\(round): \(lines)")
            #expect(!lines.joined().contains("issue launches-unknown"), "\(round): \(lines)")
        }
    }

    @Test("is judged by its own record: another executable in the same folder keeps it from nothing")
    func otherExecutable() async throws {
        let share = try await copyOfProbe()
        defer { try? FileManager.default.removeItem(at: share) }
        func launchShare() async throws -> [String] {
            try await ChildProcess(share, [folder.url.path, "exit"]).ending().lines
        }
        try values(#"{"edition": 2, "boom": true}"#)
        for _ in 0..<3 {
            #expect(try await launch() == ["boom 2", "died"])
            // It has the same values, and lives.
            try values(#"{"edition": 2}"#)
            #expect(try await launchShare().last == "healthy")
            try values(#"{"edition": 2, "boom": true}"#)
            #expect(try await launchShare() == ["boom 2"])
        }
        #expect(try await launch() == ["issue held-back-values", "calm 0", "healthy"])
        #expect(try await launchShare() == ["boom 2"])
    }

    @Test("uses in another build what was held back")
    func otherBuild() async throws {
        let app = try await copyOfProbe()
        defer { try? FileManager.default.removeItem(at: app) }
        func launchApp() async throws -> [String] {
            let child = try ChildProcess(app, [folder.url.path, "kill"], environment: ["SWIFT_BACKTRACE": "enable=no"])
            return try await child.ending().lines
        }
        try values(#"{"boom": true}"#)
        for _ in 0..<3 {
            let lines = try await launchApp()
            #expect(lines == ["boom 0"])
        }
        let lines = try await launchApp()
        #expect(lines.suffix(2) == ["calm 0", "healthy"])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: app.path)
        #expect(try await launchApp() == ["boom 0"])
    }
}
