import Foundation
import TacklineTestSupport
import Testing

@Suite(
    "An app that is killed at any moment of its launch",
    .enabled(if: LaunchProbeRunner.probe != nil, "LaunchProbe was not found beside the tests"), .hangLimit)
struct LaunchKillTests {
    private let runner: LaunchProbeRunner
    private let good = ["REMOTE": #"{"edition": 1}"#]
    private let bad = ["REMOTE": #"{"edition": 2, "boom": true}"#]

    init() throws {
        runner = try LaunchProbeRunner()
    }

    private var launches: URL { runner.folder.url.appending(path: "launches") }

    /// Returns the number of steps of a launch, or `nil` if they can't be counted here.
    private func countOfSteps() async throws -> Int? {
        let lines = try await runner.launch("kill", good.merging(["COUNT_STEPS": "1"]) { $1 })
        let counts = try #require(lines.first { $0.hasPrefix("steps ") }).split(separator: " ").compactMap { Int($0) }
        let count = try #require(counts.first)
        // The power may go at any step, too: what takes the record's place is on the disk before.
        #expect(count < 0 || counts.last == 0)
        return count < 0 ? nil : count
    }

    /// Makes a folder with the launches that were before.
    private func copyLaunches(to name: String) throws {
        let place = runner.folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: launches, to: place.appending(path: "launches"))
    }

    @Test("starts again within three more deaths, and what is held back is never forgotten", arguments: 0...3)
    func steps(deaths: Int) async throws {
        guard let count = try await countOfSteps() else { return }
        for _ in 0..<deaths { #expect(try await runner.launch("kill", bad) == ["boom 2", "died"]) }
        if deaths == 3 { #expect(try await runner.launch("kill", bad).last == "healthy") }
        let followers = deaths == 3 ? 1 : 4
        var plan: [ProbeLaunch] = []
        for step in 1...count + 12 {
            try copyLaunches(to: "\(step)")
            plan.append(ProbeLaunch(folder: "\(step)", variables: bad.merging(["KILL_AT_STEP": "\(step)"]) { $1 }))
            plan += (0..<followers).map { _ in ProbeLaunch(folder: "\(step)", variables: bad) }
        }
        let printed = try await runner.launch(plan)
        var mistakes: [String] = []
        for step in 1...count + 12 {
            let next = printed[((step - 1) * (followers + 1))...].dropFirst().prefix(followers)
            let healing = next.prefix { $0.last != "healthy" }
            let isRight = healing.count < next.count && !next.joined().contains("issue launches-unknown")
            if !isRight { mistakes.append("step \(step): \(next)") }
        }
        #expect(mistakes == [])
        // It was killed indeed, before it read a value.
        #expect(printed[0] == ["died"])
    }

    @Test("is not held back for being killed while it becomes healthy")
    func healthSteps() async throws {
        guard try await countOfSteps() != nil else { return }
        let printed = try await runner.launch(
            (1...16).flatMap { step in
                let killed = ProbeLaunch(variables: good.merging(["KILL_HEALTH_AT_STEP": "\(step)"]) { $1 })
                return [killed, killed, ProbeLaunch(variables: good)]
            })
        let mistakes = (0..<16).filter { printed[$0 * 3 + 2] != ["calm 1", "healthy"] }
        #expect(mistakes == [], "\(mistakes.map { printed[$0 * 3 + 2] })")
        #expect(printed[0].last == "died")
    }

    @Test("forgets nothing that is held back and holds nothing back wrongly, whichever step fails")
    func failingSteps() async throws {
        guard let count = try await countOfSteps() else { return }
        for _ in 0..<3 { #expect(try await runner.launch("kill", bad) == ["boom 2", "died"]) }
        #expect(try await runner.launch("kill", bad).last == "healthy")
        let errors = [EIO, ENOSPC, EACCES, EMFILE]
        var failures: [[String: String]] = (1...count + 4).map { step in
            ["FAIL_AT_STEP": "\(step)", "FAIL_WITH": "\(errors[step % 4])"]
        }
        var plan: [ProbeLaunch] = []
        for (index, failing) in failures.enumerated() {
            try copyLaunches(to: "held-\(index)")
            plan.append(ProbeLaunch(folder: "held-\(index)", variables: bad.merging(failing) { $1 }))
            plan.append(ProbeLaunch(folder: "held-\(index)", variables: bad))
        }
        let forgetting = try await runner.launch(plan)
        let forgetful = failures.indices.filter { forgetting[$0 * 2 + 1].suffix(2) != ["calm 0", "healthy"] }
        #expect(forgetful == [], "\(forgetful.map { forgetting[$0 * 2 + 1] })")
        failures += (1...16).map { ["FAIL_HEALTH_AT_STEP": "\($0)"] }
        let holding = try await runner.launch(
            failures.enumerated().flatMap { index, failing in
                let failed = ProbeLaunch(folder: "new-\(index)", variables: good.merging(failing) { $1 })
                return [failed, failed, failed, ProbeLaunch(folder: "new-\(index)", variables: good)]
            })
        let wrong = failures.indices.filter { index in
            !holding[(index * 4)..<(index * 4 + 3)].allSatisfy { $0.last == "healthy" }
                || holding[index * 4 + 3] != ["calm 1", "healthy"]
        }
        #expect(wrong == [], "\(wrong.map { holding[($0 * 4)..<($0 * 4 + 4)] })")
    }

    @Test("does a bounded number of steps at its start, whatever is in its folder and whoever has its files open")
    func boundedStart() async throws {
        guard try await countOfSteps() != nil else { return }
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: launches.path).first)
        let folder = launches.appending(path: name)
        let notes = open(folder.appending(path: "notes").path, O_RDWR)
        defer { close(notes) }
        let cases: [(String, () throws -> Void)] = [
            ("another process", { #expect(flock(notes, LOCK_EX) == 0) }),
            (
                "a large record",
                {
                    try Data().write(to: folder.appending(path: "record"))
                    #expect(truncate(folder.appending(path: "record").path, 100 << 20) == 0)
                }
            ),
            (
                "pipes",
                {
                    for name in ["notes", "record"] {
                        unlink(folder.appending(path: name).path)
                        mkfifo(folder.appending(path: name).path, 0o600)
                    }
                }
            ),
        ]
        for (context, prepare) in cases {
            try prepare()
            let lines = try await runner.launch("exit", good.merging(["COUNT_START": "1"]) { $1 })
            let counts = try #require(lines.first { $0.hasPrefix("start ") }).split(separator: " ").compactMap {
                Int($0)
            }
            #expect(counts[0] < 200 && counts[1] < 2 << 20, "\(context): \(counts)")
        }
    }

    @Test("writes one line for each content and one when it is healthy, and nothing later or without the guard")
    func cost() async throws {
        guard try await countOfSteps() != nil else { return }
        let variables = good.merging(["COUNT_COST": "1"]) { $1 }
        #expect(try await runner.launch("exit", variables).last == "costs [1, 0, 1, 1, 0]")
        let without = variables.merging(["NO_GUARD": "1"]) { $1 }
        #expect(try await runner.launch("exit", without).last == "costs [0, 0, 0, 1, 0]")
    }
}
