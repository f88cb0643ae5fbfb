#if Web
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    // Foundation: the URL of a folder.

    /// How a console is reached and what it allows.
    public struct FlagsConsoleOptions: Sendable {
        /// The port; 0 for any that is free.
        public var port: UInt16 = 0
        /// Where the console can be reached: from this machine only.
        public var address = FlagsConsoleAddress.loopback
        /// Names under which pages may address the console, beyond the addresses of this machine: `devbox.local`, or
        /// `localhost:9000` for the end of a tunnel.
        ///
        /// A name that others control lets their pages in; see ``FlagsConsole``.
        public var hosts: Set<String> = []
        /// Whether the page only shows.
        public var isReadOnly = false
        /// The token and the session; new ones unless given.
        public var secrets = FlagsConsoleSecrets()
        /// How much is taken from clients.
        public var limits = FlagsConsoleLimits()
        /// How often pages get a sign of life; keep it well below 15 seconds. A page that gets none for that long says
        /// that it lost the connection.
        public var heartbeat = Duration.seconds(5)

        /// For those who work on the page: a folder from which its files are read at each request, so that a reload shows an
        /// edit. It is `Sources/TacklineWeb/Page/Files` of a checkout. `nil` for the files that the program holds.
        public var pageFolder: URL?

        /// Makes the usual options.
        public init() {}
    }
#endif
