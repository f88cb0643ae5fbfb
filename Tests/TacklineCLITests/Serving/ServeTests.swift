#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineRemoteJSON
    import TacklineTestSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("The command serve", .hangLimit)
    struct ServeTests {
        private let folder = Result { try TemporaryFolder() }

        /// A server that prints JSON, and its URLs.
        private struct Server {
            let tool: ChildProcess
            let url: URL
            let events: URL

            init(_ file: URL) async throws {
                tool = try Tool.start("serve", file.path, "--port", "0", "--json")
                let serving = try await Self.event("serving", of: tool)
                guard case .string(let url)? = serving["url"], case .string(let events)? = serving["events"],
                    let url = URL(string: url), let events = URL(string: events)
                else { throw CocoaError(.coderReadCorrupt) }
                (self.url, self.events) = (url, events)
            }

            /// Returns the next event with a name, and skips others.
            static func event(_ name: String, of tool: ChildProcess) async throws -> [String: EncodedFlagValue] {
                while let line = try await tool.nextLine() {
                    if case .object(let event) = try FlagJSONReader().read(line), event["event"] == .string(name) {
                        return event
                    }
                }
                throw CocoaError(.fileReadUnknown)
            }

            func event(_ name: String) async throws -> [String: EncodedFlagValue] {
                try await Self.event(name, of: tool)
            }
        }

        @Test("lets a remote provider see every edit of the file, and serves the last good one while it is broken")
        func edits() async throws {
            let folder = try folder.get()
            let file = try folder.file("flags.json", #"{ "sson": false, "limits": { "soft": 1 } }"#)
            let server = try await Server(file)
            var configuration = RemoteJSONProvider.Configuration()
            configuration.cache = .disabled
            configuration.streamURL = server.events
            let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
            let (observer, notices) = FlagProviderObserver.makeStream()
            #expect(provider.observe(observer))
            provider.start()
            var iterator = notices.makeAsyncIterator()
            _ = await iterator.next()
            #expect(provider.value(at: "sson") == false)
            // The edit is announced and fetched once the stream is open.
            while try await server.event("request")["path"] != "/events" {}

            try Data(#"{ "sson": true, "limits": { "soft": 1 } }"#.utf8).write(to: file, options: .atomic)
            _ = await iterator.next()
            #expect(provider.value(at: "sson") == true)
            #expect(try await server.event("changed")["keys"] == ["sson"])

            try Data(#"{ "sson": tru"#.utf8).write(to: file, options: .atomic)
            guard case .string(let reason)? = try await server.event("broken")["reason"] else {
                Issue.record("there is no reason")
                return
            }
            #expect(reason.contains("flags.json:1:11: error: "))
            #expect(try await get(server.url).text.contains("true"))

            try Data(#"{ "sson": true, "limits": { "soft": 2 } }"#.utf8).write(to: file, options: .atomic)
            _ = await iterator.next()
            #expect(provider.value(at: "limits/soft") == 2)
            provider.stop()
            server.tool.interrupt()
            #expect(try await server.tool.ending().status == 0)
            withExtendedLifetime(observer) {}
        }

        @Test("answers with an entity tag, with 304 to who has it, and refuses what it does not serve")
        func requests() async throws {
            let server = try await Server(try folder.get().file("two words.json", #"{ "a": 1 }"#))
            let first = try await get(server.url)
            #expect(first.status == 200 && first.text == #"{ "a": 1 }"#)
            let tag = try #require(first.header("ETag"))
            for (tags, status) in [(tag, 304), ("\"x\", W/\(tag)", 304), ("\"x\"", 200)] {
                #expect(try await get(server.url, ["If-None-Match": tags]).status == status)
            }
            #expect(try await get(server.url, method: "HEAD").text == "")
            #expect(try await get(server.url, method: "DELETE").status == 405)
            let root = server.url.deletingLastPathComponent()
            #expect(try await get(root).status == 200)
            #expect(try await get(root.appending(path: "other")).status == 404)
            #expect(try await get(server.url, ["Host": "example.com"]).status == 403)
        }

        @Test("serves a property list as JSON, a signed document as it is, and definitions as deep as apps take them")
        func formats() async throws {
            let folder = try folder.get()
            try Data(FlagPropertyList.encode(["a": true], as: .xml)).write(to: folder.file("flags.plist"))
            let list = try await Server(folder.file("flags.plist"))
            #expect(try await get(list.url).text.contains(#""a": true"#))
            let envelope = #"{ "payload": "eyJhIjogMX0=", "signatures": [ { "keyid": "x", "sig": "eA==" } ] }"#
            let signed = try await Server(folder.file("signed.json", envelope))
            #expect(try await get(signed.url).text == envelope)
            let deep = String(repeating: #"{"!": ["#, count: 40) + "true" + String(repeating: "]}", count: 40)
            let text = """
                {"flags": {"deep": {"state": "ENABLED", "variants": {"true": 1, "false": 2}, "targeting": \(deep)}}}
                """
            let server = try await Server(try folder.file("flags.json", text))
            #expect(try await get(server.url).text == text)
        }

        @Test(
            "ends with 2 for a file that cannot be used or an address that it cannot have, and with 64 for none of its own"
        )
        func failures() async throws {
            let file = try folder.get().file("flags.json", "{}")
            let server = try await Server(file)
            for (arguments, status, words) in [
                ([try folder.get().file("broken.json", "[1]").path], 2, "broken.json"),
                ([file.path, "--port", "\(server.url.port ?? 0)"], 2, "--port"),
                ([file.path, "--host", "flags.example.com"], 64, "flags.example.com"),
            ] as [([String], Int32, String)] {
                let tool = try await Tool.run(["serve"] + arguments)
                #expect(tool.status == status && tool.errors.contains(words), "\(tool.errors)")
            }
        }

        private func get(
            _ url: URL, _ headers: [String: String] = [:], method: String = "GET"
        ) async throws -> (status: Int, text: String, header: (String) -> String?) {
            var request = URLRequest(
                url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 24 * 3600)
            request.httpMethod = method
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await URLSession.shared.data(for: request)
            let answer = try #require(response as? HTTPURLResponse)
            return (answer.statusCode, String(decoding: data, as: UTF8.self), { answer.value(forHTTPHeaderField: $0) })
        }
    }
#endif
