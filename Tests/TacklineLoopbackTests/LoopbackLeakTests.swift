import Foundation
import Synchronization
import TacklineLoopback
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite("Loopback servers that come and go", .timeLimit(.minutes(2)))
struct LoopbackLeakTests {
    private static let rounds = 200

    @Test("leave no sockets and no threads behind")
    func nothingIsLeft() async throws {
        let threadsBefore = Self.threadCount
        let accepted = Seen()
        var made: Set<UInt64> = []
        for round in 0..<Self.rounds {
            let socketsBefore = Self.sockets(ofPort: nil)
            let server = try LoopbackServer { request in
                accepted.insert(Self.sockets(ofPort: request.headerValue("X-Port").flatMap(UInt16.init) ?? 0))
                return request.target == "/reset" ? .script([.text("x"), .reset]) : .response(.text("ok"))
            }
            made.formUnion(Self.sockets(ofPort: nil).subtracting(socketsBefore))
            let target = ["/", "/reset", "malformed request"][round % 3]
            let text = "GET \(target) HTTP/1.1\r\nX-Port: \(server.port)\r\n\r\n"
            _ = try await RawClient.exchange(port: server.port, text)
            server.stop()
            await server.waitUntilEnded()
        }
        // Exact: in two rounds of three the handler saw a listening and an accepted socket.
        let open = Self.sockets(ofPort: nil)
        #expect(accepted.sockets.count >= Self.rounds / 3 * 4)
        #expect(accepted.sockets.isDisjoint(with: open))
        // Tests that run beside this one may have a part in the others, so they only tell a leak of one in each round.
        #expect(made.count >= Self.rounds)
        #expect(made.intersection(open).count < Self.rounds / 2)
        #expect(Self.threadCount - threadsBefore < Self.rounds / 2)
    }

    /// The sockets that handlers saw open.
    private final class Seen: Sendable {
        private let state = Mutex<Set<UInt64>>([])

        var sockets: Set<UInt64> {
            state.withLock { $0 }
        }

        func insert(_ sockets: Set<UInt64>) {
            state.withLock { $0.formUnion(sockets) }
        }
    }

    /// The system gives the lowest free number, so more is not needed.
    private static let descriptors = 0..<Int32(2048)

    /// The file numbers of the process's open sockets with that local port; of all its sockets for `nil`. Unlike
    /// descriptors, these numbers are not used again.
    private static func sockets(ofPort port: UInt16?) -> Set<UInt64> {
        let numbers = descriptors.compactMap { descriptor -> UInt64? in
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let outcome = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            }
            guard outcome == 0, port == nil || address.sin_port.bigEndian == port else { return nil }
            return UInt64(status.st_ino)
        }
        return Set(numbers)
    }

    /// The process's threads where the system says; else 0.
    private static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
}
