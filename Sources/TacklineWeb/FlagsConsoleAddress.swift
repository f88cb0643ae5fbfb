#if Web
    /// Where a console can be reached.
    public enum FlagsConsoleAddress: Sendable, Hashable {
        /// From this machine only: 127.0.0.1. A simulator shares it with its Mac.
        case loopback
        /// At one address of this machine, IPv4 or IPv6, from wherever that can be reached.
        ///
        /// Nothing is encrypted: whoever can listen on the way sees the flags and the session. Use it in networks that you
        /// trust, and prefer a tunnel to ``loopback``.
        case address(String)
        /// At all IPv4 addresses of this machine. What is said of ``address(_:)`` holds here too.
        case everywhere

        /// What is bound.
        var host: String {
            switch self {
            case .loopback: "127.0.0.1"
            case .address(let text): text
            case .everywhere: "0.0.0.0"
            }
        }
    }
#endif
