#if CommandLine
    import Foundation
    import Synchronization
    import TacklineBrowser
    import TacklineCore
    import TacklineLoopback
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("A console that is browsed from a terminal", .hangLimit)
    struct ConsoleBackendTests {
        /// A console with one flag. Its session can be made invalid, as after a restart.
        final class FakeConsole: Sendable {
            struct State {
                var session = "one"
                var revision = 1
                var requests: [LoopbackRequest] = []
                /// The gate at which current streams wait. A restart replaces it for later streams.
                var gate = LoopbackGate()
            }

            let state = Mutex(State())

            func reply(to request: LoopbackRequest) -> LoopbackReply {
                let (session, revision, gate) = state.withLock { state in
                    state.requests.append(request)
                    return (state.session, state.revision, state.gate)
                }
                if request.target == "/?token=a%2Fb" {
                    let cookie = LoopbackHeader("Set-Cookie", "tackline-console=\(session); Path=/; HttpOnly")
                    return .response(.init(status: 303, headers: [LoopbackHeader("Location", "/"), cookie]))
                }
                guard request.headerValue("Cookie") == "tackline-console=\(session)" else {
                    return .response(.text("who are you?", status: 401))
                }
                switch request.path {
                case "/api/state": return .response(.json(Self.state(revision)))
                case "/api/events":
                    return .script([
                        .head(status: 200, headers: [LoopbackHeader("Content-Type", "text/event-stream")]),
                        .text("event: hello\ndata: \n\n"), .waitUntil(gate), .close,
                    ])
                case "/api/command":
                    let error = FlagsBrowserError(.locked, "The flag is locked.")
                    let text = (try? FlagsBrowserJSON.text(of: error)) ?? ""
                    return .response(.text("{\"error\":\(text)}", status: 403))
                default: return .response(.text("nothing", status: 404))
                }
            }

            static func state(_ revision: Int) -> String {
                let snapshot = FlagsBrowserSnapshot(
                    title: "App", environment: "", revision: revision, time: Date(timeIntervalSince1970: 0))
                return (try? FlagsBrowserJSON.text(of: snapshot)) ?? ""
            }
        }

        private func backend(_ server: LoopbackServer) throws -> ConsoleBackend {
            ConsoleBackend(
                try ConsoleAddress("\(server.url)?token=a%2Fb"),
                retry: (first: .milliseconds(1), last: .milliseconds(1)), timeout: .seconds(3600))
        }

        @Test("is asked with the session that the token was exchanged for, and with its own origin")
        func session() async throws {
            let console = FakeConsole()
            let server = try LoopbackServer { console.reply(to: $0) }
            let backend = try backend(server)
            #expect(try await backend.snapshot().title == "App")
            #expect(try await backend.snapshot().revision == 1)
            let requests = console.state.withLock { $0.requests }
            #expect(requests.map(\.path) == ["/", "/api/state", "/api/state"])
            #expect(requests.allSatisfy { $0.headerValue("Origin") == "http://127.0.0.1:\(server.port)" })
            #expect(requests.allSatisfy { $0.headerValue("Host") == "127.0.0.1:\(server.port)" })
            let command = FlagsBrowserCommand.set(flag: "a", to: .text("x\r\ny"))
            let error = await #expect(throws: FlagsBrowserError.self) { try await backend.perform(command) }
            #expect(error?.code == .locked)
            let sent = console.state.withLock { $0.requests.last }
            #expect(sent?.method == "POST")
            #expect(
                try FlagsBrowserJSON.read(
                    FlagsBrowserCommand.self, from: String(decoding: sent?.body ?? [], as: UTF8.self))
                    == command)
        }

        @Test("is told who edits, and what they saw")
        func request() async throws {
            let console = FakeConsole()
            let server = try LoopbackServer { console.reply(to: $0) }
            let backend = try backend(server)
            let request = FlagsBrowserRequest(
                .set(flag: "a", to: .text("x")), author: FlagsBrowserAuthor(id: "1", name: "Ada"),
                expected: FlagsBrowserExpectation(value: FlagsBrowserValue(1)))
            await #expect(throws: FlagsBrowserError.self) { try await backend.perform(request) }
            let sent = console.state.withLock { $0.requests.last }
            let text = String(decoding: sent?.body ?? [], as: UTF8.self)
            #expect(try FlagsBrowserJSON.read(FlagsBrowserRequest.self, from: text) == request)
        }

        @Test("is found again after it went away, also if it has another session then")
        func recovery() async throws {
            let console = FakeConsole()
            let server = try LoopbackServer { console.reply(to: $0) }
            let backend = try backend(server)
            var updates = backend.updates().makeAsyncIterator()
            guard case .changed? = await updates.next() else {
                Issue.record("the stream did not open")
                return
            }
            let gate = console.state.withLock { state in
                defer { state.gate = LoopbackGate() }
                state.session = "two"
                state.revision = 2
                return state.gate
            }
            gate.open()
            // The console may be back before the disconnection was read.
            var update = await updates.next()
            if case .disconnected? = update { update = await updates.next() }
            while case .disconnected? = update { update = await updates.next() }
            #expect(try await backend.snapshot().revision == 2)
        }

        @Test("is asked again after a request that failed, while its stream of events goes on")
        func loneFailure() async throws {
            let console = FakeConsole()
            let (ping, end) = (LoopbackGate(), LoopbackGate())
            defer { end.open() }
            let isFirst = Atomic<Bool>(true)
            let server = try LoopbackServer { request in
                switch request.path {
                case "/api/state" where isFirst.exchange(false, ordering: .relaxed): .script([.reset])
                case "/api/events":
                    .script([
                        .head(status: 200, headers: [LoopbackHeader("Content-Type", "text/event-stream")]),
                        .text("event: hello\ndata: \n\n"), .waitUntil(ping), .text("event: ping\ndata: \n\n"),
                        .waitUntil(end), .close,
                    ])
                default: console.reply(to: request)
                }
            }
            let backend = try backend(server)
            var updates = backend.updates().makeAsyncIterator()
            guard case .changed? = await updates.next() else {
                Issue.record("the stream did not open")
                return
            }
            await #expect(throws: FlagsBrowserError.self) { try await backend.snapshot() }
            ping.open()
            guard case .changed? = await updates.next() else {
                Issue.record("the next sign of life leads to no snapshot")
                return
            }
            #expect(try await backend.snapshot().revision == 1)
        }

        @Test(
            "that answers with anything is an error and nothing worse",
            arguments: [
                [], [.text("hello\r\n\r\n")], [.text("HTTP/1.1 abc\r\n\r\n")], [.text("HTTP/1.1 200 OK\r\n")],
                [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close], [.reset],
                [.repeatBytes([0x61], count: 200_000)], [.text("HTTP/1.1 303 See Other\r\n\r\n")],
                [.text("HTTP/1.1 303 See Other\r\nSet-Cookie: x\r\n\r\n")],
                [.text("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n")],
                [.bytes([0xFF, 0xFE, 0x0D, 0x0A, 0x0D, 0x0A])],
                [.text("HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999999\r\n\r\n{}")],
            ] as [[LoopbackStep]])
        func hostile(script: [LoopbackStep]) async throws {
            let server = try LoopbackServer { _ in .script(script) }
            let backend = try backend(server)
            let error = await #expect(throws: FlagsBrowserError.self) { try await backend.snapshot() }
            #expect(error?.code == .connection)
        }

        @Test(
            "is only looked for where a URL can lead",
            arguments: ["http://", "ftp://127.0.0.1/", "https://127.0.0.1/", "http://127.0.0.1:99999/", "console"])
        func addresses(text: String) {
            #expect(throws: CommandFailure.self) { try ConsoleAddress(text) }
        }
    }
#endif
