#if Web
    import TacklineHTTP
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("Reading a request") struct ConsoleRequestReaderTests {
        private func makeReader() -> HTTPRequestReader {
            HTTPRequestReader(limits: FlagsConsoleLimits().reading) { (request) throws(HTTPRequestProblem) in
                _ = try ConsoleRequest(request)
                return true
            }
        }

        private func read(_ text: String, inPortionsOf size: Int = .max) throws(HTTPRequestProblem) -> ConsoleRequest? {
            var reader = makeReader()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                if let request = try reader.append(rest.prefix(size)) { return try ConsoleRequest(request) }
                rest = rest.dropFirst(size)
            }
            return nil
        }

        private func status(_ text: String) -> Int? {
            do {
                return try read(text) == nil ? nil : 200
            } catch {
                return error.status
            }
        }

        @Test("gives the same for every way in which the bytes arrive")
        func portions() throws {
            let text =
                "POST /api/flag?id=a%2Fb+c&id=z&empty&=x HTTP/1.1\r\nHost: h\r\nX-Y:\t v \r\nCookie: a=1; b=2\r\nContent-Length: 3\r\n\r\nabcdef"
            let whole = try #require(try read(text))
            #expect(whole.method == "POST" && whole.path == "/api/flag")
            #expect(whole.query == ["id": "a/b c", "empty": "", "": "x"])
            #expect(whole.headers["x-y"] == "v")
            #expect(whole.cookie(named: "b") == "2" && whole.cookie(named: "c") == nil)
            #expect(whole.body == Array("abc".utf8))
            for size in 1...40 { #expect(try read(text, inPortionsOf: size) == whole) }
        }

        @Test(
            "refuses what two readers could understand in two ways",
            arguments: [
                ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
                ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
                ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", 411),
                ("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\na", 400),
                ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\na", 400),
                ("GET / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\na", 400),
                ("GET / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\nA: b\r\n Host: c\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\nA: b\nHost: c\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\nA: b\rHost: c\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\nA: \u{0}\r\n\r\n", 400),
                ("GET / HTTP/1.1\r\nA: é\r\n\r\n", 400),
                ("GET  / HTTP/1.1\r\n\r\n", 400),
                ("GET / HTTP/2\r\n\r\n", 400),
                ("GET http://a/ HTTP/1.1\r\n\r\n", 400),
                ("GET /?a=%zz HTTP/1.1\r\n\r\n", 400),
                ("GET /?a=%ff HTTP/1.1\r\n\r\n", 400),
                ("GET /?a=%+1 HTTP/1.1\r\n\r\n", 400),
                ("\n\n", 400),
            ])
        func ambiguous(text: String, expected: Int) {
            #expect(status(text) == expected)
        }

        @Test("neither traps nor waits for ever on changed bytes")
        func mutations() {
            var generator = SeededGenerator(seed: 8)
            let text = Array("POST /a?b=%20 HTTP/1.1\r\nHost: h:1\r\nContent-Length: 2\r\n\r\nab".utf8)
            var refused = 0
            for _ in 0..<5000 {
                var bytes = text
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let index = bytes.indices.randomElement(using: &generator) ?? 0
                    switch Int.random(in: 0...2, using: &generator) {
                    case 0: bytes[index] = .random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: index)
                    default: bytes.insert(bytes[index], at: index)
                    }
                }
                var reader = makeReader()
                do throws(HTTPRequestProblem) {
                    if let request = try reader.append(bytes) { #expect(request.body.count < 1000) }
                } catch {
                    refused += 1
                }
            }
            #expect(refused > 500)
        }
    }
#endif
