#if Web
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("The page of a console", .hangLimit) struct ConsolePageTests {
        @Test("consists of files that are all served with their types")
        func served() async throws {
            try await withConsole { console in
                let page = try await console.ask("GET", "/").body
                var asked = page.components(separatedBy: "\"page/").dropFirst().map { String($0.prefix { $0 != "\"" }) }
                // The scripts import each other.
                for (name, text) in ConsolePage.files where name.hasSuffix(".js") {
                    asked += text.components(separatedBy: "from \"./").dropFirst().map {
                        String($0.prefix { $0 != "\"" })
                    }
                }
                #expect(Set(asked + ["index.html", "welcome.html"]) == Set(ConsolePage.files.keys))
                for name in Set(asked) {
                    let answer = try await console.ask("GET", "/page/\(name)")
                    check(answer, 200, "\(name)")
                    let type = name.hasSuffix(".js") ? "text/javascript" : "text/css"
                    #expect(answer.header("content-type") == "\(type); charset=utf-8")
                    #expect(answer.body == ConsolePage.files[name])
                }
            }
        }

        @Test("lets only its own scripts and styles run, by a number that is never used again")
        func policy() async throws {
            try await withConsole { console in
                let navigation = ["Sec-Fetch-Dest": "document", "Cookie": nil]
                for fields in [[:], navigation] as [[String: String?]] {
                    let first = try await console.ask("GET", "/", with: fields)
                    let second = try await console.ask("GET", "/", with: fields)
                    let policy = try #require(first.header("content-security-policy"))
                    #expect(policy != second.header("content-security-policy"))
                    for part in ["default-src", "base-uri", "frame-ancestors", "trusted-types"] {
                        #expect(policy.contains("\(part) 'none'"))
                    }
                    #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
                    let nonce = try #require(
                        policy.components(separatedBy: "'nonce-").dropFirst().first?.prefix { $0 != "'" })
                    // Each style and script has it, and there is none without.
                    let count = ["<link rel=\"stylesheet\"", "<style", "<script"]
                        .map { first.body.components(separatedBy: $0).count - 1 }.reduce(0, +)
                    #expect(nonce.count == 32 && count >= 2)
                    #expect(first.body.components(separatedBy: "nonce=\"\(nonce)\"").count - 1 == count)
                    // What flags are called is no part of the page.
                    #expect(!first.body.contains("boo()") && !first.body.contains("NONCE"))
                }
                // Nothing in the page needs markup made of text, another place, or a path of its own: a proxy may give it one.
                for (name, text) in ConsolePage.files {
                    for forbidden in [
                        "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", " style=\"",
                        "onclick=", "https://", "src=\"//", "import(", "\"/page", "\"/api", "href=\"/",
                    ] {
                        #expect(!text.contains(forbidden), "\(name): \(forbidden)")
                    }
                }
                let state = try await console.ask("GET", "/api/state")
                #expect(state.header("content-type") == "application/json; charset=utf-8")
                #expect(state.body.contains(#"<b onclick=\"boo()\">"#) || state.body.contains(#"\u003cb"#))
            }
        }

        @Test("can be read from a folder at each request, and no other file of it")
        func folder() async throws {
            let folder = try TemporaryFolder()
            for (name, text) in [("list.js", "one"), ("index.html", "<p nonce=NONCE>"), ("secret.js", "secret")] {
                _ = try folder.file(name, text)
            }
            var options = FlagsConsole.Options()
            options.pageFolder = folder.url
            try await withConsole(options) { console in
                #expect(try await console.ask("GET", "/page/list.js").body == "one")
                _ = try folder.file("list.js", "two")
                #expect(try await console.ask("GET", "/page/list.js").body == "two")
                let page = try await console.ask("GET", "/")
                #expect(page.body.hasPrefix("<p nonce=") && !page.body.contains("NONCE"))
                for path in ["secret.js", "../secret.js", "%2e%2e/secret.js", "", "./secret.js", "index.html"] {
                    let answer = try await console.ask("GET", "/page/\(path)")
                    check(answer, 404, "\(path)")
                    #expect(!answer.body.contains("secret"))
                }
            }
        }
    }

    @Suite("Those who follow a link to a console", .hangLimit) struct ConsoleWelcomeTests {
        /// What a browser says when a link leads to a page.
        private func navigation(from site: String, cookie: String? = nil) -> [String: String?] {
            [
                "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
                "Accept": "text/html",
                "Cookie": cookie,
            ]
        }

        private let link = "/?flag=WebFlags%3Ais_on&q=a+b"

        @Test("are led there when they have the token", arguments: ["none", "cross-site", "same-origin"])
        func target(site: String) async throws {
            try await withConsole { console in
                let answer = try await console.ask(
                    "GET", link + "&token=\(console.token)", with: navigation(from: site))
                check(answer, 303)
                // Relative, since a proxy may have put the page under a path.
                #expect(answer.header("location") == ".\(link)")
                #expect(answer.header("set-cookie") != nil)
            }
        }

        @Test("are asked for the token by a page that shows nothing, and repeats nothing of the address")
        func signIn() async throws {
            try await withConsole { console in
                let evil = "/?q=%22%3E%3Cscript%3Eboo()%3C%2Fscript%3E%00"
                for path in [evil, evil + "&token=wrong"] {
                    for site in ["same-origin", "cross-site"] {
                        let answer = try await console.ask("GET", path, with: navigation(from: site))
                        check(answer, 401)
                        #expect(answer.body.contains("id=\"token\"") && !answer.body.contains("boo()"))
                        #expect(answer.header("set-cookie") == nil)
                    }
                }
                // Programs get a line of text.
                let plain = try await console.ask("GET", "/", with: ["Cookie": nil])
                check(plain, 401)
                #expect(plain.header("content-type") == "text/plain; charset=utf-8")
            }
        }

        @Test("from another site reach the page and nothing else, and do nothing")
        func foreign() async throws {
            try await withConsole { console in
                let session = try await console.session
                for site in ["cross-site", "same-site"] {
                    let fields = navigation(from: site, cookie: session)
                    check(try await console.ask("GET", link, with: fields), 200)
                    for path in ["/api/state", "/page/list.js", "/api/events"] {
                        check(try await console.ask("GET", path, with: fields), 403, "\(path)")
                    }
                    for (field, value) in [("Sec-Fetch-Dest", "iframe"), ("Sec-Fetch-Mode", "no-cors")] {
                        check(
                            try await console.ask("GET", link, with: fields.merging([field: value]) { $1 }), 403,
                            "\(field)")
                    }
                    check(
                        try await console.ask("POST", "/api/command", body: ConsoleAttackTests.set, with: fields), 403)
                }
                #expect(!console.flags.isOn)
            }
        }
    }
#endif
