#if Web
    /// The address at which a console can be reached.
    public enum FlagsConsoleAddress: Sendable, Hashable {
        /// 127.0.0.1, which only this machine can reach. A simulator shares it with its Mac.
        case loopback
        /// One address of this machine, IPv4 or IPv6, which every device that can reach it can use.
        ///
        /// Nothing is encrypted: anyone who can intercept the traffic sees the flags and the session. Use it only in
        /// networks that you trust, and prefer a tunnel to ``loopback``.
        case address(String)
        /// All IPv4 addresses of this machine. The warning of ``address(_:)`` applies here too.
        case everywhere

        /// The host to bind.
        var host: String {
            switch self {
            case .loopback: "127.0.0.1"
            case .address(let text): text
            case .everywhere: "0.0.0.0"
            }
        }
    }
#endif
