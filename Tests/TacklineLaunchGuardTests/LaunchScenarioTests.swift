import Foundation
import TacklineTestSupport
import Testing

/// What happens to an app, launch by launch. The guide shows the same scenarios.
struct LaunchScenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The way, the variables, and what is printed, each for one launch.
    let launches: [(way: String, variables: [String: String], printed: String)]

    private static let good = #"{"edition": 1}"#
    private static let fatal = #"{"edition": 2, "boom": true}"#
    private static let held = "issue held-back-contents, calm 0, healthy"

    private typealias Line = (way: String, variables: [String: String], printed: String)

    private static func line(_ printed: String, _ way: String = "trap", _ variables: [String: String] = [:]) -> Line {
        (way, variables, printed)
    }

    private static func remote(_ text: String, _ printed: String, way: String = "kill", hours: Int = 0) -> Line {
        line(printed, way, ["REMOTE": text, "HOURS": "\(hours)"])
    }

    /// Three deaths of a content, in which it was read.
    private static let threeDeaths = [Line](repeating: remote(fatal, "boom 2, died"), count: 3)

    static let all: [LaunchScenario] = [
        LaunchScenario(
            "a fatal value in the first document ever, by a trap",
            [
                remote(fatal, "boom 2, died", way: "trap"), remote(fatal, "boom 2, died", way: "signal"),
                remote(fatal, "boom 2, died", way: "trap"), remote(fatal, held), remote(fatal, "calm 0, healthy"),
            ]),
        LaunchScenario(
            "a fatal document arrives while a launch is young, which becomes healthy",
            [
                line("calm 1, healthy", "kill", ["REMOTE": #"{"edition": 1, "bang": false}"#, "LATE": good])
            ] + threeDeaths + [remote(fatal, held), remote(fatal, "calm 0, healthy"), remote(good, "calm 1, healthy")]),
        LaunchScenario(
            "a fatal document arrives late in each launch",
            [Line](
                repeating: line("boom 2, died", "kill", ["REMOTE": good, "LATE": fatal]), count: 3
            ) + [
                line("issue held-back-contents, calm 0, healthy", "kill", ["REMOTE": good, "LATE": fatal])
            ]),
        LaunchScenario(
            "in overrides",
            [Line](
                repeating: line("boom 0, died", "kill", ["OVERRIDES": #"{"boom": true}"#, "REMOTE": "{}"]), count: 3
            ) + [line(held, "kill", ["OVERRIDES": #"{"boom": true}"#])]),
        LaunchScenario(
            "two fatal contents of two providers",
            [Line](
                repeating: line("boom 0, died", "kill", ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]),
                count: 3
            ) + [
                line(
                    "issue held-back-contents, calm 0, died", "kill",
                    ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]),
                line(held, "kill", ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]),
                line("calm 0, healthy", "kill", ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]),
            ]),
        LaunchScenario(
            "a guilty document beside innocent overrides, which come free",
            [Line](
                repeating: line("boom 7, died", "kill", ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal]), count: 3
            ) + [
                line(
                    "issue held-back-contents, calm 0, healthy", "kill",
                    ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal]),
                line("calm 0, healthy", "kill", ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal]),
                // Each is tried once, in the order in which they were noted.
                line("boom 2, died", "kill", ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal, "HOURS": "2"]),
                line("calm 7, healthy", "kill", ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal, "HOURS": "2"]),
                line("calm 7, healthy", "kill", ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal, "HOURS": "3"]),
                // Two hours later the next trial.
                line("boom 7, died", "kill", ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal, "HOURS": "5"]),
                line("calm 7, healthy", "kill", ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal, "HOURS": "8"]),
            ]),
        LaunchScenario(
            "the team's next document is fatal, too; the third is right",
            threeDeaths + [
                remote(fatal, held),
                remote(#"{"edition": 3, "boom": true}"#, "boom 3, died"),
                remote(#"{"edition": 3, "boom": true}"#, held),
                remote(#"{"edition": 4}"#, "calm 4, healthy"),
            ]),
        LaunchScenario(
            "a document that changes at each launch",
            [
                remote(#"{"boom": true, "edition": 1}"#, "boom 1, died"),
                remote(#"{"boom": true, "edition": 2}"#, "boom 2, died"),
                remote(#"{"boom": true, "edition": 3}"#, "boom 3, died"),
                remote(#"{"boom": true, "edition": 4}"#, "issue held-back-contents, boom 4, died"),
                remote(#"{"boom": true, "edition": 5}"#, "issue held-back-contents, boom 5, died"),
                remote(#"{"boom": true, "edition": 6}"#, "issue held-back-contents, calm 0, healthy"),
            ]),
        LaunchScenario(
            "a crash that no flag causes",
            [Line](
                repeating: remote(good, "calm 1, died", way: "always-kill"), count: 3
            ) + [
                remote(good, "issue held-back-contents, calm 0, died", way: "always-kill"),
                remote(good, "calm 0, died", way: "always-kill"),
                remote(good, "issue released-contents, calm 1, died", way: "always-kill"),
                remote(good, "calm 1, died", way: "always-kill"), remote(good, "calm 1, healthy"),
            ]),
        LaunchScenario(
            "a crash before any flag is read",
            [
                remote(good, "died", way: "early-trap"), remote(good, "died", way: "early-trap"),
                remote(good, "issue released-contents, died", way: "early-trap"),
                remote(good, "died", way: "early-trap"),
                remote(good, "calm 1, healthy"),
            ]),
        LaunchScenario(
            "the clock is set back",
            threeDeaths + [
                remote(fatal, held), remote(fatal, "calm 0, healthy"),
                remote(fatal, "boom 2, died", hours: -1000), remote(fatal, "calm 0, healthy", hours: -1000),
            ]),
        LaunchScenario(
            "exit(0) and SIGTERM",
            [
                remote(fatal, "boom 2", way: "exit"), remote(fatal, "boom 2, died", way: "terminate"),
                remote(fatal, "boom 2, died", way: "terminate"), remote(fatal, "boom 2, died", way: "terminate"),
                remote(fatal, "boom 2", way: "exit"), remote(fatal, "boom 2", way: "exit"),
            ]),
        LaunchScenario(
            "launches of an extension or in the background",
            [Line](
                repeating: line("boom 2, died", "kill", ["REMOTE": fatal, "ActivePrewarm": "1"]), count: 4
            ) + [remote(fatal, "boom 2, died")]),
        LaunchScenario(
            "launches in the background that ask to count",
            [Line](
                repeating: line(
                    "boom 2, died", "kill", ["REMOTE": fatal, "ActivePrewarm": "1", "COUNTS_IN_BACKGROUND": "1"]),
                count: 3
            ) + [line(held, "kill", ["REMOTE": fatal, "ActivePrewarm": "1"])]),
    ]

    private init(_ description: String, _ launches: [Line]) {
        (testDescription, self.launches) = (description, launches)
    }
}

@Suite(
    "An app that dies soon after its start",
    .enabled(if: LaunchProbeRunner.probe != nil, "LaunchProbe was not found beside the tests"), .hangLimit)
struct LaunchScenarioTests {
    private let runner: LaunchProbeRunner

    init() throws {
        runner = try LaunchProbeRunner()
    }

    @Test("starts again as soon as it can", arguments: LaunchScenario.all)
    func scenario(_ scenario: LaunchScenario) async throws {
        let printed = try await runner.launch(
            scenario.launches.map { ProbeLaunch(way: $0.way, variables: $0.variables) })
        #expect(printed.map { $0.joined(separator: ", ") } == scenario.launches.map(\.printed))
    }

    private let fatal = ["REMOTE": #"{"boom": true}"#]

    @Test("is judged when its process is gone: another one beside it doesn't count")
    func twoProcesses() async throws {
        let first = try runner.start("wait", fatal)
        while try await first.nextLine() != "waiting" {}
        for _ in 0..<4 { #expect(try await runner.launch("kill", fatal) == ["boom 0", "died"]) }
        first.kill()
        #expect(try await first.ending().isSignal)
        for _ in 0..<2 { #expect(try await runner.launch("kill", fatal) == ["boom 0", "died"]) }
        #expect(try await runner.launch("kill", fatal).last == "healthy")
    }

    @Test("has files of its own: another build and another executable in the folder hold nothing back")
    func otherBuild() async throws {
        let probe = try #require(LaunchProbeRunner.probe)
        let app = FileManager.default.temporaryDirectory.appending(path: "App-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: app) }
        // Copied by another process: a program that a process has open for writing can't be started, and a child that
        // another test starts in this moment would have it open.
        #expect(try await ChildProcess(URL(filePath: "/bin/cp"), [probe.path, app.path]).ending().status == 0)
        for _ in 0..<3 { #expect(try await runner.launch("kill", fatal, program: app).last == "died") }
        #expect(try await runner.launch("exit", fatal) == ["boom 0"])
        #expect(try await runner.launch("kill", fatal, program: app).last == "healthy")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: app.path)
        #expect(try await runner.launch("kill", fatal, program: app) == ["boom 0", "died"])
    }
}
