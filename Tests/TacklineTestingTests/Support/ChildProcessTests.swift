import Foundation
import TacklineTestSupport
import Testing

@Suite("A program that a test runs", .needsTheMachine)
struct ChildProcessTests {
    private static func shell(_ script: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(URL(filePath: "/bin/sh"), ["-c", script] + arguments)
    }

    @Test("gives its lines as they come, and at its end the rest, its errors and its status")
    func output() async throws {
        let program = try Self.shell("echo one; echo two; echo three; printf rest; echo wrong >&2; exit 3")
        #expect(try await program.nextLine() == "one")
        let ending = try await program.ending()
        #expect(ending.lines == ["two", "three"])
        #expect(ending.output == "one\ntwo\nthree\nrest")
        #expect(ending.errors == "wrong\n")
        #expect(ending.status == 3 && !ending.isSignal)
        #expect(!program.isRunning)
    }

    @Test("runs in its folder, with its variables, and may have its errors among its lines")
    func surroundings() async throws {
        let script = #"pwd; echo "$TACKLINE_X" >&2; read -r line || echo no input"#
        let program = try ChildProcess(
            URL(filePath: "/bin/sh"), ["-c", script], in: URL(filePath: "/"), environment: ["TACKLINE_X": "x y"],
            mergesErrors: true)
        #expect(try await program.ending().lines == ["/", "x y", "no input"])
    }

    @Test("that is not there says so by its status")
    func absent() async throws {
        let ending = try await ChildProcess(URL(filePath: "/nowhere/program"), []).ending()
        #expect(ending.status == 127 && ending.errors.contains("/nowhere/program"))
    }

    @Test("is ended by a signal, which shows")
    func signals() async throws {
        let killed = try Self.shell("echo ready; exec sleep 3600")
        #expect(try await killed.nextLine() == "ready")
        #expect(killed.isRunning)
        killed.kill()
        #expect(try await killed.ending().isSignal)
        let interrupted = try Self.shell("trap 'exit 5' INT; echo ready; while :; do sleep 0.01; done")
        #expect(try await interrupted.nextLine() == "ready")
        interrupted.interrupt()
        #expect(try await interrupted.ending().status == 5)
    }

    @Test("ends with the task that waits for it")
    func cancelled() async throws {
        let program = try Self.shell("echo ready; exec sleep 3600")
        #expect(try await program.nextLine() == "ready")
        let waiting = Task { try await program.ending() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        while program.isRunning { await Task.yield() }
    }

    @Test("ends with the process that started it, though that is killed")
    func orphaned() async throws {
        let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
            let path = FileManager.default.temporaryDirectory.appending(path: "tackline-\(UUID().uuidString)").path
            #expect(mkfifo(path, 0o600) == 0)
            // While the program lives, there is one that could write to the pipe.
            let program = try ChildProcessTests.shell(#"exec 4<>"$0"; echo ready; exec sleep 3600"#, path)
            #expect(try await program.nextLine() == "ready")
            print(path)
            fflush(nil)
            kill(getpid(), SIGKILL)
        }
        let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        let path = String(try #require(output.split(separator: "\n").last))
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0, "\(output)")
        defer {
            close(descriptor)
            unlink(path)
        }
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) != 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
