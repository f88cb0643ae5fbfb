#if Web
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    // Foundation: the URL of a folder.

    /// The settings of a console: its address, access and limits.
    public struct FlagsConsoleOptions: Sendable {
        /// The port, or 0 for any free one.
        public var port: UInt16 = 0
        /// The address at which the console can be reached. The default is this machine only.
        public var address = FlagsConsoleAddress.loopback
        /// The names under which pages may address the console, in addition to the addresses of this machine:
        /// `devbox.local`, or `localhost:9000` for the end of a tunnel.
        ///
        /// If others control such a name, their pages get access; see ``FlagsConsole``.
        public var hosts: Set<String> = []
        /// Whether the page only shows flags.
        public var isReadOnly = false
        /// The token and the session. The default creates new ones.
        public var secrets = FlagsConsoleSecrets()
        /// The limits for clients.
        public var limits = FlagsConsoleLimits()
        /// The interval at which pages get a heartbeat; keep it well below 15 seconds. A page that gets none for 15
        /// seconds reports that it lost the connection.
        public var heartbeat = Duration.seconds(5)

        /// A folder from which the page's files are read at each request, so that a reload shows an edit, or `nil` for
        /// the files that the program contains. For work on the page, use `Sources/TacklineWeb/Page/Files` of a
        /// checkout.
        public var pageFolder: URL?

        /// Creates the default options.
        public init() {}
    }
#endif
