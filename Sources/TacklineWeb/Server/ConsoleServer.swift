#if Web
    import FlyingSocks
    import TacklineCLibrary
    import TacklineCore

    /// A server that accepts connections and answers one request on each.
    ///
    /// It uses the sockets of FlyingFox and not its `HTTPServer`, which accepts any number of connections and lines of
    /// any length.
    struct ConsoleServer: Sendable {
        let listener: ConsoleListener
        let routes: ConsoleRoutes
        let limits: FlagsConsoleLimits

        /// Serves until the task is cancelled or the network fails. Closes the listener when it ends.
        func run() async throws(FlagError) {
            defer { try? listener.socket.close() }
            let pool = Self.makePool()
            do {
                try await pool.prepare()
                try await serve(on: pool)
            } catch {
                guard !Task.isCancelled else { return }
                throw FlagError(
                    .network, "The console ended because the network failed: \(error). Run it again.")
            }
        }

        private static func makePool() -> some AsyncSocketPool {
            #if canImport(Darwin)
                return .kQueue()
            #else
                return .make()
            #endif
        }

        private func serve(on pool: some AsyncSocketPool) async throws {
            let socket = try AsyncSocket(socket: listener.socket, pool: pool)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask { try await accept(on: socket) }
                defer { group.cancelAll() }
                try await group.next()
            }
        }

        private func accept(on socket: AsyncSocket) async throws {
            let places = ConsolePlaces(maximum: limits.maximumConnections)
            // A refused connection stays open until its response was sent. Connections beyond this limit are closed at
            // once.
            let refusals = ConsoleConnectionCounter(maximum: 64)
            try await withThrowingDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    do {
                        let client = try await socket.accept()
                        let connection = ConsoleConnection(socket: client, routes: routes, limits: limits)
                        if let place = places.enter(descriptor: client.socket.file.rawValue) {
                            group.addTask { await connection.run(in: place, of: places) }
                        } else if refusals.enter() {
                            group.addTask { await connection.refuse(leaving: refusals) }
                        } else {
                            try? client.close()
                        }
                    } catch SocketError.failed(type: "Accept", let number, _) where Self.passes(number) {
                        // No descriptors are left, or the client has already disconnected. Try again in a moment.
                        try await Task.sleep(for: .milliseconds(100))
                    }
                }
            }
        }

        private static func passes(_ number: Int32) -> Bool {
            [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM, EINTR].contains(number)
        }
    }
#endif
