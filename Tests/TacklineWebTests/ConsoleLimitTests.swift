#if Web
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("The limits of a console", .hangLimit) struct ConsoleLimitTests {
        @Test("refuse a body that is too long before it is sent")
        func body() async throws {
            try await withConsole {
                $0.limits.maximumBodyBytes = 1000
            } operation: { console in
                let cookie = try await console.session
                let head = console.request("POST", "/api/command", cookie: cookie, with: ["Content-Length": "1001"])
                // The client waits for the answer with its body unsent.
                check(try await console.ask(head), 413)
                let huge = console.request(
                    "POST", "/api/command", cookie: cookie, with: ["Content-Length": "99999999999999999999"])
                check(try await console.ask(huge), 413)
                #expect(
                    try await console.ask("POST", "/api/command", body: String(repeating: " ", count: 1000)).status
                        == 400)
            }
        }

        @Test("take no body from somebody who is not let in")
        func bodyOfStranger() async throws {
            try await withConsole { console in
                let head = console.request("POST", "/api/command", cookie: "", with: ["Content-Length": "1000000"])
                check(try await console.ask(head), 401)
            }
        }

        @Test("refuse a head that has no end")
        func head() async throws {
            try await withConsole { console in
                let long = String(repeating: "a", count: 40_000)
                check(try await console.ask("GET /\(long)"), 431)
                check(try await console.ask("GET / HTTP/1.1\r\nX: \(long)"), 431)
                let many = String(repeating: "X: y\r\n", count: 200)
                check(try await console.ask("GET / HTTP/1.1\r\n\(many)\r\n"), 431)
            }
        }

        @Test("end a request that takes too long")
        func slow() async throws {
            try await withConsole {
                $0.limits.timeout = .milliseconds(20)
            } operation: { console in
                check(try await console.ask("GET / HTTP/1.1\r\nHost: "), 408)
            }
        }

        @Test("turn away one connection too many, and let the next one in when there is room")
        func connections() async throws {
            try await withConsole {
                $0.limits.maximumConnections = 2
            } operation: { console in
                let cookie = try await console.session
                let first = try await Client(port: console.port)
                let second = try await Client(port: console.port)
                for client in [first, second] {
                    try await client.send(console.request("GET", "/api/events", cookie: cookie))
                    _ = try await client.read(until: "hello")
                }
                // Often, since an answer was lost only if the request was still on its way when the console closed. Fewer
                // than are answered so at one time: the console may notice late that one of them has gone.
                for _ in 1...50 {
                    check(try await console.ask(console.request("GET", "/", cookie: cookie)), 503)
                }
                first.close()
                while try await console.ask(console.request("GET", "/", cookie: cookie)).status == 503 {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                second.close()
            }
        }

        @Test(
            "give the place of the stranger who has waited longest to whoever comes, and none of those who are signed in"
        )
        func strangers() async throws {
            try await withConsole {
                $0.limits.maximumConnections = 4
            } operation: { console in
                let cookie = try await console.session
                let page = try await Client(port: console.port)
                try await page.send(console.request("GET", "/api/events", cookie: cookie))
                _ = try await page.read(until: "hello")
                // They say half of a request, and no more. Each that finds no place takes the one of the first.
                var strangers: [Client] = []
                for _ in 1...20 {
                    let stranger = try await Client(port: console.port)
                    try await stranger.send("GET / HTTP/1.1\r\nHost: ")
                    strangers.append(stranger)
                }
                for _ in 1...20 {
                    check(try await console.ask(console.request("GET", "/api/state", cookie: cookie)), 200)
                }
                // The first has been sent away without an answer, and the page still follows.
                #expect(try await strangers[0].readAll() == "")
                try console.flags.$title.setValue("still here")
                contains(try await page.read(until: "still here"), "still here")
                for client in strangers + [page] { client.close() }
            }
        }

        @Test("let those wait who ask first whether they may send, and tell them")
        func expectation() async throws {
            try await withConsole { console in
                let body = ConsoleAttackTests.set
                let head = console.request(
                    "POST", "/api/command", cookie: try await console.session,
                    with: ["Content-Length": "\(body.utf8.count)", "Expect": "100-continue"])
                let client = try await Client(port: console.port)
                try await client.send(head)
                #expect(try await client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try await client.send(body)
                check(Answer(text: try await client.readAll()), 200)
                #expect(console.flags.isOn)
                client.close()
                // A client that is not let in gets that answer at once.
                let refused = console.request(
                    "POST", "/api/command", cookie: "",
                    with: ["Content-Length": "100", "Expect": "100-continue"])
                check(try await console.ask(refused), 401)
            }
        }

        @Test("answer requests whose lines end with LF alone, with what is wrong with them")
        func lineFeeds() async throws {
            try await withConsole { console in
                let answer = try await console.ask("GET / HTTP/1.1\nHost: 127.0.0.1:\(console.port)\n\n")
                check(answer, 400)
                contains(answer.body, "malformed: lines have to end with CR LF.")
            }
        }

        @Test("turn away one page too many, and free the place of one that goes")
        func streams() async throws {
            try await withConsole {
                $0.limits.maximumStreams = 1
            } operation: { console in
                let cookie = try await console.session
                let events = console.request("GET", "/api/events", cookie: cookie)
                let first = try await Client(port: console.port)
                try await first.send(events)
                _ = try await first.read(until: "hello")
                check(try await console.ask(events), 503)
                first.close()
                var said = ""
                while !said.contains("hello") {
                    try Task.checkCancellation()
                    let next = try await Client(port: console.port)
                    try await next.send(events)
                    said = try await next.read(until: "hello")
                    next.close()
                }
            }
        }

        @Test("of its questions for the way to a value refuse what is none")
        func questions() async throws {
            try await withConsole { console in
                let asked = #"{"flag": "WebFlags:attempts"}"#
                let answer = try await console.ask("POST", "/api/why", body: asked)
                #expect(answer.status == 200 && answer.body == #"{"reasons":[]}"#)
                check(try await console.ask("POST", "/api/why", body: #"{"flag": "WebFlags:none"}"#), 404)
                check(try await console.ask("POST", "/api/why", body: #"{"flag": 5}"#), 400)
                check(try await console.ask("GET", "/api/why"), 405)
                check(try await console.ask(console.request("POST", "/api/why", body: asked, cookie: "")), 401)
            }
        }

        @Test("of its messages refuse what is no command")
        func messages() async throws {
            try await withConsole { console in
                let deep = String(repeating: "[", count: 5000)
                for body in ["", "{", "null", "[]", #"{"command": "erase"}"#, #"{"command": "set"}"#, deep, "\u{0}"] {
                    let answer = try await console.ask("POST", "/api/command", body: body)
                    #expect(answer.status == 400, "\(body.prefix(20))")
                    #expect(answer.body.hasPrefix(#"{"error""#), "\(answer.body)")
                }
                let unknown = #"{"command": "reset", "flag": "WebFlags:nothing"}"#
                check(try await console.ask("POST", "/api/command", body: unknown), 404)
                let refused = #"{"command": "set", "flag": "WebFlags:attempts", "input": {"text": "300"}}"#
                let answer = try await console.ask("POST", "/api/command", body: refused)
                #expect(answer.status == 422)
                #expect(answer.body.contains("from 0 to 255"), "\(answer.body)")
            }
        }
    }
#endif
