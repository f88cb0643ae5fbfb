#if Web
    import FlyingFox
    import FlyingSocks
    public import Foundation
    import TacklineBrowser
    import TacklineCLibrary
    public import TacklineCore

    extension FlagsConsole {
        /// Serves the page until the task is cancelled, which closes all connections.
        ///
        /// It may be called several times, also concurrently on different ports. Pages stay signed in.
        ///
        /// - Parameter onReady: Called once clients can connect, with the URL to open in a browser. The URL contains
        ///   the token, so print it only where it is seen by those who may change flags. With ``Address/everywhere`` the
        ///   URL has an address at which other devices can reach this machine, or 127.0.0.1 if it is in no network.
        /// - Throws: ``/TacklineCore/FlagError`` if the program runs in production, if the port or address can't be used, or
        ///   if the network fails later. Cancelling throws nothing.
        public func run(onReady: @Sendable (URL) -> Void = { _ in }) async throws(FlagError) {
            try checkEnvironment()
            var port = options.port
            var isReady = false
            while !Task.isCancelled {
                do {
                    port = try await serve(at: port) { port in
                        if !isReady, let url = url(port: port) { onReady(url) }
                        isReady = true
                    }
                } catch {
                    if !Task.isCancelled { throw explained(error, port: port) }
                }
            }
        }

        /// Serves until the listener fails in a way that passes, and returns the port for the next one.
        private func serve(at port: UInt16, onReady: (UInt16) -> Void) async throws -> UInt16 {
            let server = try server(at: port)
            let events = ConsoleEvents()
            return try await withThrowingTaskGroup(of: UInt16?.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await server.run()
                    return nil
                }
                group.addTask {
                    for await revision in browser.updates() { events.send(revision) }
                    return nil
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: heartbeat)
                        events.repeatLast()
                    }
                }
                group.addTask {
                    try await server.waitUntilListening(timeout: 3600)
                    guard let port = await server.listeningAddress.flatMap(Self.port) else { return nil }
                    let gate = ConsoleGuard(
                        secrets: secrets, port: port, address: options.address, hosts: options.hosts,
                        isAllowed: isAllowed)
                    let routes = ConsoleRoutes(
                        gate: gate, page: ConsolePage(folder: options.pageFolder), events: events, browser: browser,
                        isReadOnly: options.isReadOnly)
                    await server.appendRoute("*", to: routes)
                    return port
                }
                var used = port
                do {
                    while let port = try await group.next() {
                        guard let port else { continue }
                        used = port
                        onReady(port)
                    }
                } catch SocketError.failed(type: "Accept", _, _) {
                    // No descriptors are left, or a client has already disconnected, at which FlyingFox's server ends.
                    try await Task.sleep(for: .milliseconds(100))
                }
                return used
            }
        }

        private func server(at port: UInt16) throws -> HTTPServer {
            let host = options.address.host
            let address: any SocketAddress =
                host.contains(":")
                ? try sockaddr_in6.inet6(ip6: host, port: port) : try sockaddr_in.inet(ip4: host, port: port)
            return HTTPServer(
                config: .init(
                    address: address, timeout: 60, sharedRequestReplaySize: 0,
                    pool: ConsolePool(base: HTTPServer.defaultPool(), timeout: timeout), logger: .disabled))
        }

        private static func port(of address: Socket.Address) -> UInt16? {
            switch address {
            case .ip4(_, let port), .ip6(_, let port): port
            case .unix: nil
            }
        }

        private func checkEnvironment() throws(FlagError) {
            if isAllowed() { return }
            throw FlagError(
                .consoleInProduction,
                """
                The console does not start in environment "\(environment)", because no overrides are allowed there now. \
                To run it there, say with FlagOverrides(…, isAllowed:) for whom, or give it \
                DeploymentEnvironment.dangerouslyAdmittingOverridesInProduction().
                """)
        }

        private func explained(_ error: any Error, port: UInt16) -> FlagError {
            let host = options.address.host
            switch error as? SocketError {
            case .failed("Bind", let number, let text) where number == EADDRINUSE || number == EACCES:
                return FlagError(
                    .unusablePort,
                    """
                    The console cannot have port \(port) at \(host): \(text). Choose another one, or 0 for any that is \
                    free.
                    """)
            case .failed(let step, _, let text) where step == "Bind" || step.hasPrefix("inet_pton"):
                return FlagError(
                    .unusableAddress,
                    """
                    The console cannot listen at "\(host)": \(text). Give it a numeric address of this machine, or \
                    FlagsConsole.Address.loopback.
                    """)
            default:
                return FlagError(.network, "The console ended because the network failed: \(error). Run it again.")
            }
        }

        func url(port: UInt16) -> URL? {
            let host =
                options.address == .everywhere ? LocalAddresses.reachable ?? "127.0.0.1" : options.address.host
            return URL(string: "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/?token=\(secrets.token)")
        }
    }

    extension FlagError.Code {
        /// A console that does not start, because customers use the program and overrides are not allowed there.
        public static let consoleInProduction: Self = "console-in-production"
        /// An address of a console that is not an address of this machine.
        public static let unusableAddress: Self = "unusable-address"
        /// A port of a console that is in use, or needs rights that the program doesn't have.
        public static let unusablePort: Self = "unusable-port"
    }
#endif
