#if Web
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("A console", .hangLimit) struct ConsoleAttackTests {
        static let set = #"{"command": "set", "flag": "WebFlags:is_on", "input": {"text": "true"}}"#

        @Test("gives the page and its answers to nobody without the session")
        func strangers() async throws {
            try await withConsole { console in
                for cookie in [
                    "", "tackline-console-\(console.port)=", "tackline-console-1=\(console.token)",
                    "tackline-console-\(console.port)=\(console.token)",
                ] {
                    for path in ["/", "/api/state", "/api/flag?id=WebFlags:is_on", "/api/events", "/nowhere"] {
                        let answer = try await console.ask(console.request("GET", path, cookie: cookie))
                        #expect(answer.status == 401, "\(path) with \(cookie)")
                        #expect(!answer.body.contains("<script") && !answer.body.contains("is_on"))
                    }
                    for path in ["/api/command", "/api/preview", "/api/list", "/api/flags"] {
                        let request = console.request("POST", path, body: Self.set, cookie: cookie)
                        check(try await console.ask(request), 401)
                    }
                }
                #expect(!console.flags.isOn)
            }
        }

        @Test("exchanges the token, and only the token, for a cookie that scripts and other sites cannot use")
        func exchange() async throws {
            try await withConsole { console in
                let host = "Host: 127.0.0.1:\(console.port)\r\n\r\n"
                let answer = try await console.ask("GET /?token=\(console.token) HTTP/1.1\r\n\(host)")
                #expect(answer.status == 303)
                #expect(answer.header("location") == "./")
                let cookie = try #require(answer.header("set-cookie"))
                #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
                #expect(!cookie.contains(console.token))
                for wrong in [
                    "", "x", console.token.lowercased(), console.token + "A", String(console.token.dropLast()),
                ] {
                    let answer = try await console.ask("GET /?token=\(wrong) HTTP/1.1\r\n\(host)")
                    #expect(answer.status == 401, "token \(wrong)")
                    #expect(answer.header("set-cookie") == nil)
                }
            }
        }

        @Test("answers under its own names only, so that a name of another site that points here gets nothing")
        func rebinding() async throws {
            try await withConsole { console in
                let port = console.port
                for host in [
                    "evil.example", "evil.example:\(port)", "127.0.0.1", "127.0.0.1:1",
                    "localhost.evil.example:\(port)",
                    "127.0.0.1:\(port)@evil.example", "[::1]:\(port)", "0.0.0.0:\(port)",
                ] {
                    check(try await console.ask("GET", "/api/state", with: ["Host": host]), 403, "\(host)")
                }
                check(try await console.ask("GET", "/api/state", with: ["Host": nil]), 403)
                check(try await console.ask("GET", "/api/state", with: ["Host": "LocalHost:\(port)"]), 200)
                #expect(
                    try await console.ask("GET", "/?token=\(console.token)", with: ["Host": "evil.example"]).status
                        == 403)
            }
        }

        @Test("answers under a name that its options give, with any port that they name")
        func hosts() async throws {
            try await withConsole {
                $0.hosts = ["devbox.local", "tunnel:9000"]
            } operation: { console in
                let fields = ["Host": "devbox.local:\(console.port)"]
                check(try await console.ask("GET", "/api/state", with: fields), 200)
                check(try await console.ask("GET", "/api/state", with: ["Host": "tunnel:9000"]), 200)
                check(try await console.ask("GET", "/api/state", with: ["Host": "tunnel:9001"]), 403)
                check(try await console.ask("GET", "/api/state", with: ["Host": "devbox.local"]), 403)
            }
        }

        @Test("answers a proxy that its options name by the port of https, and pages of that origin only")
        func proxy() async throws {
            try await withConsole {
                $0.hosts = ["flags.example.com:443"]
            } operation: { console in
                let host = "flags.example.com"
                for (origin, status) in [
                    ("https://flags.example.com", 200), ("https://flags.example.com:444", 403),
                    ("https://evil.example", 403), ("https://127.0.0.1:\(console.port)", 403),
                ] {
                    let fields: [String: String?] = ["Host": host, "Origin": origin]
                    check(
                        try await console.ask("POST", "/api/command", body: Self.set, with: fields), status, "\(origin)"
                    )
                }
                check(try await console.ask("GET", "/api/state", with: ["Host": "flags.example.com:444"]), 403)
            }
        }

        @Test("takes no request that a page of another site made, also with the right cookie")
        func crossSite() async throws {
            try await withConsole { console in
                let port = console.port
                let bad: [[String: String?]] = [
                    ["Origin": "http://evil.example"], ["Origin": "null"],
                    ["Origin": "http://127.0.0.1:\(port == 1 ? 2 : 1)"],
                    ["Origin": "https://127.0.0.1:\(port)"], ["Origin": "http://localhost:\(port)"], ["Origin": nil],
                    ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "anything"],
                ]
                for fields in bad {
                    let answer = try await console.ask("POST", "/api/command", body: Self.set, with: fields)
                    #expect(answer.status == 403, "\(fields)")
                    #expect(answer.header("access-control-allow-origin") == nil)
                }
                // What a form could send without asking first.
                for type in [
                    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx",
                ] {
                    let answer = try await console.ask(
                        "POST", "/api/command", body: Self.set, with: ["Content-Type": type])
                    #expect(answer.status == 415, "\(type)")
                }
                check(try await console.ask("GET", "/api/state", with: ["Sec-Fetch-Site": "cross-site"]), 403)
                #expect(!console.flags.isOn)
                check(try await console.ask("POST", "/api/command", body: Self.set), 200)
                #expect(console.flags.isOn)
            }
        }

        @Test("answers each path to one method only, and says nothing to a preflight")
        func methods() async throws {
            try await withConsole { console in
                for (method, path) in [
                    ("OPTIONS", "/api/command"), ("GET", "/api/command"), ("PUT", "/api/command"),
                    ("DELETE", "/"), ("HEAD", "/"), ("TRACE", "/api/state"),
                ] {
                    let answer = try await console.ask(method, path)
                    #expect(answer.status == 405, "\(method) \(path)")
                    #expect(!answer.head.lowercased().contains("access-control"))
                }
                for path in ["/../etc/passwd", "//", "/api", "/api/", "/API/state", "/%2e%2e/"] {
                    check(try await console.ask("GET", path), 404, "\(path)")
                }
            }
        }

        @Test("forbids with every answer to keep, frame, or reinterpret it")
        func headers() async throws {
            try await withConsole { console in
                for (path, host) in [("/", nil), ("/api/state", nil), ("/nowhere", nil), ("/", "evil.example")]
                    as [(String, String?)]
                {
                    let answer = try await console.ask("GET", path, with: host.map { ["Host": $0] } ?? [:])
                    #expect(answer.header("cache-control") == "no-store")
                    #expect(answer.header("x-content-type-options") == "nosniff")
                    #expect(answer.header("referrer-policy") == "no-referrer")
                    #expect(answer.header("x-frame-options") == "DENY")
                    #expect(answer.header("cross-origin-resource-policy") == "same-origin")
                    #expect(answer.header("content-security-policy")?.contains("frame-ancestors 'none'") == true)
                }
            }
        }

        @Test("lets only the page's own script and style run, by a number that is never used again")
        func policy() async throws {
            try await withConsole { console in
                let first = try await console.ask("GET", "/")
                let second = try await console.ask("GET", "/")
                let policy = try #require(first.header("content-security-policy"))
                #expect(policy != second.header("content-security-policy"))
                for part in [
                    "default-src 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
                ] {
                    #expect(policy.contains(part))
                }
                #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
                let nonce = try #require(
                    policy.components(separatedBy: "'nonce-").dropFirst().first?.prefix { $0 != "'" })
                #expect(nonce.count == 32)
                // Each style and script has it, and there is none without.
                let asked = ["<link rel=\"stylesheet\"", "<link rel=\"modulepreload\"", "<script"]
                    .map { first.body.components(separatedBy: $0).count - 1 }
                #expect(asked.allSatisfy { $0 > 0 })
                #expect(
                    first.body.components(separatedBy: "nonce=\"\(nonce)\"").count - 1 == asked.reduce(0, +))
                // Nothing in the page needs markup made of text, or another place.
                for forbidden in [
                    "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", " style=\"",
                    "onclick=", "NONCE", "https://", "src=\"//", "await import(",
                ] {
                    #expect(!first.body.contains(forbidden), "\(forbidden)")
                    for (name, text) in ConsolePage.files where name != "index.html" {
                        #expect(!text.contains(forbidden), "\(name): \(forbidden)")
                    }
                }
                // What flags are called is no part of the page.
                #expect(!first.body.contains("boo()"))
                let state = try await console.ask("GET", "/api/state")
                #expect(state.header("content-type") == "application/json; charset=utf-8")
                #expect(state.body.contains(#"<b onclick=\"boo()\">"#) || state.body.contains(#"\u003cb"#))
            }
        }

        @Test("that is read-only shows everything and changes nothing")
        func readOnly() async throws {
            try await withConsole {
                $0.isReadOnly = true
            } operation: { console in
                for command in [
                    Self.set, #"{"command": "undo"}"#, #"{"command": "reset-all"}"#,
                    #"{"command": "pin", "flag": "WebFlags:is_on", "isPinned": true}"#,
                    #"{"command": "import-bundle", "bundle": "{}"}"#,
                ] {
                    let answer = try await console.ask("POST", "/api/command", body: command)
                    #expect(answer.status == 403, "\(command)")
                    #expect(answer.body.contains(#""code":"read-only""#), "\(answer.body)")
                }
                #expect(console.flags.$isOn.resolution().source == .default)
                let state = try await console.ask("GET", "/api/state")
                #expect(state.status == 200)
                #expect(state.body.contains("isReadOnly"))
            }
        }
    }
#endif
