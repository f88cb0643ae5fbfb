#if Web
    import TacklineBrowser
    import TacklineCore
    import TacklineComposition
    import TacklineComposition
    @testable import TacklineWeb
    import TacklineTestSupport
    import Testing

    /// The samples of the guide "Browsing flags in a web browser", so that they compile.
    enum ConsoleSamples {
        static func run(user: FlagsLoader<WebFlags>, search: FlagsLoader<WebFlags>) async throws {
            let console = FlagsConsole(loaders: user, search)
            try await console.run { url in print("Flags: \(url)") }
        }

        /// In the guide "Browsing flags".
        static func sharing(_ browser: FlagsBrowser) async throws {
            try await FlagsConsole(browser: browser).run { url in print("Flags: \(url)") }
        }

        static func options(user: FlagsLoader<WebFlags>, kept: String) -> FlagsConsole {
            var options = FlagsConsoleOptions()
            options.port = 8090
            options.isReadOnly = true
            if let secrets = FlagsConsoleSecrets(text: kept) { options.secrets = secrets }
            let console = FlagsConsole(loaders: user, options: options)
            return console
        }

        static func production(user: FlagsLoader<WebFlags>) -> FlagsConsole {
            let environment = DeploymentEnvironment.detected.dangerouslyAdmittingOverridesInProduction()
            let console = FlagsConsole(loaders: user, environment: environment)
            return console
        }
    }

    @Suite("The samples of the guide to the console", .hangLimit) struct ConsoleSampleTests {
        @Test("make consoles")
        func make() {
            let user = FlagsLoader(WebFlags.self, providers: [])
            let console = ConsoleSamples.options(user: user, kept: FlagsConsoleSecrets().text)
            #expect(console.options.port == 8090 && console.options.isReadOnly)
            #expect(ConsoleSamples.production(user: user).environment.admitsOverrides)
        }
    }
#endif
