#if CommandLine
    import FlyingFox
    import FlyingSocks
    import Foundation
    import Synchronization
    import TacklineCore
    import TacklineFiles
    import TacklineTargeting

    /// A mark that a stop was requested, since the server ends with an error in any case.
    private final class StopMark: Sendable {
        private let isSet = Atomic(false)
        var value: Bool { isSet.load(ordering: .acquiring) }
        func set() { isSet.store(true, ordering: .releasing) }
    }

    /// An HTTP server for one document and for the stream of its changes.
    struct DevelopmentServer: Sendable {
        let path: String
        let host: String
        let port: UInt16
        let log: ServeLog
        var generation = FractionalGeneration.v2
        var keyFile: String?
        var allowedOrigin: String?

        /// Serves the document until a signal arrives.
        ///
        /// - Throws: ``CommandFailure`` if the file cannot be used at the start, or if the server cannot listen on the
        ///   address.
        func run() async throws {
            let keys = try ServeKeys(path: keyFile)
            let document = try ServedDocument(path: path, generation: generation)
            let streams = EventStreams()
            let evaluationStreams = EventStreams()
            let handler = DocumentHandler(
                document: document, streams: streams, name: URL(filePath: path).lastPathComponent, log: log,
                hosts: isLoopback ? ["127.0.0.1", "localhost", "[::1]", host] : nil, keys: keys,
                evaluationStreams: evaluationStreams, allowedOrigin: allowedOrigin)
            let server = HTTPServer(
                config: .init(address: try address(), timeout: 30, logger: .disabled), handler: handler)
            let watcher = FileWatcher(path: path, usesEvents: true, interval: .milliseconds(500)) {
                handler.reload()
            }
            let isStopping = StopMark()
            let arrivals = await StopSignals.arrivals()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await server.run()
                    } catch let error where !isStopping.value {
                        throw CommandFailure(
                            """
                            \(host):\(port) cannot be listened on: \(error.localizedDescription). Choose another port \
                            with --port; 0 takes one that is free.
                            """)
                    }
                }
                group.addTask {
                    try await server.waitUntilListening()
                    announce(port: await listeningPort(of: server), name: handler.name)
                    watcher.start()
                    // The file may have changed since it was first read.
                    handler.reload()
                    for await _ in arrivals { break }
                    isStopping.set()
                    streams.close()
                    evaluationStreams.close()
                    await server.stop(timeout: 0.5)
                }
                group.addTask {
                    // Comments keep connections open and detect clients that have closed theirs.
                    while (try? await Task.sleep(for: .seconds(15))) != nil {
                        streams.ping()
                        evaluationStreams.ping()
                    }
                }
                defer { group.cancelAll() }
                while let result = await group.nextResult() {
                    if case .failure(let failure as CommandFailure) = result { throw failure }
                    // The server ended because it was stopped.
                    return
                }
            }
            log.tell("stopped", "stopped")
        }

        private var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

        private func address() throws(CommandFailure) -> any SocketAddress {
            do {
                if host == "::1" || host.contains(":") { return try sockaddr_in6.inet6(ip6: host, port: port) }
                return try sockaddr_in.inet(ip4: host == "localhost" ? "127.0.0.1" : host, port: port)
            } catch {
                throw CommandFailure(
                    "\"\(host)\" is not an address of this machine: use 127.0.0.1, ::1, or 0.0.0.0 for all.",
                    status: .usage
                )
            }
        }

        private func listeningPort(of server: HTTPServer) async -> UInt16 {
            switch await server.listeningAddress {
            case .ip4(_, let port), .ip6(_, let port): port
            default: port
            }
        }

        private func announce(port: UInt16, name: String) {
            let shown = host == "0.0.0.0" ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
            let root = "http://\(shown):\(port)"
            let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
            log.tell(
                "serving",
                "serving \(self.path) at \(root)/\(path), its changes at \(root)/events, and OpenFeature's SDKs at \(root)",
                ["url": .string("\(root)/\(path)"), "events": .string("\(root)/events"), "ofrep": .string(root)])
        }
    }
#endif
