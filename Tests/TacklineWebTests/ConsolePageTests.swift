#if Web
    import Foundation
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("The files of the page", .hangLimit) struct ConsolePageTests {
        @Test("are served with their types, each that the page asks for, and to nobody without the session")
        func served() async throws {
            try await withConsole { console in
                let page = try await console.ask("GET", "/").body
                let asked = page.components(separatedBy: "\"page/").dropFirst().map { $0.prefix { $0 != "\"" } }
                #expect(Set(asked.map(String.init) + ["index.html"]) == Set(ConsolePage.files.keys))
                for name in asked {
                    let answer = try await console.ask("GET", "/page/\(name)")
                    check(answer, 200, "\(name)")
                    let type = name.hasSuffix(".js") ? "text/javascript" : "text/css"
                    #expect(answer.header("content-type") == "\(type); charset=utf-8")
                    #expect(answer.body == ConsolePage.files[String(name)])
                    check(try await console.ask("GET", "/page/\(name)", with: ["Cookie": nil]), 401, "\(name)")
                    check(
                        try await console.ask("GET", "/page/\(name)", with: ["Sec-Fetch-Site": "cross-site"]), 403,
                        "\(name)")
                }
            }
        }

        @Test("import no module that is not there, and none that imports them, directly or by others")
        func modules() throws {
            var imports: [String: [String]] = [:]
            for (name, text) in ConsolePage.files where name.hasSuffix(".js") {
                imports[name] = text.split(separator: "\n").filter { $0.hasPrefix("import ") }.map { line in
                    String(line.components(separatedBy: "from \"./").last?.dropLast(2) ?? "")
                }
            }
            // Each round takes the modules away that import nothing of what is left.
            while true {
                let free = imports.filter { $0.value.isEmpty }.map(\.key)
                if free.isEmpty { break }
                for name in free { imports[name] = nil }
                for name in imports.keys { imports[name]?.removeAll { free.contains($0) } }
            }
            #expect(imports.isEmpty)
        }

        @Test("are read from a folder at each request if the options say so, and no others of it")
        func folder() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-page-\(UUID().uuidString)")
            let inner = folder.appending(path: "files")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try "one".write(to: inner.appending(path: "list.js"), atomically: true, encoding: .utf8)
            try "<p nonce=NONCE>".write(to: inner.appending(path: "index.html"), atomically: true, encoding: .utf8)
            for secret in [inner.appending(path: "secret.js"), folder.appending(path: "list.js")] {
                try "secret".write(to: secret, atomically: true, encoding: .utf8)
            }
            try await withConsole {
                $0.pageFolder = inner
            } operation: { console in
                #expect(try await console.ask("GET", "/page/list.js").body == "one")
                try "two".write(to: inner.appending(path: "list.js"), atomically: true, encoding: .utf8)
                #expect(try await console.ask("GET", "/page/list.js").body == "two")
                let page = try await console.ask("GET", "/")
                #expect(page.body.hasPrefix("<p nonce=") && !page.body.contains("NONCE"))
                for path in ["secret.js", "../list.js", "%2e%2e/list.js", "", "files/list.js", "store.js"] {
                    let answer = try await console.ask("GET", "/page/\(path)")
                    check(answer, 404, "\(path)")
                    #expect(!answer.body.contains("secret"))
                }
            }
        }
    }
#endif
