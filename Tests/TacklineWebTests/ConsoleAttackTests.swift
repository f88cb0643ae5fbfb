#if Web
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("A console", .hangLimit) struct ConsoleAttackTests {
        static let set = #"{"command": {"set": {"flag": "WebFlags:is_on", "text": "true"}}, "author": "Ada"}"#

        @Test("gives the page and its answers to nobody without the session")
        func strangers() async throws {
            try await withConsole { console in
                for cookie in [
                    "", "tackline-console-\(console.port)=", "tackline-console-1=\(console.token)",
                    "tackline-console-\(console.port)=\(console.token)",
                ] {
                    for path in ["/", "/api/state", "/api/events", "/page/list.js", "/nowhere"] {
                        let answer = try await console.ask(console.request("GET", path, cookie: cookie))
                        #expect(answer.status == 401, "\(path) with \(cookie)")
                        #expect(!answer.body.contains("<script") && !answer.body.contains("is_on"))
                    }
                    for path in ["/api/command", "/api/preview", "/api/why"] {
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
                let answer = try await console.ask(console.request("GET", "/?token=\(console.token)", cookie: ""))
                #expect(answer.status == 303)
                #expect(answer.header("location") == "./")
                let cookie = try #require(answer.header("set-cookie"))
                #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
                #expect(!cookie.contains(console.token))
                for wrong in [
                    "", "x", console.token.lowercased(), console.token + "A", String(console.token.dropLast()),
                ] {
                    let answer = try await console.ask(console.request("GET", "/?token=\(wrong)", cookie: ""))
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
                    "evil.example", "localhost.evil.example:\(port)", "127.0.0.1", "127.0.0.1:1",
                    "127.0.0.1:\(port)@evil.example", "[::1]:\(port)", "0.0.0.0:\(port)",
                ] {
                    check(try await console.ask("GET", "/api/state", with: ["Host": host]), 403, "\(host)")
                }
                check(try await console.ask("GET", "/api/state", with: ["Host": nil]), 403)
                check(try await console.ask("GET", "/api/state", with: ["Host": "LocalHost:\(port)"]), 200)
                check(try await console.ask("GET", "/?token=\(console.token)", with: ["Host": "evil.example"]), 403)
            }
        }

        @Test("answers under the names that its options give, with their ports, and to pages of that origin only")
        func hosts() async throws {
            var options = FlagsConsole.Options()
            options.hosts = ["devbox.local", "tunnel:9000", "flags.example.com:443"]
            try await withConsole(options) { console in
                let own = "devbox.local:\(console.port)"
                let proxy = "flags.example.com"
                for (host, origin, status) in [
                    (own, "http://\(own)", 200), ("devbox.local", "http://devbox.local", 403),
                    ("tunnel:9000", "http://tunnel:9000", 200), ("tunnel:9001", "http://tunnel:9001", 403),
                    // Browsers leave out the port of https, at which a proxy is.
                    (proxy, "https://\(proxy)", 200), (proxy, "https://\(proxy):444", 403),
                    ("\(proxy):444", "https://\(proxy):444", 403),
                    (proxy, "https://evil.example", 403), (proxy, "https://127.0.0.1:\(console.port)", 403),
                ] {
                    let fields = ["Host": host, "Origin": origin]
                    let answer = try await console.ask("POST", "/api/command", body: Self.set, with: fields)
                    #expect(answer.status == status, "\(fields)")
                }
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
                    let answer = try await console.ask(
                        method, path, with: ["Origin": "http://127.0.0.1:\(console.port)"])
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

        @Test("that is read-only shows everything and changes nothing")
        func readOnly() async throws {
            var options = FlagsConsole.Options()
            options.isReadOnly = true
            try await withConsole(options) { console in
                let answer = try await console.ask("POST", "/api/command", body: Self.set)
                #expect(answer.status == 403 && answer.body.contains(#""code":"read-only""#), "\(answer.body)")
                #expect(console.flags.$isOn.resolution().source == .default)
                contains(try await console.ask("GET", "/api/state").body, "readOnlyReason")
            }
        }
    }
#endif
