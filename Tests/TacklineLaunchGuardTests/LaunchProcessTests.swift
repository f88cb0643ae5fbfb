import Foundation
import TacklineTestSupport
import Testing

/// Where the program is that dies.
private let probe = ChildProcess.program("LaunchProbe")

@Suite(
    "An app that new values kill", .enabled(if: probe != nil, "LaunchProbe was not found beside the tests"), .hangLimit)
struct LaunchProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func values(_ text: String) throws {
        _ = try folder.file("flags.json", text)
    }

    private func start(_ way: String) throws -> ChildProcess {
        try ChildProcess(#require(probe), [folder.url.path, way], environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    /// Launches it and returns what it printed, with a line for its death.
    private func launch(_ way: String) async throws -> [String] {
        let ending = try await start(way).ending()
        return ending.lines + (ending.isSignal ? ["died"] : [])
    }

    @Test("of a signal, of a trap, or by being killed, starts without them after the third time")
    func heals() async throws {
        for way in ["signal", "trap", "kill"] {
            try values(#"{"edition": 1}"#)
            #expect(try await launch(way) == ["calm 1", "healthy"])
            try values(#"{"edition": 2, "boom": true}"#)
            for _ in 0..<3 { #expect(try await launch(way) == ["boom 2", "died"], "\(way)") }
            #expect(try await launch(way) == ["issue held-back-values", "calm 0", "healthy"], "\(way)")
            // Until others come, however often it is started.
            #expect(try await launch(way) == ["calm 0", "healthy"], "\(way)")
            try values(#"{"edition": 3}"#)
            #expect(try await launch(way) == ["calm 3", "healthy"], "\(way)")
            // The bad ones are still known.
            try values(#"{"edition": 1, "boom": true}"#)
            #expect(try await launch(way) == ["calm 1", "healthy"], "\(way)")
            try FileManager.default.removeItem(at: folder.url.appending(path: "launches"))
        }
    }

    @Test("takes new values at once, and holds back only what is new in all launches that died")
    func newer() async throws {
        for edition in 1...3 {
            try values(#"{"edition": \#(edition), "boom": true}"#)
            #expect(try await launch("kill") == ["boom \(edition)", "died"])
        }
        #expect(try await launch("kill") == ["issue held-back-values", "calm 3", "healthy"])
    }

    @Test("for another reason has its values again soon: nothing is held back for more launches in vain than it took")
    func otherReason() async throws {
        // Values that were healthy are never suspected.
        try values(#"{"edition": 1}"#)
        #expect(try await launch("signal") == ["calm 1", "healthy"])
        for _ in 0..<7 { #expect(try await launch("always-signal") == ["calm 1", "died"]) }
        // New ones are, and are given back.
        try values(#"{"edition": 2}"#)
        var lines: [[String]] = []
        for _ in 0..<7 { lines.append(try await launch("always-signal")) }
        #expect(
            lines == [
                ["calm 2", "died"], ["calm 2", "died"], ["calm 2", "died"],
                ["issue held-back-values", "calm 0", "died"], ["calm 0", "died"], ["calm 0", "died"],
                ["issue released-values", "calm 2", "died"],
            ])
        #expect(try await launch("signal") == ["calm 2", "healthy"])
    }

    @Test("counts as dead only once nobody runs it: two processes share what is known")
    func twoProcesses() async throws {
        try values(#"{"edition": 1, "boom": true}"#)
        let first = try start("wait")
        #expect(try await first.nextLine() == "boom 1")
        #expect(try await first.nextLine() == "waiting")
        // It is alive, so nothing counts against its values, however often others are started and die.
        #expect(try await launch("kill") == ["boom 1", "died"])
        #expect(try await launch("kill") == ["boom 1", "died"])
        first.kill()
        #expect(try await first.ending().isSignal)
        #expect(try await launch("kill") == ["issue held-back-values", "calm 0", "healthy"])
    }

    @Test("at the same time in many processes leaves a record that is whole")
    func manyProcesses() async throws {
        try values(#"{"edition": 1, "boom": true}"#)
        for _ in 0..<3 {
            let children = try (0..<4).map { _ in try start("kill") }
            for child in children { _ = try await child.ending() }
        }
        #expect(try await launch("kill").suffix(2) == ["calm 0", "healthy"])
        #expect(try await launch("kill") == ["calm 0", "healthy"])
        let launches = folder.url.appending(path: "launches")
        let executable = try #require(FileManager.default.contentsOfDirectory(atPath: launches.path).first)
        let left = try FileManager.default.contentsOfDirectory(atPath: launches.appending(path: executable).path)
        #expect(left.sorted() == ["lock", "record"])
    }

    @Test("that ends by itself has not died")
    func exits() async throws {
        try values(#"{"edition": 1, "boom": true}"#)
        for _ in 0..<5 { #expect(try await launch("exit") == ["boom 1"]) }
    }
}
