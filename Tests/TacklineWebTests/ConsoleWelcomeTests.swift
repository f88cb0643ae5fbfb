#if Web
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("Those who follow a link to a console", .hangLimit) struct ConsoleWelcomeTests {
        /// What a browser says when a link leads to a page.
        private func navigation(from site: String) -> [String: String?] {
            ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Accept": "text/html"]
        }

        private let link = "/?flag=WebFlags%3Ais_on&q=a+b"

        @Test("keep where it leads when they give the token", arguments: ["none", "cross-site", "same-origin"])
        func target(site: String) async throws {
            try await withConsole { console in
                let answer = try await console.ask(
                    "GET", link + "&token=\(console.token)",
                    with: navigation(from: site).merging(["Cookie": nil]) { $1 })
                check(answer, 303)
                // Relative, since a proxy may have put the page under a path.
                #expect(answer.header("location") == "." + link)
                #expect(answer.header("set-cookie") != nil)
                let pasted = "http%3A%2F%2Fh%2F%3Ftoken%3D\(console.token)%26x"
                let whole = try await console.ask("GET", "/?q=a&token=\(pasted)", with: navigation(from: site))
                check(whole, 303)
                #expect(whole.header("location") == "./?q=a")
            }
        }

        @Test("are asked for the token on a page that keeps the rest, and are told of a wrong one")
        func signIn() async throws {
            try await withConsole { console in
                let evil = "/?q=%22%3E%3Cscript%3Eboo()%3C%2Fscript%3E%00"
                for (path, token) in [(evil, ""), (evil + "&token=wrong", "not the one of this console")] {
                    let answer = try await console.ask(
                        "GET", path, with: navigation(from: "same-origin").merging(["Cookie": nil]) { $1 })
                    check(answer, 401)
                    contains(answer.body, "name=\"q\" value=\"&quot;&gt;&lt;script&gt;boo()&lt;/script&gt;\u{FFFD}\"")
                    #expect(token.isEmpty || answer.body.contains(token))
                    #expect(!answer.body.contains("boo()<") && !answer.body.contains("wrong\""))
                    #expect(answer.header("set-cookie") == nil)
                    let policy = answer.header("content-security-policy") ?? ""
                    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
                    // Its own script has a name that cannot be guessed, and there is no other.
                    let nonce = policy.split(separator: "script-src 'nonce-").last?.prefix { $0 != "'" } ?? ""
                    #expect(nonce.count >= 20 && answer.body.split(separator: "<script").count == 2)
                    #expect(answer.body.contains("<script nonce=\"\(nonce)\">") && !policy.contains("unsafe"))
                }
                // Programs get a line of text.
                let plain = try await console.ask("GET", "/", with: ["Cookie": nil])
                check(plain, 401)
                #expect(plain.header("content-type") == "text/plain; charset=utf-8")
            }
        }

        @Test("come from another site by a detour, which shows nothing and does nothing")
        func detour() async throws {
            try await withConsole { console in
                for site in ["cross-site", "same-site"] {
                    let answer = try await console.ask("GET", link, with: navigation(from: site))
                    check(answer, 200)
                    contains(answer.body, "content=\"0; url=./?flag=WebFlags%3Ais_on&amp;q=a+b\"")
                    #expect(!answer.body.contains("/page/") && answer.header("set-cookie") == nil)
                    // It is for the page alone: nothing else can be asked for so, and nothing be framed or fetched.
                    for path in ["/api/state", "/page/list.js", "/api/events"] {
                        check(try await console.ask("GET", path, with: navigation(from: site)), 403, "\(path)")
                    }
                    for (field, value) in [("Sec-Fetch-Dest", "iframe"), ("Sec-Fetch-Mode", "no-cors")] {
                        let fields = navigation(from: site).merging([field: value]) { $1 }
                        check(try await console.ask("GET", link, with: fields), 403, "\(field)")
                    }
                    check(
                        try await console.ask(
                            "POST", "/api/command", body: ConsoleAttackTests.set, with: navigation(from: site)), 403)
                }
                #expect(!console.flags.isOn)
            }
        }
    }

    @Suite("Secrets that a file keeps") struct FlagsConsoleSecretsFileTests {
        @Test("are the same at each launch and nobody else's to read")
        func kept() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-secrets-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "console")
            let made = try FlagsConsoleSecrets(keptIn: file)
            let again = try FlagsConsoleSecrets(keptIn: file)
            #expect(made.text == again.text)
            let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(rights == 0o600)

            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let open = #expect(throws: FlagError.self) { try FlagsConsoleSecrets(keptIn: file) }
            #expect(open?.code == .unusableSecrets && open?.message.contains("chmod 600") == true)
            let other = folder.appending(path: "other")
            try "something else".write(to: other, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other.path)
            #expect(throws: FlagError.self) { try FlagsConsoleSecrets(keptIn: other) }
            #expect(try String(contentsOf: other, encoding: .utf8) == "something else")
            #expect(throws: FlagError.self) {
                try FlagsConsoleSecrets(keptIn: other.appending(path: "console"))
            }
            let inner = folder.appending(path: "new/console")
            #expect(try FlagsConsoleSecrets(keptIn: inner).text == FlagsConsoleSecrets(keptIn: inner).text)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                    "console", "new", "other",
                ])
        }
    }

    @Suite("The addresses of this machine") struct LocalAddressesTests {
        @Test("are chosen by what other devices can reach")
        func choice() {
            #expect(LocalAddresses.choice(of: []) == nil)
            #expect(LocalAddresses.choice(of: [("docker0", "172.17.0.1"), ("eth0", "10.0.0.4")]) == "10.0.0.4")
            #expect(LocalAddresses.choice(of: [("tun0", "169.254.1.1"), ("br0", "10.0.0.5")]) == "10.0.0.5")
            #expect(LocalAddresses.choice(of: [("utun3", "100.64.0.1")]) == "100.64.0.1")
            #expect(LocalAddresses.reachable != "127.0.0.1")
        }
    }
#endif
