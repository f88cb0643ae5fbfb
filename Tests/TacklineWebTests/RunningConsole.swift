#if Web
    import FlyingSocks
    import Foundation
    import Synchronization
    import TacklineBrowser
    import TacklineComposition
    import TacklineCore
    import TacklineMemory
    import Testing

    @testable import TacklineWeb

    struct WebFlags: FlagCollectionProtocol {
        @Flag(
            default: false,
            description: .init(name: "<b onclick=\"boo()\">Bold</b>", description: "</script><script>boo()"))
        var isOn: Bool

        @Flag(default: 3, description: "A small number")
        var attempts: UInt8

        @Flag(default: "plain", description: "A text")
        var title: String
    }

    /// A console that runs while a test talks to it.
    struct RunningConsole: Sendable {
        let port: UInt16
        let token: String
        let flags: FlagsLoader<WebFlags>

        /// The cookie that the token is exchanged for.
        var session: String {
            get async throws {
                let answer = try await ask(request("GET", "/?token=\(token)", cookie: ""))
                return answer.header("set-cookie")?.split(separator: ";").first.map(String.init) ?? ""
            }
        }

        /// A page that follows the console, and has read the head of the answer and the first event.
        func follow() async throws -> Client {
            let page = try await Client(port: port)
            try await page.send(request("GET", "/api/events", cookie: try await session))
            contains(try await page.read(until: "\r\n\r\n"), "text/event-stream; charset=utf-8")
            contains(try await page.read(until: "\n\n"), "event: changed")
            return page
        }

        /// Sends exactly this, and reads until the console closes.
        func ask(_ text: String) async throws -> Answer {
            let client = try await Client(port: port)
            defer { client.close() }
            try await client.send(text)
            return Answer(text: try await client.read())
        }

        /// Asks as the page does, except for what is given otherwise.
        func ask(
            _ method: String = "GET", _ path: String, body: String? = nil, with fields: [String: String?] = [:]
        ) async throws -> Answer {
            let cookie = try await session
            return try await ask(request(method, path, body: body, cookie: cookie, with: fields))
        }

        func request(
            _ method: String = "GET", _ path: String, body: String? = nil, cookie: String,
            with fields: [String: String?] = [:]
        ) -> String {
            var all: [String: String?] = [
                "Host": "127.0.0.1:\(port)", "Cookie": cookie, "Sec-Fetch-Site": "same-origin", "Connection": "close",
            ]
            if method == "POST" {
                all["Origin"] = "http://127.0.0.1:\(port)"
                all["Content-Type"] = "application/json"
            }
            if let body { all["Content-Length"] = "\(body.utf8.count)" }
            all.merge(fields) { $1 }
            let lines = all.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.sorted()
            return "\(method) \(path) HTTP/1.1\r\n\(lines.joined())\r\n\(body ?? "")"
        }
    }

    /// Expects the status of an answer. `#expect` with `try` inside does not compile in a closure.
    func check(
        _ answer: Answer, _ status: Int, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, comment, sourceLocation: sourceLocation)
    }

    /// Expects a text in another one.
    func contains(_ text: String, _ part: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(text.contains(part), sourceLocation: sourceLocation)
    }

    /// What came back.
    struct Answer: Sendable {
        let text: String

        var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var head: String { text.components(separatedBy: "\r\n\r\n").first ?? "" }
        var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }

        func header(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
        }
    }

    /// A connection that sends the given bytes.
    final class Client: Sendable {
        private let socket: AsyncSocket
        /// What came and was not asked for yet.
        private let rest = Mutex<[UInt8]>([])

        init(port: UInt16) async throws {
            socket = try await AsyncSocket.connected(to: try sockaddr_in.inet(ip4: "127.0.0.1", port: port))
        }

        func send(_ text: String) async throws {
            try await socket.write(Data(text.utf8))
        }

        /// Reads up to a text and returns everything to its end, or what came until the other side closed, in order or not.
        func read(until text: String? = nil) async throws -> String {
            func end() -> Int? { text.flatMap { text in rest.withLock { $0.firstRange(of: text.utf8)?.upperBound } } }
            while end() == nil, let portion = try? await socket.read(atMost: 4096) { rest.withLock { $0 += portion } }
            let count = end()
            return rest.withLock { rest in
                defer { rest.removeFirst(count ?? rest.count) }
                return String(decoding: rest.prefix(count ?? rest.count), as: UTF8.self)
            }
        }

        func close() {
            try? socket.close()
        }
    }

    /// Runs a console with one loader over one memory while the operation talks to it. No time limit of it is met, and it
    /// gives no sign of life, unless that is changed.
    func withConsole(
        _ options: FlagsConsole.Options = .init(), change: (inout FlagsConsole) -> Void = { _ in },
        operation: @escaping @Sendable (RunningConsole) async throws -> Void
    ) async throws {
        let flags = FlagsLoader(
            WebFlags.self, environment: .nonProduction, providers: [MemoryProvider(name: "memory")])
        var console = FlagsConsole(loaders: flags, options: options)
        console.timeout = .seconds(3600)
        console.heartbeat = .seconds(3600)
        change(&console)
        try await run(console) { [token = console.secrets.token] url in
            try await operation(RunningConsole(port: UInt16(url.port ?? 0), token: token, flags: flags))
        }
    }

    /// Runs a console until the operation has ended.
    func run(_ console: FlagsConsole, operation: @escaping @Sendable (URL) async throws -> Void) async throws {
        let (urls, ready) = AsyncStream.makeStream(of: URL.self)
        async let running: Void = {
            defer { ready.finish() }
            try await console.run { ready.yield($0) }
        }()
        for await url in urls { return try await operation(url) }
        try await running
    }
#endif
