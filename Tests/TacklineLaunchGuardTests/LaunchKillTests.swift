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

    /// A launch of many, which run one after the other.
    private struct Launch {
        /// A folder of its own, with values and launches.
        var folder = "."
        var variables: [String: String] = [:]
    }

    /// Launches one after the other, and returns what each printed, with a line for its death.
    ///
    /// Where processes can be copied, each launch is a copy of one process, which takes a fraction of a start.
    private func launch(_ launches: [Launch]) async throws -> [[String]] {
        #if os(Linux)
            let lines = launches.map { launch in
                ([launch.folder, "kill"] + launch.variables.map { "\($0)=\($1)" }).joined(separator: "\t")
            }
            let plan = try folder.file("plan", lines.joined(separator: "\n"))
            let ending = try await ChildProcess(
                #require(probe), [folder.url.path, "launches", plan.path], environment: ["SWIFT_BACKTRACE": "enable=no"]
            ).ending()
            try #require(ending.status == 0 && !ending.isSignal, "\(ending)")
            var printed: [[String]] = [[]]
            for line in ending.lines {
                if line.hasPrefix("ended ") {
                    if line != "ended 0" { printed[printed.count - 1].append("died") }
                    printed.append([])
                } else {
                    printed[printed.count - 1].append(line)
                }
            }
            printed.removeLast()
            try #require(printed.count == launches.count)
            return printed
        #else
            var printed: [[String]] = []
            for launch in launches {
                let place = folder.url.appending(path: launch.folder)
                let environment = launch.variables.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
                let child = try ChildProcess(#require(probe), [place.path, "kill"], environment: environment)
                let ending = try await child.ending()
                printed.append(ending.lines + (ending.isSignal ? ["died"] : []))
            }
            return printed
        #endif
    }

    /// Makes a folder with values, and with launches that were before.
    private func makeFolder(_ name: String, _ text: String, after launches: URL? = nil) throws {
        let place = folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place.appending(path: "flags.json"))
        guard let launches else { return }
        try FileManager.default.copyItem(at: launches, to: place.appending(path: "launches"))
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

    /// Returns what is wrong with the first launches up to the one that lives. Nothing is wrong if at most three die
    /// and the last one has values that do no harm.
    private func mistakeInHealing(_ launches: some Collection<[String]>) -> String? {
        let firstHealthy = launches.firstIndex { $0.last == "healthy" }
        let history = firstHealthy.map { Array(launches[...$0]) } ?? Array(launches)
        let isCalm = history.last?.contains { $0.hasPrefix("calm ") } == true
        let knowsAll = !history.joined().contains("issue launches-unknown")
        return history.count <= 4 && isCalm && knowsAll ? nil : "\(history)"
    }

    @Test("heals from bad values within three more deaths, whichever step it was killed at")
    func steps() async throws {
        let good = #"{"edition": 1, "factor": 2.5}"#
        let bad = #"{"edition": 2, "boom": true, "factor": 1e308}"#
        try values(good)
        guard let count = try await countOfSteps() else { return }
        // One death before, two deaths before, and values that are held back already.
        for deaths in [1, 2, 3] {
            try? FileManager.default.removeItem(at: launches)
            try values(good)
            #expect(try await launch() == ["calm 1", "healthy"])
            try values(bad)
            for _ in 0..<deaths { #expect(try await launch() == ["boom 2", "died"]) }
            if deaths == 3 { #expect(try await launch().last == "healthy") }
            // What is held back is never forgotten, so then the next launch lives.
            let followers = deaths == 3 ? 1 : 4
            var plan: [Launch] = []
            for step in 1...count + 12 {
                try makeFolder("\(deaths)-\(step)", bad, after: launches)
                plan.append(Launch(folder: "\(deaths)-\(step)", variables: ["KILL_AT_STEP": "\(step)"]))
                plan += (0..<followers).map { _ in Launch(folder: "\(deaths)-\(step)") }
            }
            let printed = try await launch(plan)
            var mistakes: [String] = []
            for step in 1...count + 12 {
                let next = printed[((step - 1) * (followers + 1))...].dropFirst().prefix(followers)
                if deaths == 3 {
                    if next.first?.suffix(2) != ["calm 0", "healthy"] { mistakes.append("step \(step): \(next)") }
                } else if let mistake = mistakeInHealing(next) {
                    mistakes.append("step \(step): \(mistake)")
                }
            }
            #expect(mistakes == [], "\(deaths) deaths before")
            // It was killed indeed, before it read a value.
            #expect(printed[0] == ["died"])
        }
    }

    @Test("never suspects values that were healthy, whichever step it was killed at")
    func healthySteps() async throws {
        try values(#"{"edition": 1}"#)
        guard let count = try await countOfSteps() else { return }
        // A launch after a death has more steps at its start. Those of what makes a launch healthy are always the same.
        let kills =
            (1...count + 12).map { ["KILL_AT_STEP": "\($0)"] } + (1...16).map { ["KILL_HEALTH_AT_STEP": "\($0)"] }
        let printed = try await launch(
            kills.flatMap { kill in
                let killed = Launch(variables: kill)
                return [killed, killed, killed, Launch()]
            })
        let mistakes = kills.indices.filter { printed[$0 * 4 + 3] != ["calm 1", "healthy"] }
        #expect(mistakes == [], "\(mistakes.map { "\(kills[$0]): \(printed[$0 * 4 + 3])" })")
        #expect(printed[0] == ["died"])
    }

    @Test("forgets nothing that is held back and suspects nothing that was healthy, whichever step fails")
    func failingSteps() async throws {
        try values(#"{"edition": 1}"#)
        guard let count = try await countOfSteps() else { return }
        let bad = #"{"edition": 2, "boom": true}"#
        try values(bad)
        for _ in 0..<3 { #expect(try await launch() == ["boom 2", "died"]) }
        #expect(try await launch().last == "healthy")
        let errors = [EIO, ENOSPC, EACCES, EMFILE]
        var failures: [[String: String]] = (1...count + 4).map { step in
            ["FAIL_AT_STEP": "\(step)", "FAIL_WITH": "\(errors[step % 4])"]
        }
        let forgetting = try await launch(
            failures.enumerated().flatMap { index, failing in
                try makeFolder("held-\(index)", bad, after: launches)
                return [Launch(folder: "held-\(index)", variables: failing), Launch(folder: "held-\(index)")]
            })
        let forgetful = failures.indices.filter { forgetting[$0 * 2 + 1].suffix(2) != ["calm 0", "healthy"] }
        #expect(forgetful == [], "\(forgetful.map { forgetting[$0 * 2 + 1] })")
        // The steps of what makes a launch healthy are the same in each launch.
        failures += (1...16).map { ["FAIL_HEALTH_AT_STEP": "\($0)"] }
        let suspecting = try await launch(
            failures.enumerated().flatMap { index, failing in
                try makeFolder("new-\(index)", #"{"edition": 3}"#)
                let failed = Launch(folder: "new-\(index)", variables: failing)
                return [failed, failed, failed, Launch(folder: "new-\(index)")]
            })
        let suspicious = failures.indices.filter { index in
            !suspecting[(index * 4)..<(index * 4 + 3)].allSatisfy { $0.last == "healthy" }
                || suspecting[index * 4 + 3] != ["calm 3", "healthy"]
        }
        #expect(suspicious == [], "\(suspicious.map { suspecting[($0 * 4)..<($0 * 4 + 4)] })")
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

    @Test("heals from bad values after it was killed at sixty moments")
    func moments() async throws {
        // Kills may have held back what is harmless, which a person would release: each round has a folder of its own.
        var plan: [Launch] = []
        for round in 0..<15 {
            let name = "round-\(round)"
            try makeFolder(name, #"{"edition": \#(round), "boom": true}"#)
            let good = folder.url.appending(path: "\(name)/good.json")
            try Data(#"{"edition": \#(round)}"#.utf8).write(to: good)
            plan.append(Launch(folder: name, variables: ["VALUES": "good.json"]))
            // Most of them lie in the launch, and the more the slower the machine is.
            plan += (1...4).map { number in
                Launch(folder: name, variables: ["KILL_AFTER": "\(100 + 60 * (number * 15 - round))"])
            }
            plan += (0..<7).map { _ in Launch(folder: name) }
        }
        let printed = try await launch(plan)
        var mistakes: [String] = []
        for round in 0..<15 {
            let launches = printed[(round * 12)..<(round * 12 + 12)]
            let healed = launches.dropFirst(5)
            let isRight =
                launches.first?.last == "healthy" && healed.contains { $0.last == "healthy" }
                && !healed.joined().contains("issue launches-unknown")
            if !isRight { mistakes.append("\(round): \(launches)") }
        }
        #expect(mistakes == [])
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
