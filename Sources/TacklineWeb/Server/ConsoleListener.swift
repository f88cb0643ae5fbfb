#if Web
    import FlyingSocks
    import TacklineCLibrary
    import TacklineCore

    /// The socket on which a console accepts connections.
    struct ConsoleListener: Sendable {
        let socket: Socket
        let port: UInt16

        /// Creates a socket that listens.
        ///
        /// - Parameter port: The port, or 0 for any free one.
        init(address: FlagsConsoleAddress, port: UInt16) throws(FlagError) {
            let host = address.host
            do {
                if host.contains(":") {
                    socket = try Self.listen(try sockaddr_in6.inet6(ip6: host, port: port))
                } else {
                    socket = try Self.listen(try sockaddr_in.inet(ip4: host, port: port))
                }
                guard let port = Self.parts(try socket.sockname())?.port else { throw SocketError.unsupportedAddress }
                self.port = port
            } catch {
                throw Self.explained(error, host: host, port: port)
            }
        }

        private static func listen(_ address: some SocketAddress) throws -> Socket {
            let socket = try Socket(domain: Int32(type(of: address).family))
            do {
                try socket.setValue(true, for: .localAddressReuse)
                #if canImport(Darwin)
                    // Accepted sockets inherit this option.
                    try socket.setValue(true, for: .noSIGPIPE)
                #endif
                try socket.bind(to: address)
                try socket.listen()
                return socket
            } catch {
                try? socket.close()
                throw error
            }
        }

        private static func explained(_ error: any Error, host: String, port: UInt16) -> FlagError {
            guard case .failed("Bind", let number, let text) = error as? SocketError else {
                return FlagError(
                    .unusableAddress,
                    """
                    The console cannot listen at "\(host)": \(error). Give it a numeric address of this machine, or \
                    FlagsConsoleAddress.loopback.
                    """)
            }
            if number == EADDRINUSE || number == EACCES {
                return FlagError(
                    .unusablePort,
                    """
                    The console cannot have port \(port) at \(host): \(text). Choose another one, or 0 for any that is \
                    free.
                    """)
            }
            return FlagError(
                .unusableAddress,
                """
                The console cannot listen at "\(host)": \(text). Give it an address of this machine, or \
                FlagsConsoleAddress.loopback.
                """)
        }

        /// Returns the host in URL syntax and the port, or `nil` if it is not an IP address.
        static func parts(_ address: Socket.Address) -> (host: String, port: UInt16)? {
            switch address {
            case .ip4(let host, let port): (host, port)
            case .ip6(let host, let port): ("[\(host)]", port)
            case .unix: nil
            }
        }
    }
#endif
