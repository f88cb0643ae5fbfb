import Foundation
import Synchronization
import TacklineTesting
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
    private static let rounds = 400

    @Test("leave no descriptors and no threads behind")
    func nothingIsLeft() async throws {
        let descriptorsBefore = Self.descriptorCount
        let threadsBefore = Self.threadCount
        let seen = Seen()
        for round in 0..<Self.rounds {
            let server = try LoopbackServer { request in
                seen.insert(Self.sockets(ofPort: request.headerValue("X-Port").flatMap(UInt16.init) ?? 0))
                return request.target == "/reset" ? .script([.text("x"), .reset]) : .response(.text("ok"))
            }
            let target = ["/", "/reset", "malformed request"][round % 3]
            let text = "GET \(target) HTTP/1.1\r\nX-Port: \(server.port)\r\n\r\n"
            _ = try await RawClient.exchange(port: server.port, text)
            server.stop()
            await server.waitUntilEnded()
        }
        // Exact for the sockets that handlers saw: in two rounds of three a listening and an accepted one.
        #expect(seen.sockets.count >= Self.rounds / 3 * 4)
        #expect(seen.sockets.isDisjoint(with: Self.sockets(ofPort: nil)))
        // Tests that run beside this one are in these counts, so they only tell a leak of one in each round.
        #expect(Self.descriptorCount - descriptorsBefore < Self.rounds - 50)
        #expect(Self.threadCount - threadsBefore < Self.rounds - 50)
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
    private static let descriptors = 0..<Int32(4096)

    private static var descriptorCount: Int {
        descriptors.count { fcntl($0, F_GETFD) != -1 }
    }

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
