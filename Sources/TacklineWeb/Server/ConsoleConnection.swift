#if Web
    import FlyingSocks

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Glibc)
        import Glibc
    #endif

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: sockets take `Data`.

    /// One client, one request, one answer.
    struct ConsoleConnection: Sendable {
        let socket: AsyncSocket
        let routes: ConsoleRoutes
        let limits: FlagsConsoleLimits

        /// Reads, answers and closes.
        ///
        /// Its place is free before the client sees the end, so that whoever waits for the end can connect again.
        func run(in place: Int, of places: ConsolePlaces) async {
            defer {
                places.leave(place)
                try? socket.close()
            }
            do {
                let localHost = ConsoleListener.parts(try socket.socket.sockname())?.host ?? ""
                let request: ConsoleRequest?
                do {
                    request = try await withTimeout { try await read(localHost: localHost) { places.keep(place) } }
                } catch let problem as ConsoleRequestProblem {
                    try await send(.plain(problem))
                    try await dropRest()
                    return
                }
                guard let request else { return }
                // An answer that is not taken in time is not followed by another one.
                try await send(await routes.response(to: request, localHost: localHost))
                if request.body.isEmpty, (request.headers["content-length"] ?? "0") != "0" { try await dropRest() }
            } catch {
                // The client is gone, or the console stops. There is nobody to tell.
            }
        }

        /// Says that there are too many, and closes.
        func refuse(leaving places: ConsoleConnectionCounter) async {
            defer {
                places.leave()
                try? socket.close()
            }
            try? await send(.plain(ConsoleRequestProblem(503, "Too many connections. Try again in a moment.")))
            // The request may still be on its way.
            try? await dropRest()
        }

        /// - Returns: `nil` if the client closes before the request is complete.
        ///
        /// - Parameter onSession: Called once the session was shown, before the body is read.
        private func read(
            localHost: String, onSession: @escaping @Sendable () -> Void
        ) async throws -> ConsoleRequest? {
            var reader = ConsoleRequestReader(limits: limits) { request in
                guard routes.admits(request, localHost: localHost) else { return false }
                onSession()
                return true
            }
            var hasTold = false
            do {
                while true {
                    if let request = try reader.append(try await socket.read(atMost: 4096)) { return request }
                    if !hasTold, reader.isWaitedFor {
                        hasTold = true
                        try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                    }
                }
            } catch SocketError.disconnected {
                return nil
            }
        }

        private func send(_ response: ConsoleResponse) async throws {
            switch response.body {
            case .text(let text):
                try await withTimeout { try await socket.write(response.head + Data(text.utf8)) }
            case .stream(let pieces):
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await withTimeout { try await socket.write(response.head) }
                        for await piece in pieces {
                            try await withTimeout { try await socket.write(Data(piece.utf8)) }
                        }
                    }
                    // A client that goes is noticed here, long before a write fails.
                    group.addTask {
                        while true { _ = try await socket.read(atMost: 4096) }
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }

        /// Takes in what a refused client still sends, within reason: if the connection were closed on top of it, the
        /// client would never see the answer.
        private func dropRest() async throws {
            _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
            try await withTimeout {
                var rest = 8 << 20
                while rest > 0 { rest -= try await socket.read(atMost: 64 << 10).count }
            }
        }

        /// Runs something within the limit of time.
        private func withTimeout<Success: Sendable>(
            _ operation: @escaping @Sendable () async throws -> Success
        ) async throws -> Success {
            try await withThrowingTaskGroup(of: Success.self) { group in
                group.addTask { try await operation() }
                group.addTask {
                    try await Task.sleep(for: limits.timeout)
                    throw ConsoleRequestProblem(408, "The request took too long.")
                }
                defer { group.cancelAll() }
                guard let success = try await group.next() else { throw CancellationError() }
                return success
            }
        }
    }
#endif
