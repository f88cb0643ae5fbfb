import Foundation
import TacklineLoopback
import TacklineTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite("Loopback servers that come and go", .needsTheMachine)
struct LoopbackLeakTests {
    private static let rounds = 200

    // In a process of its own, where nothing else is opened.
    @Test("leave no descriptors and no threads behind")
    func nothingIsLeft() async {
        await #expect(processExitsWith: .success) {
            try await Self.round(0)
            let (descriptors, threads) = (Self.descriptorCount, Self.threadCount)
            for number in 0..<Self.rounds { try await Self.round(number) }
            // A thread is counted until a moment after it has said that it is done; a leak would be one in each round.
            #expect(Self.descriptorCount - descriptors < Self.rounds / 3)
            #expect(Self.threadCount - threads < Self.rounds / 3)
        }
    }

    private static func round(_ number: Int) async throws {
        let server = try LoopbackServer { request in
            request.target == "/reset" ? .script([.text("x"), .reset]) : .response(.text("ok"))
        }
        let target = ["/", "/reset", "malformed request"][number % 3]
        _ = try await RawClient.exchange(port: server.port, "GET \(target) HTTP/1.1\r\n\r\n")
        server.stop()
        try await server.waitUntilEnded()
    }

    /// How many descriptors are open. The system gives the lowest free number, so more need not be asked about.
    private static var descriptorCount: Int {
        (0..<Int32(2048)).count { fcntl($0, F_GETFD) != -1 }
    }

    /// The process's threads where the system says; else 0.
    private static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
}
