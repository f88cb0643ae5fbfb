#if Web
    public import TacklineBrowser
    public import TacklineCore
    public import TacklineComposition

    /// The flag browser as a web page that the running program serves.
    ///
    /// ```swift
    /// let console = FlagsConsole(loaders: flags, checkout)
    /// try await console.run { url in print("Flags: \(url)") }
    /// ```
    ///
    /// The page needs nothing but the program: no network, no other files. It shows every flag, why it has its value, and
    /// what an edit would do; a change by anyone appears at once.
    ///
    /// The console answers this machine only, unless its ``FlagsConsoleOptions/address`` says otherwise; it asks for the
    /// token in the URL, once in each browser; and it does not start where customers use the program.
    ///
    /// iOS takes the socket back when it suspends the app, so run it while the scene is active. The guide "The web console"
    /// says how, and how to reach it on a phone.
    public struct FlagsConsole: Sendable {
        let backend: any FlagsBrowserBackend
        let environment: DeploymentEnvironment
        let options: FlagsConsoleOptions

        /// Makes a console for a browser of flags. It does nothing until it is run.
        ///
        /// - Parameters:
        ///   - backend: Where the flags come from and edits go.
        ///   - environment: Where the program runs. In production, ``run(onReady:)`` throws, unless it is given the
        ///     environment's `dangerouslyAdmittingOverridesInProduction()`.
        ///   - options: Port, address, names, secrets and limits.
        public init(
            backend: any FlagsBrowserBackend, environment: DeploymentEnvironment = .detected,
            options: FlagsConsoleOptions = FlagsConsoleOptions()
        ) {
            self.backend = backend
            self.environment = environment
            self.options = options
        }

        /// Makes a console for a browser of flags in this process. It does nothing until it is run.
        ///
        /// - Parameters:
        ///   - browser: The browser of flags, which other faces may share.
        ///   - environment: Where the program runs; `nil` for what the browser's loaders go by. In production,
        ///     ``run(onReady:)`` throws, unless it is the environment's `dangerouslyAdmittingOverridesInProduction()`.
        ///   - options: Port, address, names, secrets and limits.
        public init(
            browser: FlagsBrowser, environment: DeploymentEnvironment? = nil,
            options: FlagsConsoleOptions = FlagsConsoleOptions()
        ) {
            self.init(backend: browser, environment: environment ?? browser.environment, options: options)
        }

        /// Makes a console for the collections of some loaders. It does nothing until it is run.
        ///
        /// - Parameters:
        ///   - loaders: The loaders, in the order of their sections.
        ///   - configuration: What the browser shows and how it is called.
        ///   - environment: Where the program runs; `nil` for what the loaders go by. In production, ``run(onReady:)``
        ///     throws, unless it is the environment's `dangerouslyAdmittingOverridesInProduction()`.
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
