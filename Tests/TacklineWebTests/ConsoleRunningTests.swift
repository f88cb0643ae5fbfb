#if Web
    import FlyingFox
    import Foundation
    import Synchronization
    import TacklineBrowser
    import TacklineComposition
    import TacklineCore
    import TacklineMemory
    import TacklineOverrides
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("Running a console", .hangLimit) struct ConsoleRunningTests {
        private func loader(_ environment: DeploymentEnvironment) -> FlagsLoader<WebFlags> {
            FlagsLoader(WebFlags.self, environment: environment, providers: [MemoryProvider()])
        }

        /// Runs a console until it calls back, and returns the error or `nil`.
        private func start(_ console: FlagsConsole) async -> FlagError? {
            do {
                try await run(console) { _ in }
                return nil
            } catch {
                return error as? FlagError
            }
        }

        @Test("fails in production unless the environment itself admits it")
        func production() async throws {
            let refused = await start(FlagsConsole(loaders: loader(.production)))
            #expect(refused?.code == .consoleInProduction)
            #expect(refused?.message.contains("dangerouslyAdmittingOverridesInProduction()") == true)
            let admitted = DeploymentEnvironment.production.dangerouslyAdmittingOverridesInProduction()
            #expect(await start(FlagsConsole(loaders: loader(.production), environment: admitted)) == nil)
            #expect(await start(FlagsConsole(loaders: loader(admitted))) == nil)
            // One loader for production among others is enough.
            let mixed = FlagsBrowser(loader(.nonProduction), loader(.production))
            #expect(await start(FlagsConsole(browser: mixed))?.code == .consoleInProduction)
        }

        @Test("runs in production while the app's overrides are allowed, and answers no page once they no longer are")
        func revocation() async throws {
            let isAllowed = Mutex(true)
            let overrides = FlagOverrides(
                storage: MemoryProvider(), environment: .production, isAllowed: { isAllowed.withLock { $0 } })
            let flags = FlagsLoader(WebFlags.self, environment: .production, providers: [overrides])
            var console = FlagsConsole(loaders: flags)
            console.heartbeat = .milliseconds(5)
            let token = console.secrets.token
            try await run(console) { url in
                let running = RunningConsole(port: UInt16(url.port ?? 0), token: token, flags: flags)
                let page = try await running.follow()
                isAllowed.withLock { $0 = false }
                _ = try await page.read()
                check(try await running.ask("GET", "/"), 403)
            }
            #expect(await start(console)?.code == .consoleInProduction)
        }

        @Test("gives a URL for each kind of address, and is bound to the loopback interface unless told otherwise")
        func url() {
            #expect(FlagsConsole.Options().address.host == "127.0.0.1")
            for (host, authority) in [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")] {
                var options = FlagsConsole.Options()
                options.address = .address(host)
                let url = FlagsConsole(loaders: loader(.nonProduction), options: options).url(port: 8090)
                #expect(url?.absoluteString.hasPrefix("http://\(authority):8090/?token=") == true)
            }
            #expect(LocalAddresses.choice(of: []) == nil)
            #expect(LocalAddresses.choice(of: [("docker0", "172.17.0.1"), ("eth0", "10.0.0.4")]) == "10.0.0.4")
            #expect(LocalAddresses.choice(of: [("tun0", "169.254.1.1"), ("br0", "10.0.0.5")]) == "10.0.0.5")
            #expect(LocalAddresses.reachable?.hasPrefix("127.") != true)
        }

        @Test("says which port or address it cannot have")
        func unusable() async throws {
            @Sendable func failure(_ address: FlagsConsole.Address, _ port: UInt16) async -> FlagError? {
                var options = FlagsConsole.Options()
                (options.address, options.port) = (address, port)
                return await start(FlagsConsole(loaders: loader(.nonProduction), options: options))
            }
            try await withConsole { console in
                let taken = await failure(.loopback, console.port)
                #expect(taken?.code == .unusablePort)
                #expect(taken?.message.contains("cannot have port \(console.port) at 127.0.0.1") == true)
            }
            for text in ["nonsense", "203.0.113.7", "", "::x"] {
                #expect(await failure(.address(text), 0)?.code == .unusableAddress, "\(text)")
            }
        }

        @Test("ends when its task is cancelled, pages that follow it included, and can be run again for the same pages")
        func again() async throws {
            let flags = loader(.nonProduction)
            let console = FlagsConsole(loaders: flags)
            let secrets = Lines()
            for _ in 1...2 {
                try await run(console) { url in
                    let port = UInt16(url.port ?? 0)
                    let running = RunningConsole(port: port, token: console.secrets.token, flags: flags)
                    // Cookies are kept by port, and the second run has another one.
                    secrets.append(String(try await running.session.split(separator: "=")[1]))
                    _ = try await running.follow()
                }
            }
            #expect(Set(secrets.all).count == 1)
        }

        @Test("tells pages that flags have changed, whoever changed them, and gives a sign of life")
        func live() async throws {
            try await withConsole(change: { $0.heartbeat = .milliseconds(5) }) { console in
                let page = try await console.follow()
                func revision() async throws -> Int? {
                    _ = try await page.read(until: "data: ")
                    return Int(try await page.read(until: "\n").dropLast())
                }
                // The page may follow before the console has the first revision.
                var first = try await revision()
                while first == 0 { first = try await revision() }
                #expect(try await revision() == first)
                check(try await console.ask("POST", "/api/command", body: ConsoleAttackTests.set), 200)
                #expect(console.flags.isOn)
                while try await revision() == first { try Task.checkCancellation() }
                let second = try await revision()
                try console.flags.$title.setValue("new\r\nline\nevent: x")
                while try await revision() == second { try Task.checkCancellation() }
                contains(try await console.ask("GET", "/api/state").body, #"new\r\nline\nevent: x"#)
                contains(try await console.ask("GET", "/api/state?since=1").body, #""flags":[],"#)
                page.close()
            }
        }
    }

    @Suite("The secrets of a console") struct ConsoleSecretsTests {
        @Test("are long, never the same, and in no log")
        func secrets() {
            let all = (0..<100).map { _ in ConsoleSecrets() }
            #expect(Set(all.flatMap { [$0.token, $0.session] }).count == 200)
            #expect(all.allSatisfy { $0.token.count == 32 && $0.session.count == 32 })
            let console = FlagsConsole(loaders: FlagsLoader(WebFlags.self, providers: []))
            var dumped = ""
            dump(console, to: &dumped)
            for text in ["\(console)", String(reflecting: console), dumped] {
                #expect(!text.contains(console.secrets.token) && !text.contains(console.secrets.session))
            }
        }
    }
#endif
