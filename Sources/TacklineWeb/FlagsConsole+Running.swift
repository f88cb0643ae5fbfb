#if Web
    import TacklineBrowser
    public import TacklineCore

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension FlagsConsole {
        /// Serves the page until the task is cancelled, which closes all connections.
        ///
        /// It may be called several times, also concurrently on different ports.
        ///
        /// - Parameter onReady: Called once clients can connect, with the URL to open in a browser. The URL contains
        ///   the token, so print it only where it is seen by those who may change flags. With
        ///   ``FlagsConsoleAddress/everywhere`` the URL has an address at which other devices can reach this machine,
        ///   or 127.0.0.1 if it is in no network.
        /// - Throws: ``/TacklineCore/FlagError`` if the program runs in production, if the port or address can't be used, or
        ///   if the network fails later. Cancelling throws nothing.
        public func run(onReady: @Sendable (URL) -> Void = { _ in }) async throws(FlagError) {
            try checkEnvironment()
            let listener = try ConsoleListener(address: options.address, port: options.port)
            let hub = ConsoleHub(
                browser: browser, isReadOnly: options.isReadOnly, maximumStreams: options.limits.maximumStreams,
                isAllowed: isAllowed)
            let gate = ConsoleGuard(
                secrets: options.secrets, port: listener.port, hosts: options.hosts, isAllowed: isAllowed)
            let server = ConsoleServer(
                listener: listener,
                routes: ConsoleRoutes(gate: gate, hub: hub, page: ConsolePage(folder: options.pageFolder)),
                limits: options.limits)
            if let url = url(port: listener.port) { onReady(url) }
            let failure: FlagError? = await withTaskGroup(of: Void.self) { group in
                group.addTask { await hub.run() }
                group.addTask { [heartbeat = options.heartbeat] in await hub.beat(every: heartbeat) }
                defer { group.cancelAll() }
                do throws(FlagError) {
                    try await server.run()
                    return nil
                } catch {
                    return error
                }
            }
            await hub.close()
            if let failure { throw failure }
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

    extension FlagError.Code {
        /// A console that does not start, because customers use the program and overrides are not allowed there.
        public static let consoleInProduction: Self = "console-in-production"
        /// An address of a console that is not an address of this machine.
        public static let unusableAddress: Self = "unusable-address"
        /// A port of a console that is in use, or needs rights that the program doesn't have.
        public static let unusablePort: Self = "unusable-port"
        /// A file with a console's token that can't be used.
        public static let unusableSecrets: Self = "unusable-secrets"
    }
#endif
