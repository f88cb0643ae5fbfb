import Foundation
import TacklineTestSupport
import Testing

/// What happens to an app, launch by launch.
struct LaunchScenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let launches: [Line]

    /// A launch: the way to die, the variables, and what is printed.
    typealias Line = (way: String, variables: [String: String], printed: String)

    private static let good = #"{"edition": 1}"#
    private static let fatal = #"{"edition": 2, "boom": true}"#
    private static let held = "issue held-back-contents, calm 0, healthy"
    private static let rules = #"""
        {"flags": {
            "edition": {"state": "ENABLED", "variants": {"two": 2}, "defaultVariant": "two"},
            "boom": {
                "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                "targeting": {"if": [{"==": [{"var": "targetingKey"}, "ada"]}, "on", "off"]}
            }
        }}
        """#.split(separator: "\n").joined()

    private static func line(_ printed: String, _ variables: [String: String], way: String = "kill") -> Line {
        (way, variables, printed)
    }

    private static func remote(_ text: String, _ printed: String, way: String = "kill", hours: Int = 0) -> Line {
        line(printed, ["REMOTE": text, "HOURS": "\(hours)"], way: way)
    }

    /// Launches that die of the fatal document.
    private static func deaths(_ ways: String..., with variables: [String: String] = [:]) -> [Line] {
        ways.map { line("boom 2, died", ["REMOTE": fatal].merging(variables) { $1 }, way: $0) }
    }

    /// Launches that die three times of a content that is then held back.
    private static func three(
        _ printed: String, _ variables: [String: String], way: String = "kill"
    ) -> [Line] {
        [Line](repeating: line(printed, variables, way: way), count: 3) + [line(held, variables, way: way)]
    }

    private static let threeDeaths = deaths("kill", "kill", "kill")

    /// What is in a cache, launch by launch, and what a server sends when a launch is healthy.
    private static func cached(_ fatal: String, _ good: String, _ variables: [String: String] = [:]) -> [Line] {
        let variables = variables.merging(["CACHED": "1"]) { $1 }
        return [line("calm 0, healthy", variables.merging(["AFTER": fatal]) { $1 })]
            + [Line](repeating: line("boom 2, died", variables), count: 3)
            + [line(held, variables), line("calm 0, healthy", variables.merging(["AFTER": good]) { $1 })]
    }

    static let all: [LaunchScenario] = [
        LaunchScenario(
            "a fatal value in the first document ever, by a trap",
            deaths("trap", "signal", "trap") + [remote(fatal, held), remote(fatal, "calm 0, healthy")]),
        LaunchScenario(
            "a fatal document arrives before a launch is healthy",
            [line("calm 1, healthy", ["REMOTE": #"{"edition": 1, "bang": false}"#, "LATE": good])] + threeDeaths
                + [remote(fatal, held), remote(fatal, "calm 0, healthy"), remote(good, "calm 1, healthy")]),
        LaunchScenario(
            "a healthy launch between deaths",
            deaths("kill", "kill") + [remote(good, "calm 1, healthy")] + three("boom 2, died", ["REMOTE": fatal])),
        LaunchScenario(
            "a fatal document arrives late in each launch", three("boom 2, died", ["REMOTE": good, "LATE": fatal])),
        LaunchScenario(
            "two fatal values take turns",
            [
                remote(fatal, "boom 2, died"), remote(#"{"edition": 3, "boom": true}"#, "boom 3, died"),
                remote(fatal, "boom 2, died"), remote(#"{"edition": 3, "boom": true}"#, held),
                remote(fatal, "calm 0, healthy"), remote(#"{"edition": 3, "boom": true}"#, "calm 0, healthy"),
            ]),
        LaunchScenario("in overrides", three("boom 0, died", ["OVERRIDES": #"{"boom": true}"#])),
        LaunchScenario("in a cached document", cached(fatal, good) + [line("calm 1, healthy", ["CACHED": "1"])]),
        LaunchScenario(
            "in a signed document",
            cached(
                #"{"$version": 1, "edition": 2, "boom": true}"#, #"{"$version": 2, "edition": 1}"#, ["SIGNED": "1"])
                + [line("calm 1, healthy", ["CACHED": "1", "SIGNED": "1"])]),
        LaunchScenario(
            "in rules, for one user only",
            cached(rules, rules, ["RULES": "1", "USER": "ada"]) + [
                line("calm 2, healthy", ["CACHED": "1", "RULES": "1", "USER": "bob"]),
                line("calm 0, healthy", ["CACHED": "1", "RULES": "1", "USER": "ada"]),
            ]),
        LaunchScenario("in a pinned flag", three("boom 0, died", ["REMOTE": #"{"pinned": true}"#])),
        LaunchScenario("in a secret flag", three("boom 0, died", ["REMOTE": #"{"secret": "hunter2"}"#])),
        LaunchScenario("a hang that a watchdog ends", three("boom 2, died", ["REMOTE": fatal], way: "hang")),
        LaunchScenario(
            "two fatal contents of two providers",
            [Line](
                repeating: line("boom 0, died", ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]), count: 3
            ) + [
                line(
                    "issue held-back-contents, calm 0, died",
                    ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]),
                line(held, ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]),
                line("calm 0, healthy", ["OTHER": #"{"bang": true}"#, "REMOTE": #"{"boom": true}"#]),
            ]),
        LaunchScenario(
            "a guilty document beside innocent overrides, which come free",
            [
                // Each is tried once, in the order in which they were noted, and then the guilty one two hours later.
                ("boom 7, died", 0), ("boom 7, died", 0), ("boom 7, died", 0), (held, 0), ("calm 0, healthy", 0),
                ("boom 2, died", 2), ("calm 7, healthy", 2), ("calm 7, healthy", 3), ("boom 7, died", 5),
                ("calm 7, healthy", 8),
            ].map { line($0, ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": fatal, "HOURS": "\($1)"]) }),
        LaunchScenario(
            "a fatal document that is gone takes no turns, so the innocent overrides come free",
            [
                ("boom 7, died", fatal, 0), ("boom 7, died", fatal, 0), ("boom 7, died", fatal, 0), (held, fatal, 0),
                ("calm 1, healthy", good, 2), ("calm 7, healthy", good, 2), ("calm 7, healthy", good, 2),
            ].map { line($0, ["OVERRIDES": #"{"edition": 7}"#, "REMOTE": $1, "HOURS": "\($2)"]) }),
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
                "boom 1, died", "boom 2, died", "boom 3, died", "issue held-back-contents, boom 4, died",
                "issue held-back-contents, boom 5, died", held,
            ].enumerated().map { remote(#"{"boom": true, "edition": \#($0 + 1)}"#, $1) }),
        LaunchScenario(
            "a launch that dies of the second document that it uses: only that one is held back next time",
            threeDeaths + [
                remote(fatal, held),
                line("boom 3, died", ["REMOTE": good, "LATE": #"{"edition": 3, "boom": true}"#]),
                line(held, ["REMOTE": good, "LATE": #"{"edition": 3, "boom": true}"#]),
                remote(#"{"edition": 4}"#, "calm 4, healthy"),
            ]),
        LaunchScenario(
            "a crash that no flag causes",
            [
                "calm 1, died", "calm 1, died", "calm 1, died", "issue held-back-contents, calm 0, died",
                "calm 0, died", "issue released-contents, calm 1, died", "calm 1, died", "calm 1, died",
                "calm 1, died", "calm 1, died",
            ].map { remote(good, $0, way: "always-kill") } + [remote(good, "calm 1, healthy")]),
        LaunchScenario(
            "a crash before any flag is read",
            ["died", "died", "issue released-contents, died", "died"].map { remote(good, $0, way: "early-trap") }
                + [remote(good, "calm 1, healthy")]),
        LaunchScenario(
            "two crashes before any flag is read, and then a fatal document",
            [
                remote(fatal, "died", way: "early-kill"), remote(fatal, "died", way: "early-kill"),
                remote(fatal, "issue released-contents, boom 2, died"),
            ] + deaths("kill", "kill", "kill", "kill", "kill") + [remote(fatal, held)]),
        LaunchScenario(
            "the clock is set back",
            threeDeaths + [
                remote(fatal, held), remote(fatal, "calm 0, healthy"),
                remote(fatal, "boom 2, died", hours: -1000), remote(fatal, "calm 0, healthy", hours: -1000),
            ]),
        LaunchScenario(
            "the program is closed: exit(0), and the signals of the system, of a terminal and of its window",
            [remote(fatal, "boom 2", way: "exit")] + deaths("terminate", "interrupt", "hang up", "terminate")
                + [remote(fatal, "boom 2", way: "exit")]),
        LaunchScenario(
            "the user leaves the app early", deaths("background", "background", "background", "background")),
        LaunchScenario("a debugger", deaths("kill", "kill", "kill", with: ["DEBUGGED": "1"]) + deaths("kill")),
        LaunchScenario(
            "launches of an extension or in the background",
            deaths("kill", "kill", "kill", "kill", with: ["ActivePrewarm": "1"]) + deaths("kill")),
        LaunchScenario(
            "launches in the background that ask to count",
            three("boom 2, died", ["REMOTE": fatal, "ActivePrewarm": "1", "COUNTS_IN_BACKGROUND": "1"])
                + [line("calm 0, healthy", ["REMOTE": fatal, "ActivePrewarm": "1"])]),
        LaunchScenario(
            "a full disk, with and without held-back contents",
            [Line](
                repeating: line("issue launches-unknown, boom 2, died", ["REMOTE": fatal, "FULL_DISK": "1"]), count: 4
            ) + three("boom 2, died", ["REMOTE": fatal])
                + [Line](
                    repeating: line(
                        "issue launches-unknown, calm 0, healthy", ["REMOTE": fatal, "FULL_DISK": "1", "HOURS": "2"]),
                    count: 2
                ) + [remote(fatal, "boom 2, died", hours: 2), remote(fatal, "calm 0, healthy", hours: 2)]),
        LaunchScenario(
            "a folder that can't be written",
            [Line](
                repeating: line("issue launches-unknown, boom 2, died", ["REMOTE": fatal, "FOLDER": "/dev/null/x"]),
                count: 4
            ) + [line("issue launches-unknown, calm 1, healthy", ["REMOTE": good, "FOLDER": "/dev/null/x"])]),
        LaunchScenario(
            "damaged files",
            three("boom 2, died", ["REMOTE": fatal]) + [
                line("calm 0, healthy", ["REMOTE": fatal, "DAMAGED": "notes"]),
                line("issue launches-unknown, boom 2, died", ["REMOTE": fatal, "DAMAGED": "record"]),
            ] + deaths("kill", "kill") + [remote(fatal, held)]),
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
        // The guard keeps neither keys nor values.
        let launches = runner.folder.url.appending(path: "launches").path
        for name in FileManager.default.enumerator(atPath: launches)?.compactMap({ $0 as? String }) ?? [] {
            let bytes = FileManager.default.contents(atPath: "\(launches)/\(name)") ?? Data()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!["boom", "bang", "edition", "pinned", "secret", "hunter", "ada"].contains { text.contains($0) })
        }
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
