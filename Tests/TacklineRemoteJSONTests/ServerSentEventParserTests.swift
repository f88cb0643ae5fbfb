import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

@Suite("The parser of server-sent events") struct ServerSentEventParserTests {
    private func parse(_ text: String, portion: Int = .max) throws -> ([ServerSentEvent], ServerSentEventParser) {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            events += try parser.consume(rest.prefix(portion))
            rest = rest.dropFirst(portion)
        }
        return (events, parser)
    }

    private static let examples: [(String, [ServerSentEvent])] = [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [ServerSentEvent(data: "YHOO\n+2\n10")]),
        (
            ": test\n\ndata: first\nid: 1\n\ndata:second\nid\n\ndata:  third\n\n",
            [ServerSentEvent(data: "first"), ServerSentEvent(data: "second"), ServerSentEvent(data: " third")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
        (
            "\u{FEFF}data: a\r\rdata: b\r\n\r\ndata: c\n\n\u{FEFF}data: d\n\n",
            [
                ServerSentEvent(data: "a"), ServerSentEvent(data: "b"), ServerSentEvent(data: "c"),
            ]
        ),
        (
            "event: put\ndata: x\n\nevent: gone\n\ndata: y\n\n",
            [
                ServerSentEvent(name: "put", data: "x"), ServerSentEvent(data: "y"),
            ]
        ),
        ("data: incomplete\n", []),
    ]

    @Test("takes events apart as the standard has it, however they are portioned")
    func examples() throws {
        for (text, expected) in Self.examples {
            for portion in [1, 2, 3, 5, 7, .max] {
                #expect(try parse(text, portion: portion).0 == expected, "portions of \(portion)")
            }
        }
    }

    @Test("replaces what is not UTF-8")
    func invalidUTF8() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.consume(Array("data: ".utf8) + [0xFF] + Array("\n\n".utf8)).first?.data == "\u{FFFD}")
    }

    @Test("refuses an event over the limit, in one line or in many, and stays so")
    func tooLarge() throws {
        var one = ServerSentEventParser(maximumEventBytes: 100)
        #expect(throws: (any Error).self) { try one.consume([UInt8](repeating: 0x78, count: 101)) }
        var many = ServerSentEventParser(maximumEventBytes: 100)
        #expect(throws: (any Error).self) {
            for _ in 0..<50 { _ = try many.consume(Array("data: x\n".utf8)) }
        }
    }
}
