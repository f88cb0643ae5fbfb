import Foundation
import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

@Suite("Faults of connections", .overEachTransport, .hangLimit) struct ConnectionFaultTests {
    private let json = LoopbackHeader("Content-Type", "application/json")

    @Test("17: a body that trickles in is given up after 30 seconds in all, one that stalls and a header after 10")
    func slowAnswers() async throws {
        // The seconds before each portion of the body, those before the failure, and its reason.
        let cases: [(pauses: [Int], last: Int, reason: String)] = [
            ([], 10, "nothing arrived for 10 seconds"),
            ([0], 10, "nothing arrived for 10 seconds"),
            ([9, 9], 10, "nothing arrived for 10 seconds"),
            ([9, 9, 9], 3, "not complete within 30 seconds"),
        ]
        for (pauses, last, reason) in cases {
            let (clock, gates, next) = (ManualClock(), pauses.map { _ in LoopbackGate() }, Counter())
            let (steps, step) = AsyncStream.makeStream(of: Void.self)
            let transport = StubTransport { _ in
                step.yield()
                if gates.isEmpty { try await LoopbackGate().wait() }
                let body = AsyncThrowingStream<Data, any Error> {
                    // The provider has taken in what came before.
                    step.yield()
                    let number = next.next()
                    try await (number <= gates.count ? gates[number - 1] : LoopbackGate()).wait()
                    return Data("[".utf8)
                }
                return HTTPTransportResponse(status: 200, headers: [:], body: body)
            }
            let provider = RemoteJSONProvider(
                url: try #require(URL(string: "https://flags.example/")),
                configuration: .forTests {
                    $0.clock = clock
                    $0.transport = transport
                    $0.requestTimeout = .seconds(30)
                })
            async let failed = provider.failure()
            var iterator = steps.makeAsyncIterator()
            await iterator.next()
            for (pause, gate) in zip(pauses, gates) {
                await iterator.next()
                clock.advance(by: .seconds(pause))
                gate.open()
            }
            if !pauses.isEmpty { await iterator.next() }
            clock.advance(by: .seconds(last))
            #expect(await failed?.message.contains(reason) == true, "\(reason)")
        }
    }

    @Test("17: a header is waited for 10 seconds, also after an authorization that took its time")
    func lateHeader() async throws {
        let (clock, token, sent) = (ManualClock(), LoopbackGate(), LoopbackGate())
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.clock = clock
            $0.requestTimeout = .seconds(30)
            $0.authorization = {
                try await token.wait()
                return nil
            }
            $0.transport = StubTransport { _ in
                sent.open()
                try await LoopbackGate().wait()
                throw CancellationError()
            }
        }
        let url = try #require(URL(string: "https://flags.example/"))
        async let failed = RemoteJSONProvider(url: url, configuration: configuration).failure()
        try await clock.waitForSleepers { !$0.isEmpty }
        token.open()
        try await sent.wait()
        clock.advance(by: .seconds(10))
        #expect(await failed?.message.contains("nothing arrived for 10 seconds") == true)
    }

    @Test("17: an authorization that never comes is given up after 30 seconds in all")
    func hangingAuthorization() async throws {
        let clock = ManualClock()
        let server = try LoopbackServer(replies: [good()])
        let never = LoopbackGate()
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.clock = clock
            $0.requestTimeout = .seconds(30)
            // It does not even hear that it is cancelled.
            $0.authorization = { await Task { try? await never.wait() }.value.map { "Bearer x" } }
        }
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        async let failed = provider.failure()
        try await clock.waitForSleepers { $0.contains(.seconds(10)) }
        clock.advance(by: .seconds(30))
        #expect(await failed?.message.contains("30 seconds") == true)
        #expect(server.requests.isEmpty)
        never.open()
    }

    @Test("no error tells a secret of the URL or of a header")
    func secrets() async throws {
        let server = try LoopbackServer(replies: [status(401), .script([.text("HTTP/1."), .reset])])
        let text = "http://someone:pa55word@127.0.0.1:\(server.port)/flags.json?token=t0psecret"
        let lines = Lines()
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.headers = ["X-Key": "s3cret-key"]
            $0.authorization = { "Bearer abcdefgh" }
            $0.log = lines.append
        }
        let provider = RemoteJSONProvider(url: try #require(URL(string: text)), configuration: configuration)
        let errors = [await provider.failure(), await provider.failure()].compactMap(\.self)
        #expect(errors.count == 2)
        for secret in ["someone", "pa55word", "t0psecret", "s3cret-key", "abcdefgh"] {
            #expect(!"\(errors) \(lines.all)".contains(secret), "\(errors)")
        }
    }

    @Test("18: a redirect loop ends after five")
    func redirectLoop() async throws {
        let server = try LoopbackServer(replies: [.response(.redirect(to: "/again"))])
        let error = await RemoteJSONProvider(url: server.url, configuration: .forTests()).failure()
        #expect(error?.message.contains("redirects in a row") == true, "\(String(describing: error))")
        #expect(server.requests.count == 6)
    }

    @Test("18: a redirect within the origin is followed, with the headers")
    func redirect() async throws {
        let server = try LoopbackServer { request in
            request.path == "/new" ? good(8) : .response(.redirect(to: "/new", status: 301))
        }
        let configuration = RemoteJSONProvider.Configuration.forTests { $0.authorization = { "Bearer x" } }
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(server.requests.map { $0.headerValue("Authorization") } == ["Bearer x", "Bearer x"])
    }

    @Test("18: another origin gets no request unless it is allowed, and then nothing private")
    func otherOrigin() async throws {
        let other = try LoopbackServer(replies: [good(9)])
        let target = other.url.absoluteString
        let server = try LoopbackServer(replies: [.response(.redirect(to: target))])
        let strict = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(await strict.failure()?.message.contains("to another origin") == true)
        #expect(other.requests.isEmpty)

        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.allowsRedirectsToOtherOrigins = true
            $0.authorization = { "Bearer secret" }
            $0.headers = ["X-Key": "secret", "Cookie": "secret"]
        }
        let open = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(try await open.refresh() == .changed(["a"]))
        #expect(server.requests.last?.headerValue("X-Key") == "secret")
        #expect(other.requests.count == 1)
        #expect(other.requests.last?.headers.contains { $0.value.contains("secret") } == false)
    }

    @Test("18: a redirect to nowhere or to a file fails")
    func badLocation() async throws {
        let cases: [String?] = [nil, "", "file:///etc/hostname", "ftp://127.0.0.1/x"]
        for location in cases {
            let headers = location.map { [LoopbackHeader("Location", $0)] } ?? []
            let server = try LoopbackServer(replies: [status(302, headers)])
            let error = await RemoteJSONProvider(url: server.url, configuration: .forTests()).failure()
            #expect(error?.code == .network, "\(String(describing: error))")
        }
    }

    @Test("18: from http to https on the same host is followed with all fields; to http, and back with them, is not")
    func schemes() async throws {
        /// Redirects along the URLs, and gives a document at the last one. Returns its request's fields, or the error.
        func follow(_ urls: [String]) async throws -> (fields: [String: String]?, error: String?) {
            let fields = Mutex<[String: String]?>(nil)
            let configuration = RemoteJSONProvider.Configuration.forTests {
                $0.allowsRedirectsToOtherOrigins = true
                $0.headers = ["X-Key": "secret"]
                $0.transport = StubTransport { request in
                    guard let index = urls.lastIndex(of: request.url.absoluteString), index + 1 < urls.count else {
                        fields.withLock { $0 = request.headers }
                        return HTTPTransportResponse(json: #"{"a": 1}"#)
                    }
                    return HTTPTransportResponse(status: 302, headers: ["Location": urls[index + 1]])
                }
            }
            let url = try #require(URL(string: urls[0]))
            let error = await RemoteJSONProvider(url: url, configuration: configuration).failure()
            return (fields.withLock { $0 }, error?.message)
        }
        let (plain, secure) = ("http://a.example/1", "https://a.example/2")
        #expect(try await follow([plain, secure]).fields?["X-Key"] == "secret")
        for urls in [[secure, plain], [plain, secure, "http://a.example/3"]] {
            let (fields, error) = try await follow(urls)
            #expect(fields == nil && error?.contains("from https to http") == true, "\(urls)")
        }
        // Nothing private, not even on a redirect back.
        #expect(try await follow([plain, "http://b.example/", "http://a.example/3"]).fields?["X-Key"] == .some(nil))
    }

    @Test("25: a 401 that asks for a password is a wrong configuration, and does not hang")
    func unauthorized() async throws {
        let challenge = LoopbackHeader("WWW-Authenticate", "Basic realm=\"flags\"")
        let server = try LoopbackServer(replies: [status(401, [challenge], body: "no")])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(await provider.failure()?.code == "misconfigured")
        #expect(provider.state.lastError?.message.contains("status 401") == true)
        #expect(server.requests.count == 1)
    }

    @Test(
        "36: a refused connection, an unknown name, and a server without TLS fail, and nothing is asked for without it")
    func unreachable() async throws {
        let server = try LoopbackServer(replies: [good()])
        // Nobody listens at the port of tcpmux (RFC 1078), and only the superuser could. A label is too long for anybody to
        // be asked about it (RFC 1035, section 2.3.4).
        let label = String(repeating: "x", count: 64)
        for text in ["http://127.0.0.1:1/", "http://\(label).invalid/flags.json", "https://127.0.0.1:\(server.port)/"] {
            let provider = RemoteJSONProvider(url: try #require(URL(string: text)), configuration: .forTests())
            #expect(await provider.failure()?.code == .network, "\(text)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("36: a reset in the header or in the body fails")
    func reset() async throws {
        for inBody in [true, false] {
            let head = LoopbackStep.head(status: 200, headers: [json, LoopbackHeader("Content-Length", "50")])
            let steps: [LoopbackStep] = inBody ? [head, .text("{"), .reset] : [.text("HTTP/1.1 20"), .reset]
            try await expectKept(.script(steps), codes: [.network])
        }
    }

    @Test("40: a connection closed in order anywhere in the header fails")
    func cutHeader() async throws {
        for count in [0, 1, 9, 15, 16, 17, 20, 35] {
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
            let server = try LoopbackServer(replies: [.script([.bytes(Array(answer.prefix(count))), .close])])
            let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
            #expect(await provider.failure() != nil, "after \(count) bytes")
        }
    }
}
