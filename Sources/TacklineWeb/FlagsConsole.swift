#if Web
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
    /// The console accepts connections only from this machine unless its ``FlagsConsoleOptions/address`` says
    /// otherwise. Each browser has to present the token in the URL once. The console doesn't start in production. If
    /// `FlagOverrides(…, isAllowed:)` decide at run time, it answers only while overrides are allowed.
    ///
    /// iOS closes the socket when it suspends the app, so run the console while the scene is active. The guide "Browsing
    /// flags in a web browser" explains this, and how to reach the console on a phone.
    public struct FlagsConsole: Sendable {
        let browser: FlagsBrowser
        let environment: DeploymentEnvironment
        /// Returns whether the console answers; called at each request.
        let isAllowed: @Sendable () -> Bool
        let options: FlagsConsoleOptions

        /// Creates a console for a flag browser. It does nothing until ``run(onReady:)`` is called.
        ///
        /// - Parameters:
        ///   - browser: The flag browser, which other user interfaces may share.
        ///   - environment: The environment that decides whether the console answers, or `nil` to follow the browser's
        ///     `allowsOverrides`. In production, ``run(onReady:)`` throws, unless this is the environment's
        ///     `dangerouslyAdmittingOverridesInProduction()`, or the app's overrides are allowed at run time.
        ///   - options: Port, address, names, secrets and limits.
        public init(
            browser: FlagsBrowser, environment: DeploymentEnvironment? = nil,
            options: FlagsConsoleOptions = FlagsConsoleOptions()
        ) {
            self.browser = browser
            self.environment = environment ?? browser.environment
            isAllowed = { environment?.admitsOverrides ?? browser.allowsOverrides }
            self.options = options
        }

        /// Creates a console for the collections of some loaders. It does nothing until ``run(onReady:)`` is called.
        ///
        /// - Parameters:
        ///   - loaders: The loaders, in the order of their sections.
        ///   - configuration: The settings of the browser.
        ///   - environment: The environment that decides whether the console answers, or `nil` to follow the
        ///     `allowsOverrides` of the loaders' browser. In production, ``run(onReady:)`` throws, unless overrides are
        ///     allowed.
        ///   - options: Port, address, names, secrets and limits.
        public init<each Collection: FlagCollectionProtocol>(
            loaders: repeat FlagsLoader<each Collection>,
            configuration: FlagsBrowserConfiguration = FlagsBrowserConfiguration(),
            environment: DeploymentEnvironment? = nil, options: FlagsConsoleOptions = FlagsConsoleOptions()
        ) {
            let browser = FlagsBrowser(repeat each loaders, configuration: configuration)
            self.init(browser: browser, environment: environment, options: options)
        }
    }
#else
    /// The flag browser as a web page, which needs the package trait `Web`.
    @available(*, unavailable, message: "needs the trait: .package(url: …, traits: [\"Web\"])")
    public struct FlagsConsole {}
#endif
