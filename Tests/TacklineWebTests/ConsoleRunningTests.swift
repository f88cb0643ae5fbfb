#if Web
    import FlyingSocks
    import Foundation
    import Synchronization
    import TacklineBrowser
    import TacklineComposition
    import TacklineCore
    import TacklineHTTP
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
            let (urls, ready) = AsyncStream.makeStream(of: URL.self)
            let run = Task { () -> FlagError? in
                defer { ready.finish() }
                do throws(FlagError) {
                    try await console.run { ready.yield($0) }
                    return nil
                } catch {
                    return error
                }
            }
            for await _ in urls { run.cancel() }
            return await run.value
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
            #expect(await start(FlagsConsole(browser: mixed, environment: .production))?.code == .consoleInProduction)
        }

        @Test("runs in production while the app's overrides are allowed, and only then")
        func permission() async throws {
            for isEmployee in [true, false] {
                let overrides = FlagOverrides(
                    storage: MemoryProvider(), environment: .production, isAllowed: { isEmployee })
                let flags = FlagsLoader(
                    WebFlags.self, environment: .production, providers: [overrides])
                #expect(await start(FlagsConsole(loaders: flags))?.code == (isEmployee ? nil : .consoleInProduction))
            }
        }

        @Test("answers no request once the app's overrides are allowed no longer")
        func revocation() {
            let isAllowed = Mutex(true)
            let gate = ConsoleGuard(
                secrets: FlagsConsoleSecrets(), port: 8090, hosts: [], isAllowed: { isAllowed.withLock { $0 } })
            let request = ConsoleRequest(method: "GET", path: "/", headers: ["host": "127.0.0.1:8090"])
            #expect(gate.refusal(of: request, localHost: "127.0.0.1") == nil)
            isAllowed.withLock { $0 = false }
            #expect(gate.refusal(of: request, localHost: "127.0.0.1")?.status == 403)
        }

        @Test("is bound to the loopback interface unless told otherwise")
        func loopback() throws {
            let listener = try ConsoleListener(address: FlagsConsoleOptions().address, port: 0)
            defer { try? listener.socket.close() }
            #expect(ConsoleListener.parts(try listener.socket.sockname())?.host == "127.0.0.1")
        }

        @Test("gives a URL for each kind of address", arguments: ["127.0.0.1", "::1"])
        func url(host: String) {
            var options = FlagsConsoleOptions()
            options.address = .address(host)
            let url = FlagsConsole(loaders: loader(.nonProduction), options: options).url(port: 8090)
            let authority = host == "::1" ? "[::1]" : host
            #expect(url?.absoluteString.hasPrefix("http://\(authority):8090/?token=") == true)
        }

        @Test("says which port or address it cannot have")
        func unusable() async throws {
            try await withConsole { console in
                var options = FlagsConsoleOptions()
                options.port = console.port
                let taken = await start(FlagsConsole(loaders: loader(.nonProduction), options: options))
                #expect(taken?.code == .unusablePort)
                #expect(taken?.message.contains("cannot have port \(console.port) at 127.0.0.1") == true)
            }
            for text in ["nonsense", "203.0.113.7", "", "::x"] {
                var options = FlagsConsoleOptions()
                options.address = .address(text)
                let failure = await start(FlagsConsole(loaders: loader(.nonProduction), options: options))
                #expect(failure?.code == .unusableAddress, "\(text)")
            }
        }

        @Test(
            "ends when its task is cancelled, pages that follow it included, and can be run again with the same session"
        )
        func again() async throws {
            // A server of another test may get the port between the two runs; it cannot get all of them.
            for attempt in 1... {
                do {
                    return try await runTwice()
                } catch let error as FlagError where error.code == .unusablePort && attempt < 5 {}
            }
        }

        private func runTwice() async throws {
            let secrets = FlagsConsoleSecrets()
            let kept = Mutex("")
            let port = Mutex<UInt16>(0)
            try await withConsole {
                $0.secrets = secrets
            } operation: { console in
                let cookie = try await console.session
                kept.withLock { $0 = cookie }
                port.withLock { $0 = console.port }
                let client = try await Client(port: console.port)
                try await client.send(console.request("GET", "/api/events", cookie: cookie))
                contains(try await client.read(until: "hello"), "hello")
            }
            let same = port.withLock { $0 }
            try await withConsole {
                $0.secrets = secrets
                $0.port = same
            } operation: { console in
                let cookie = kept.withLock { $0 }
                check(try await console.ask(console.request("GET", "/", cookie: cookie)), 200)
            }
        }

        @Test("shows what the page sets and what the program changes, at once and to everybody")
        func live() async throws {
            try await withConsole { console in
                let cookie = try await console.session
                let page = try await Client(port: console.port)
                try await page.send(console.request("GET", "/api/events", cookie: cookie))
                _ = try await page.read(until: "event: hello")
                _ = try await page.read(until: "\n\n")
                contains(try await console.ask("GET", "/api/state").body, #""key":"is_on""#)

                check(try await console.ask("POST", "/api/command", body: ConsoleAttackTests.set), 200)
                #expect(console.flags.isOn)
                let mine = try await page.read(until: "\n\n")
                #expect(
                    mine.contains("event: delta") && mine.contains(#""key":"is_on""#)
                        && !mine.contains(#""key":"title""#))

                try console.flags.$title.setValue("new\r\nline\nevent: x")
                let theirs = try await page.read(until: "\n\n")
                #expect(theirs.contains(#"new\r\nline\nevent: x"#), "\(theirs)")
                page.close()
            }
        }

        @Test("gives a sign of life to pages that nothing else is sent to")
        func heartbeat() async throws {
            try await withConsole {
                $0.heartbeat = .milliseconds(5)
            } operation: { console in
                let page = try await Client(port: console.port)
                try await page.send(console.request("GET", "/api/events", cookie: try await console.session))
                contains(try await page.read(until: "event: ping"), "event: ping")
                page.close()
            }
        }
    }

    @Suite("The secrets of a console") struct FlagsConsoleSecretsTests {
        @Test("are long, never the same, and come back from their text")
        func text() throws {
            let all = (0..<100).map { _ in FlagsConsoleSecrets() }
            #expect(Set(all.flatMap { [$0.token, $0.session] }).count == 200)
            #expect(all.allSatisfy { $0.token.count == 32 && $0.session.count == 32 })
            let back = try #require(FlagsConsoleSecrets(text: all[0].text))
            #expect(back.token == all[0].token && back.session == all[0].session)
            let token = all[0].token
            for wrong in [
                "", ".", token, "\(token).", "\(token).short", "\(token).\(token)", "\(token).\(token).\(token)",
            ] {
                #expect(FlagsConsoleSecrets(text: wrong) == nil, "\(wrong)")
            }
        }

        @Test("show in no log")
        func description() {
            let secrets = FlagsConsoleSecrets()
            var dumped = ""
            dump(secrets, to: &dumped)
            for text in ["\(secrets)", String(reflecting: secrets), dumped, "\(FlagsConsoleOptions())"] {
                #expect(!text.contains(secrets.token) && !text.contains(secrets.session))
            }
        }

        @Test("are compared as a whole")
        func comparison() {
            #expect(FlagsConsoleSecrets.isSame("abc", "abc"))
            for other in ["", "ab", "abd", "xbc", "abcd"] { #expect(!FlagsConsoleSecrets.isSame("abc", other)) }
        }
    }
#endif
