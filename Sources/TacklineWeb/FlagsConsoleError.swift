#if Web
    /// Why a console does not run, and what to do about it.
    public struct FlagsConsoleError: Error, Sendable, Hashable, CustomStringConvertible {
        /// A stable name for a kind of failure. Later releases may add more.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The name, in kebab case.
            public var rawValue: String
            /// Makes a code.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Customers use the program, and nobody asked for a console there.
            public static let production = Code(rawValue: "production")
            /// The address is none of this machine's, or no address.
            public static let unusableAddress = Code(rawValue: "unusable-address")
            /// The port is taken, or needs rights that the program does not have.
            public static let unusablePort = Code(rawValue: "unusable-port")
            /// The file that keeps the token cannot be used.
            public static let unusableSecrets = Code(rawValue: "unusable-secrets")
            /// The network failed.
            public static let network = Code(rawValue: "network")
        }

        /// What kind of failure this is.
        public let code: Code
        /// What happened and what to do next.
        public let message: String

        init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }

        /// The message.
        public var description: String { message }
    }
#endif
