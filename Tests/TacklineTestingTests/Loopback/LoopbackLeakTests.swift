#if os(Linux)
    import Foundation
    import Synchronization
    import TacklineTesting
    import Testing

    @Suite("Loopback servers that come and go", .timeLimit(.minutes(2)))
    struct LoopbackLeakTests {
        @Test("leave neither sockets nor threads behind")
        func nothingIsLeft() async throws {
            let rounds = 400
            let before = (descriptors: try Self.descriptors().count, threads: try Self.threads())
            let seen = Seen()
            for round in 0..<rounds {
                let server = try LoopbackServer { request in
                    seen.insert(Self.sockets(ofPort: request.headerValue("X-Port") ?? ""))
                    return request.target == "/reset" ? .script([.text("x"), .reset]) : .response(.text("ok"))
                }
                let target = ["/", "/reset", "malformed request"][round % 3]
                let text = "GET \(target) HTTP/1.1\r\nX-Port: \(server.port)\r\n\r\n"
                _ = try await RawClient.exchange(port: server.port, text)
                if round.isMultiple(of: 2) {
                    server.stop()
                    await server.waitUntilEnded()
                }
            }
            // Exact for the listening and the accepted sockets, once the released servers have ended too.
            #expect(seen.sockets.count > rounds)
            while try !seen.sockets.isDisjoint(with: Self.descriptors()) {
                try Task.checkCancellation()
                await Task.yield()
            }
            // Tests that run beside this one are in these counts, so they only tell a leak of one in each round.
            #expect(try Self.descriptors().count - before.descriptors < rounds - 50)
            #expect(try Self.threads() - before.threads < rounds - 50)
        }

        /// The sockets that handlers saw open.
        private final class Seen: Sendable {
            private let state = Mutex<Set<String>>([])

            var sockets: Set<String> {
                state.withLock { $0 }
            }

            func insert(_ sockets: Set<String>) {
                state.withLock { $0.formUnion(sockets) }
            }
        }

        /// What the process's descriptors stand for, like `socket:[12345]`.
        private static func descriptors() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                // Some are closed by now, among them the one that listed the directory.
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
        }

        private static func threads() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        }

        /// The open sockets with that local port, in the form of ``descriptors()``. Those already closed have the number 0.
        private static func sockets(ofPort port: String) -> Set<String> {
            guard let port = UInt16(port), let table = try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
            else {
                return []
            }
            let sockets = table.split(separator: "\n").dropFirst().compactMap { line -> String? in
                let fields = line.split(separator: " ")
                guard fields.count > 9, let digits = fields[1].split(separator: ":").last,
                    UInt16(digits, radix: 16) == port, fields[9] != "0"
                else { return nil }
                return "socket:[\(fields[9])]"
            }
            return Set(sockets)
        }
    }
#endif
