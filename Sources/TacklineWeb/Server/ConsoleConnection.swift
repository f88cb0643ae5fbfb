#if Web
    import FlyingSocks
    import TacklineCLibrary
    import TacklineHTTP

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: sockets take `Data`.

    /// A connection of a client, with one request and one response.
    struct ConsoleConnection: Sendable {
        let socket: AsyncSocket
        let routes: ConsoleRoutes
        let limits: FlagsConsoleLimits

        /// Reads the request, sends the response and closes the connection.
        ///
        /// Frees its place before it closes the socket, so that a client that waits for the end can connect again.
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
                } catch let problem as HTTPRequestProblem {
                    try await send(.plain(problem))
                    try await dropRest()
                    return
                }
                guard let request else { return }
                // If a response can't be sent in time, no other response follows.
                try await send(await routes.response(to: request, localHost: localHost))
                if request.body.isEmpty, (request.headers["content-length"] ?? "0") != "0" { try await dropRest() }
            } catch {
                // The client has disconnected or the console is stopping, so no error can be reported.
            }
        }

        /// Responds that there are too many connections, and closes the connection.
        func refuse(leaving places: ConsoleConnectionCounter) async {
            defer {
                places.leave()
                try? socket.close()
            }
            try? await send(.plain(HTTPRequestProblem(503, "Too many connections. Try again in a moment.")))
            // The request may still be arriving.
            try? await dropRest()
        }

        /// - Parameter onSession: Called once the client has presented the session, before the body is read.
        /// - Returns: The request, or `nil` if the client closes the connection before the request is complete.
        private func read(
            localHost: String, onSession: @escaping @Sendable () -> Void
        ) async throws -> ConsoleRequest? {
            var reader = HTTPRequestReader(limits: limits.reading) { (request) throws(HTTPRequestProblem) in
                guard routes.admits(try ConsoleRequest(request), localHost: localHost) else { return false }
                onSession()
                return true
            }
            do {
                while true {
                    if let request = try reader.append(try await socket.read(atMost: 4096)) {
                        return try ConsoleRequest(request)
                    }
                    if reader.takeInvitation() { try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
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
                    // This read detects that the client has disconnected, long before a write fails.
                    group.addTask {
                        while true { _ = try await socket.read(atMost: 4096) }
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }

        /// Reads what a refused client still sends, up to 8 MiB. If the connection were closed before that, the client
        /// would never receive the response.
        private func dropRest() async throws {
            _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
            try await withTimeout {
                var rest = 8 << 20
                while rest > 0 { rest -= try await socket.read(atMost: 64 << 10).count }
            }
        }

        /// Runs an operation, and throws if it takes longer than the timeout.
        private func withTimeout<Success: Sendable>(
            _ operation: @escaping @Sendable () async throws -> Success
        ) async throws -> Success {
            try await withThrowingTaskGroup(of: Success.self) { group in
                group.addTask { try await operation() }
                group.addTask {
                    try await Task.sleep(for: limits.timeout)
                    throw HTTPRequestProblem(408, "The request took too long. Try again.")
                }
                defer { group.cancelAll() }
                guard let success = try await group.next() else { throw CancellationError() }
                return success
            }
        }
    }
#endif
