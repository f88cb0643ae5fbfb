#if Web
    import TacklineCLibrary

    /// The IPv4 addresses of this machine.
    enum LocalAddresses {
        /// The address at which other devices most likely reach this machine, or `nil` if it is in no network.
        ///
        /// Wired and wireless networks are preferred to bridges and tunnels, which other devices can't reach.
        static var reachable: String? { choice(of: all.filter { !$0.host.hasPrefix("127.") }) }

        /// The addresses with the names of their interfaces.
        static var all: [(name: String, host: String)] {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return [] }
            defer { freeifaddrs(first) }
            var found: [(name: String, host: String)] = []
            var next = first
            while let entry = next?.pointee {
                next = entry.ifa_next
                guard Int(entry.ifa_flags) & Int(IFF_UP) != 0, let address = entry.ifa_addr,
                    Int32(address.pointee.sa_family) == AF_INET
                else { continue }
                var number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
                var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
                guard inet_ntop(AF_INET, &number, &text, socklen_t(INET_ADDRSTRLEN)) != nil else { continue }
                let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                found.append((String(cString: entry.ifa_name), host))
            }
            return found
        }

        /// Returns the most likely of some addresses.
        static func choice(of addresses: [(name: String, host: String)]) -> String? {
            let physical = addresses.first { address in ["en", "eth", "wl"].contains { address.name.hasPrefix($0) } }
            // Addresses in 169.254.0.0/16 mean that the network assigned none.
            let routed = addresses.first { !$0.host.hasPrefix("169.254.") }
            return (physical ?? routed ?? addresses.first)?.host
        }
    }
#endif
