#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineOFREP
    import TacklineRemoteJSON
    import TacklineTargeting
    import TacklineTestSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("OpenFeature's protocol, served", .hangLimit)
    struct OFREPServeTests {
        private static let definitions = """
            {"metadata": {"version": "7"}, "flags": {
            "fee": {"state": "ENABLED", "variants": {"low": 1, "high": 2.5}, "defaultVariant": "high",
            "targeting": {"if": [{"==": [{"var": "plan"}, "gold"]}, "low"]}, "metadata": {"team": "shop"}},
            "half": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
            "targeting": {"fractional": [["on", 50], ["off", 50]]}},
            "list": {"state": "ENABLED", "variants": {"all": [1, 2]}, "defaultVariant": "all"},
            "off": {"state": "DISABLED", "variants": {"a": 1}, "defaultVariant": "a"},
            "plain": {"state": "ENABLED", "variants": {"a": {"x": "y"}}, "defaultVariant": "a"},
            "two words/ä": {"state": "ENABLED", "variants": {"a": "b"}, "defaultVariant": "a"},
            "wrong": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "b"}}}
            """

        private struct Answer {
            let status: Int
            let body: EncodedFlagValue?
            let tag: String?
            let type: String?
        }

        /// A server with its address.
        private struct Server {
            let tool: ChildProcess
            let base: URL

            init(_ file: URL, _ options: String...) async throws {
                tool = try Tool.start(["serve", file.path, "--port", "0", "--json"] + options)
                guard let line = try await tool.nextLine(),
                    case .object(let members) = try FlagJSONReader().read(line),
                    case .string(let text)? = members["ofrep"], let url = URL(string: text)
                else { throw CocoaError(.coderReadCorrupt) }
                base = url
            }

            func ask(
                _ path: String, _ body: String = "{}", method: String = "POST", _ headers: [String: String] = [:]
            ) async throws -> Answer {
                let url = try #require(URL(string: base.absoluteString + path))
                var request = URLRequest(
                    url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 24 * 3600)
                request.httpMethod = method
                if method == "POST" { request.httpBody = Data(body.utf8) }
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
                let (data, response) = try await URLSession.shared.data(for: request)
                let answer = try #require(response as? HTTPURLResponse)
                return Answer(
                    status: answer.statusCode, body: try? FlagJSONReader().read(data),
                    tag: answer.value(forHTTPHeaderField: "ETag"),
                    type: answer.value(forHTTPHeaderField: "Content-Type"))
            }
        }

        private static let single = "/ofrep/v1/evaluate/flags/"
        private static let bulk = "/ofrep/v1/evaluate/flags"

        private struct ShopFlags: FlagCollectionProtocol {
            @Flag(default: 0, description: "The fee") var fee: Double
            @Flag(default: false, description: "A list") var absent: Bool
        }

        @Test(
            "is what our own providers read: for an app, which hears of edits by the stream, and for each request of a server"
        )
        func ownProviders() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", Self.definitions)
            let server = try await Server(file)
            var configuration = OFREPConfiguration()
            configuration.requests.cache = .disabled
            configuration.requests.pollInterval = .zero
            configuration.requests.stream.spread = .zero
            let gold: EvaluationContext = ["targetingKey": "ada", "plan": "gold"]
            let app = try OFREPProvider(baseURL: server.base, context: gold, configuration: configuration)
            let flags = FlagsLoader(ShopFlags.self, providers: [app])
            let run = Task { try await app.run() }
            defer { run.cancel() }
            for await fee in flags.$fee.values where fee == 1 { break }
            #expect(flags.$fee.resolution().variant == "low")

            let requests = try OFREPServerProvider(baseURL: server.base, configuration: configuration)
            let shared = FlagsLoader(ShopFlags.self, providers: [requests])
            await requests.withEvaluation(for: gold) { #expect(shared.fee == 1) }
            await requests.withEvaluation(for: ["targetingKey": "ben"]) { #expect(shared.fee == 2.5 && !shared.absent) }

            _ = try folder.file("flags.json", Self.definitions.replacing("\"low\": 1", with: "\"low\": 1.5"))
            for await fee in flags.$fee.values where fee == 1.5 { break }
            app.setContext(["targetingKey": "ben"])
            #expect(flags.fee == 0, "the values of somebody else are gone at once")
            for await fee in flags.$fee.values where fee == 2.5 { break }
        }

        @Test("evaluates one flag for the context of the request")
        func evaluateOne() async throws {
            let folder = try TemporaryFolder()
            let server = try await Server(try folder.file("flags.json", Self.definitions))
            let gold = try await server.ask(
                "\(Self.single)fee", #"{"context": {"targetingKey": "ada", "plan": "gold"}}"#)
            #expect(gold.status == 200 && gold.type == "application/json")
            #expect(
                gold.body == [
                    "key": "fee", "value": 1.0, "variant": "low", "reason": "TARGETING_MATCH",
                    "metadata": ["team": "shop", "version": "7"],
                ])
            // The protocol has no reason `DEFAULT`.
            let other = try await server.ask("\(Self.single)fee", #"{"context": {"targetingKey": "ada"}}"#)
            #expect(
                other.body == [
                    "key": "fee", "value": 2.5, "variant": "high", "reason": "UNKNOWN",
                    "metadata": ["team": "shop", "version": "7", "tackline.reason": "DEFAULT"],
                ])
            #expect(try await server.ask("\(Self.single)plain").body?["reason"] == "STATIC")
            #expect(try await server.ask("\(Self.single)plain").body?["value"] == ["x": "y"])
            #expect(try await server.ask("\(Self.single)two%20words%2F%C3%A4").body?["value"] == "b")
            // Without a value, the default in the application's code applies.
            let disabled = try await server.ask("\(Self.single)off")
            #expect(disabled.status == 200 && disabled.body?["reason"] == "DISABLED" && disabled.body?["value"] == nil)
        }

        @Test("says in the protocol's words what cannot be evaluated")
        func failures() async throws {
            let folder = try TemporaryFolder()
            let server = try await Server(try folder.file("flags.json", Self.definitions))
            for (path, body, status, code) in [
                ("none", "{}", 404, "FLAG_NOT_FOUND"), ("wrong", "{}", 400, "GENERAL"), ("list", "{}", 400, "GENERAL"),
                ("fee", "{", 400, "PARSE_ERROR"), ("fee", "", 400, "PARSE_ERROR"), ("fee", "[]", 400, "PARSE_ERROR"),
                ("fee", #"{"context": 5}"#, 400, "INVALID_CONTEXT"),
                ("fee", #"{"context": {"targetingKey": 5}}"#, 400, "INVALID_CONTEXT"),
                ("fee", String(repeating: "[", count: 5000), 400, "PARSE_ERROR"),
            ] {
                let answer = try await server.ask(Self.single + path, body)
                #expect(
                    answer.status == status && answer.body?["errorCode"] == .string(code), "\(path) \(body.prefix(40))")
                #expect(answer.body?["key"] == .string(path))
            }
            #expect(try await server.ask(Self.bulk, "[]").body?["errorCode"] == "PARSE_ERROR")
            let long = #"{"context": {"x": "\#(String(repeating: "y", count: 1 << 20))"}}"#
            #expect(try await server.ask(Self.bulk, long).status == 413)
            #expect(try await server.ask(Self.bulk, method: "GET").status == 405)
            #expect(try await server.ask("/ofrep/v1/other").status == 404)
            #expect(try await server.ask(Self.bulk, "{}", ["Host": "flags.example.com"]).status == 403)
            // These are errors of the clients, so the server continues.
            #expect(try await server.ask(Self.bulk).status == 200)
        }

        @Test("evaluates all flags, with an entity tag for what this context gets")
        func evaluateAll() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", Self.definitions)
            let server = try await Server(file)
            let ada = #"{"context": {"targetingKey": "ada", "plan": "gold"}}"#
            let answer = try await server.ask(Self.bulk, ada)
            guard case .array(let flags)? = answer.body?["flags"] else {
                Issue.record("there are no flags")
                return
            }
            #expect(
                flags.map { $0["key"] } == ["fee", "half", "list", "off", "plain", "two words/ä", "wrong"])
            #expect(flags.map { $0["errorCode"] != nil } == [false, false, true, false, false, false, true])
            #expect(answer.body?["metadata"] == ["version": "7"])
            let tag = try #require(answer.tag)
            #expect(try await server.ask(Self.bulk, ada, ["If-None-Match": tag]).status == 304)
            let ben = #"{"context": {"targetingKey": "ben"}}"#
            #expect(try await server.ask(Self.bulk, ben, ["If-None-Match": tag]).status == 200)
            #expect(try await server.ask(Self.bulk, ben).tag != tag)
        }

        @Test("tells its streams of an edit, and answers from what was edited")
        func edits() async throws {
            let folder = try TemporaryFolder()
            let server = try await Server(try folder.file("flags.json", #"{"a": true, "group": {"b": 5, "c": null}}"#))
            let all = try await server.ask(Self.bulk)
            guard case .array(let flags)? = all.body?["flags"] else {
                Issue.record("there are no flags")
                return
            }
            #expect(
                flags == [
                    ["key": "a", "value": true, "reason": "STATIC"],
                    ["key": "group/b", "value": 5, "reason": "STATIC"],
                    ["key": "group/c", "reason": "STATIC"],
                ])
            guard case .array(let streams)? = all.body?["eventStreams"],
                case .string(let uri)? = streams.first?["endpoint"]?["requestUri"]
            else {
                Issue.record("there is no stream")
                return
            }
            let url = try #require(URL(string: server.base.absoluteString + uri))
            let stream = try ChildProcess(
                URL(filePath: "/usr/bin/env"), ["curl", "--no-buffer", "--silent", "--show-error", url.absoluteString])
            // The stream is open after its first line.
            #expect(try await stream.nextLine() == "retry: 500")
            _ = try folder.file("flags.json", #"{"a": false}"#)
            var told = ""
            while let line = try await stream.nextLine() {
                if line.hasPrefix("data: ") {
                    told = String(line.dropFirst(6))
                    break
                }
            }
            #expect(try FlagJSONReader().read(told)["type"] == "refetchEvaluation")
            #expect(try await server.ask("\(Self.single)a").body?["value"] == false)
            #expect(try await server.ask("\(Self.single)group%2Fb").status == 404)
        }

        @Test("lets only those in who show a key, where there are keys")
        func keys() async throws {
            let folder = try TemporaryFolder()
            let keys = try folder.file("keys.txt", "first\n\n  second \r\n")
            let server = try await Server(try folder.file("flags.json", #"{"a": true}"#), "--key-file", keys.path)
            #expect(try await server.ask(Self.bulk).status == 401)
            #expect(try await server.ask("/flags.json", method: "GET").status == 401)
            #expect(try await server.ask("/ofrep/v1/events?key=first", method: "GET").status == 401)
            #expect(try await server.ask(Self.bulk, "{}", ["X-API-Key": "third"]).status == 401)
            #expect(try await server.ask(Self.bulk, "{}", ["X-API-Key": "first"]).status == 200)
            #expect(try await server.ask(Self.bulk, "{}", ["Authorization": "Bearer second"]).status == 200)
            #expect(try await server.ask("/flags.json", method: "GET", ["X-API-Key": "second"]).status == 200)
            let empty = try folder.file("empty.txt", "\n")
            let refused = try await Tool.run("serve", folder.file("flags.json").path, "--key-file", empty.path)
            #expect(refused.status == 64 && refused.errors.contains("has no key"))
        }
    }

    extension EncodedFlagValue {
        fileprivate subscript(name: String) -> EncodedFlagValue? {
            if case .object(let members) = self { members[name] } else { nil }
        }
    }
#endif
