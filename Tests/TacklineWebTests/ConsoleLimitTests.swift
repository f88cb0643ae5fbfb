#if Web
    import Foundation
    import TacklineBrowser
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("The limits of a console", .hangLimit) struct ConsoleLimitTests {
        @Test("refuse a body that is too long before it is sent")
        func body() async throws {
            try await withConsole { console in
                let cookie = try await console.session
                for (length, status) in [("5000000", 413), ("99999999999999999999", 0), ("-1", 0), ("many", 0)] {
                    let head = console.request("POST", "/api/command", cookie: cookie, with: ["Content-Length": length])
                    // The client waits for the answer with its body unsent. What is no length gets no answer.
                    check(try await console.ask(head), status, "\(length)")
                }
                let spaces = String(repeating: " ", count: 100_000)
                check(try await console.ask("POST", "/api/command", body: spaces), 400)
                check(try await console.ask("POST", "/api/command", body: spaces + ConsoleAttackTests.set), 200)
                #expect(console.flags.isOn)
            }
        }

        @Test("take no body from somebody who is not let in, and no request out of it")
        func bodyOfStranger() async throws {
            try await withConsole { console in
                let cookie = try await console.session
                let inner = console.request("POST", "/api/command", body: ConsoleAttackTests.set, cookie: cookie)
                for fields in [["Origin": "http://evil.example"], ["Host": "evil.example"], ["Cookie": ""]] {
                    let head = console.request(
                        "POST", "/api/command", cookie: cookie,
                        with: fields.merging(["Content-Length": "1000000", "Connection": "keep-alive"]) { $1 })
                    let answer = try await console.ask(head + inner)
                    #expect([401, 403].contains(answer.status))
                    #expect(answer.text.components(separatedBy: "HTTP/1.1 ").count == 2)
                }
                let chunked = console.request(
                    "POST", "/api/command", cookie: cookie,
                    with: ["Transfer-Encoding": "chunked", "Connection": "keep-alive"])
                check(try await console.ask(chunked + "FFFFFFFFFFFFFFFFF\r\n" + inner), 411)
                #expect(!console.flags.isOn)
            }
        }

        @Test("close a connection whose client sends nothing more, or doesn't read")
        func slow() async throws {
            try await withConsole(change: { $0.timeout = .milliseconds(20) }) { console in
                for half in ["", "GET", "GET / HTTP/1.1\r\nHost: ", "\r\n\r\n\r\n", "\0\0\0"] {
                    check(try await console.ask(half), 0, "\(half)")
                }
                // On a busy machine even a whole request may come too late.
                while try await console.ask("GET", "/").status != 200 { try Task.checkCancellation() }
            }
        }

        @Test("turn away the clients that wait for the longest time while too many do, so that others are let in")
        func connections() async throws {
            try await withConsole { console in
                let page = try await console.follow()
                var waiting: [Client] = []
                for _ in 1...200 { waiting.append(try await Client(port: console.port)) }
                // Each begins to wait on a task of its own, so a few may do so later than those after them.
                await withTaskGroup(of: Void.self) { group in
                    for client in waiting.prefix(100) { group.addTask { _ = try? await client.read() } }
                    for _ in 1...50 { await group.next() }
                    group.cancelAll()
                }
                check(try await console.ask("GET", "/"), 200)
                for client in waiting { client.close() }
                // The page still follows.
                try console.flags.$title.setValue("still here")
                contains(try await page.read(until: "data: "), "event: changed")
                page.close()
            }
        }

        @Test("turn away one page too many")
        func streams() throws {
            let events = ConsoleEvents()
            let streams = try (1...64).map { _ in try #require(events.makeStream()) }
            #expect(events.makeStream() == nil && streams.count == 64)
        }

        @Test("refuse messages that are none, and say what is wrong with a command")
        func messages() async throws {
            try await withConsole { console in
                let deep = String(repeating: "[", count: 5000)
                for body in [
                    "", "{", "null", "[]", #"{"command": {"erase": {}}}"#, #"{"command": {"set": {}}}"#, deep, "\0",
                ] {
                    for path in ["/api/command", "/api/preview", "/api/why"] {
                        let answer = try await console.ask("POST", path, body: body)
                        #expect(answer.status == 400, "\(path): \(body.prefix(20))")
                        #expect(answer.body.contains(#""code":"unreadable-message""#), "\(answer.body)")
                    }
                }
                let unknown = #"{"command": {"reset": {"flag": "WebFlags:nothing"}}}"#
                check(try await console.ask("POST", "/api/command", body: unknown), 404)
                let refused = #"{"command": {"set": {"flag": "WebFlags:attempts", "text": "300"}}}"#
                let answer = try await console.ask("POST", "/api/command", body: refused)
                #expect(answer.status == 422)
                #expect(answer.body.contains("from 0 to 255"), "\(answer.body)")
                check(try await console.ask("POST", "/api/why", body: #"{"flag": "WebFlags:none"}"#), 404)
            }
        }
    }
#endif
