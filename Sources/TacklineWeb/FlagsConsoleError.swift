#if Web
    /// A reason why a console can't run, with a message that says what to do about it.
    public struct FlagsConsoleError: Error, Sendable, Hashable, CustomStringConvertible {
        /// A stable name for a kind of failure. Later releases may add more.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The name, in kebab case.
            public var rawValue: String
            /// Creates a code.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Customers use the program, and overrides are not allowed there.
            public static let production = Code(rawValue: "production")
            /// The address is not an address of this machine.
            public static let unusableAddress = Code(rawValue: "unusable-address")
            /// The port is in use, or needs rights that the program doesn't have.
            public static let unusablePort = Code(rawValue: "unusable-port")
            /// The file with the token can't be used.
            public static let unusableSecrets = Code(rawValue: "unusable-secrets")
            /// The network failed.
            public static let network = Code(rawValue: "network")
        }

        /// The kind of failure.
        public let code: Code
        /// A description of the failure and of what to do next.
        public let message: String

        init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }

        /// The message.
        public var description: String { message }
    }
#endif
