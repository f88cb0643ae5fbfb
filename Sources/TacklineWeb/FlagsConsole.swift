#if Web
    package import Foundation
    public import TacklineBrowser
    public import TacklineCore

    /// A flag browser as a web page, which the running program serves.
    ///
    /// ```swift
    /// let console = FlagsConsole(loaders: flags, checkout)
    /// try await console.run { url in print("Flags: \(url)") }
    /// ```
    ///
    /// The program contains the whole page, which needs no internet connection and no other files. It shows every flag,
    /// the reason for its value, and the effect of an edit. Changes from any source appear immediately.
    ///
    /// The console accepts connections only from this machine unless ``Options/address`` says otherwise. Each browser has
    /// to present the token in the URL once. The console doesn't start in production. If `FlagOverrides(…, isAllowed:)`
    /// decide at run time, it answers only while overrides are allowed.
    ///
    /// iOS closes the socket when it suspends the app, so run the console while the scene is active. The guide "Browsing
    /// flags in a web browser" explains this, and how to reach the console on a phone.
    public struct FlagsConsole: Sendable {
        /// The address at which a console can be reached.
        public enum Address: Sendable, Hashable {
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

        /// The settings of a console.
        public struct Options: Sendable {
            /// The port, or 0 for any free one.
            public var port: UInt16 = 0
            /// The address at which the console can be reached. The default is this machine only.
            public var address = Address.loopback
            /// The names under which pages may address the console, in addition to the addresses of this machine:
            /// `devbox.local`, or `localhost:9000` for the end of a tunnel.
            ///
            /// If others control such a name, their pages get access.
            public var hosts: Set<String> = []
            /// Whether the page only shows flags.
            public var isReadOnly = false
            /// The folder from which the page's files are read at each request, so that a reload shows an edit; `nil` for
            /// the files that the program contains.
            package var pageFolder: URL?

            /// Creates the default options.
            public init() {}
        }

        let browser: FlagsBrowser
        let environment: DeploymentEnvironment
        /// Returns whether the console answers; called at each request.
        let isAllowed: @Sendable () -> Bool
        let options: Options
        let secrets = ConsoleSecrets()
        /// The interval at which pages get a sign of life. The page expects one within 15 seconds.
        var heartbeat = Duration.seconds(5)
        /// The longest time for which a client may neither send nor receive anything.
        var timeout = Duration.seconds(15)

        /// Creates a console for a flag browser. It does nothing until ``run(onReady:)`` is called.
        ///
        /// - Parameters:
        ///   - browser: The flag browser, which other user interfaces may share.
        ///   - environment: The environment that decides whether the console answers, or `nil` to follow the browser's
        ///     `allowsOverrides`. In production, ``run(onReady:)`` throws, unless this is the environment's
        ///     `dangerouslyAdmittingOverridesInProduction()`, or the app's overrides are allowed at run time.
        ///   - options: Port, address and names.
        public init(browser: FlagsBrowser, environment: DeploymentEnvironment? = nil, options: Options = Options()) {
            self.browser = browser
            self.environment = environment ?? browser.environment
            isAllowed = { environment?.admitsOverrides ?? browser.allowsOverrides }
            self.options = options
        }

        /// Creates a console for the collections of some loaders. It does nothing until ``run(onReady:)`` is called.
        ///
        /// - Parameters:
        ///   - loaders: The loaders, in the order of their sections.
        ///   - environment: The environment that decides whether the console answers, or `nil` to follow the loaders'. In
        ///     production, ``run(onReady:)`` throws, unless overrides are allowed.
        ///   - options: Port, address and names.
        public init<each Collection: FlagCollectionProtocol>(
            loaders: repeat FlagsLoader<each Collection>, environment: DeploymentEnvironment? = nil,
            options: Options = Options()
        ) {
            self.init(browser: FlagsBrowser(repeat each loaders), environment: environment, options: options)
        }
    }
#else
    /// The flag browser as a web page, which needs the package trait `Web`.
    @available(*, unavailable, message: "needs the trait: .package(url: …, traits: [\"Web\"])")
    public struct FlagsConsole {}
#endif
