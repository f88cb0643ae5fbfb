#if Web
    import TacklineBrowser
    import TacklineCore
    import TacklineComposition

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension FlagsConsole {
        /// Serves the page until the task is cancelled, which ends all connections.
        ///
        /// It may be run again, also at the same time on another port.
        ///
        /// - Parameter onReady: Called once clients can connect, with the URL to open in a browser. It holds the token:
        ///   print it where only those see it who shall change flags. With ``FlagsConsoleAddress/everywhere`` it names
        ///   an address of this machine at which other devices can reach it, or 127.0.0.1 if it is in no network.
        /// - Throws: ``FlagsConsoleError`` if the program runs in production, if the port or address cannot be had, or if
        ///   the network fails later. Cancelling throws nothing.
        public func run(onReady: @Sendable (URL) -> Void = { _ in }) async throws(FlagsConsoleError) {
            try checkEnvironment()
            let listener = try ConsoleListener(address: options.address, port: options.port)
            let hub = ConsoleHub(
                backend: backend, isReadOnly: options.isReadOnly, maximumStreams: options.limits.maximumStreams)
            let gate = ConsoleGuard(secrets: options.secrets, port: listener.port, hosts: options.hosts)
            let server = ConsoleServer(
                listener: listener,
                routes: ConsoleRoutes(gate: gate, hub: hub, page: ConsolePage(folder: options.pageFolder)),
                limits: options.limits)
            if let url = url(port: listener.port) { onReady(url) }
            let failure: FlagsConsoleError? = await withTaskGroup(of: Void.self) { group in
                group.addTask { await hub.run() }
                group.addTask { [heartbeat = options.heartbeat] in await hub.beat(every: heartbeat) }
                defer { group.cancelAll() }
                do throws(FlagsConsoleError) {
                    try await server.run()
                    return nil
                } catch {
                    return error
                }
            }
            await hub.close()
            if let failure { throw failure }
        }

        private func checkEnvironment() throws(FlagsConsoleError) {
            guard !environment.admitsOverrides else { return }
            throw FlagsConsoleError(
                .production,
                """
                The console does not start in environment "\(environment)", where customers use the program. If it shall \
                run there, give it DeploymentEnvironment.dangerouslyAdmittingOverridesInProduction().
                """)
        }

        func url(port: UInt16) -> URL? {
            var components = URLComponents()
            components.scheme = "http"
            let host =
                options.address == .everywhere ? LocalAddresses.reachable ?? "127.0.0.1" : options.address.host
            components.host = host.contains(":") ? "[\(host)]" : host
            components.port = Int(port)
            components.path = "/"
            components.queryItems = [URLQueryItem(name: "token", value: options.secrets.token)]
            return components.url
        }
    }
#endif
