#if CommandLine
    import ArgumentParser
    import FlyingFox
    import FlyingSocks
    import Foundation
    import TacklineCore
    import TacklineFiles

    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serves a file of flags over HTTP while you edit it.",
            discussion: """
                For development: apps with a RemoteJSONProvider read the URL that is printed and, with the stream's URL \
                in their configuration, follow every change of the file at once. Property lists are served as JSON. A \
                file that is broken while you edit it is reported, and the last good one stays served.

                Each request is printed. Ends with control-C.

                  tackline serve flags.json
                """
        )

        @Argument(help: "The file: values or flag definitions as JSON, or values as a property list.")
        var file: String

        @Option(help: "The port; 0 chooses a free one.")
        var port: UInt16 = 8642

        @Option(help: "The address to listen on. 0.0.0.0 lets devices on your network in, without any password.")
        var host = "127.0.0.1"

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if file == "-" { throw ValidationError("Name a file that can change; standard input cannot.") }
        }

        func run() async throws {
            let document = try ServedDocument(path: file)
            let log = ServeLog(isJSON: output.isJSON)
            let streams = EventStreams()
            let handler = DocumentHandler(
                document: document, streams: streams, name: URL(filePath: file).lastPathComponent, log: log,
                hosts: isLoopback ? ["127.0.0.1", "localhost", "[::1]", host] : nil)
            let server = HTTPServer(
                config: .init(address: try address(), timeout: 30, logger: .disabled), handler: handler)
            let watcher = FileWatcher(path: file) {
                handler.reload()
                return false
            }
            let arrivals = await StopSignals.arrivals()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await server.run()
                    } catch {
                        throw CommandFailure(
                            """
                            The server cannot listen on \(host):\(port): \(error.localizedDescription). Choose another \
                            port with --port; 0 chooses a free one.
                            """)
                    }
                }
                group.addTask {
                    try await server.waitUntilListening(timeout: 3600)
                    announce(port: await listeningPort(of: server), name: handler.name, log)
                    defer { withExtendedLifetime(watcher) {} }
                    // The file may have changed since it was first read.
                    handler.reload()
                    for await _ in arrivals { return }
                }
                group.addTask {
                    // Comments keep connections open and detect clients that have closed theirs.
                    while (try? await Task.sleep(for: .seconds(15))) != nil { streams.ping() }
                }
                defer { group.cancelAll() }
                while case .failure(let error)? = await group.nextResult() {
                    if let failure = error as? CommandFailure { throw failure }
                }
                streams.close()
                await server.stop(timeout: 0.5)
            }
            log.write("stopped", "stopped")
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

        private func announce(port: UInt16, name: String, _ log: ServeLog) {
            let shown = host == "0.0.0.0" ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
            let root = "http://\(shown):\(port)"
            let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
            log.write(
                "serving",
                "serving \(file) at \(root)/\(path), and its changes at \(root)/events",
                ["url": .string("\(root)/\(path)"), "events": .string("\(root)/events")])
        }
    }
#endif
