import TacklineLoopback
import Testing

/// An answer that no client may take for a good one.
struct BrokenAnswer: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [LoopbackStep]

    private init(_ description: String, _ steps: [LoopbackStep]) {
        testDescription = description
        self.steps = steps
    }

    static let all: [BrokenAnswer] = [
        BrokenAnswer("no answer", []),
        BrokenAnswer("reset", [.reset]),
        BrokenAnswer("reset after half of the body", [length("10"), .text("12345"), .reset]),
        // A reset and not an end in good order: there URLSession of Swift 6.3.1 on Linux ends the process ("Transfer completed,
        // but there's no response").
        BrokenAnswer("headers that end early", [.text("HTTP/1.1 200 OK\r\nContent-Le"), .reset]),
        BrokenAnswer("body shorter than its length", [length("10"), .text("12345")]),
        BrokenAnswer("length that is no number", [length("ten"), .text("12345")]),
        BrokenAnswer("negative length", [length("-1"), .text("12345")]),
        BrokenAnswer("chunk that ends early", [chunked, .text("10\r\n12345")]),
        BrokenAnswer("chunks without the last", [chunked, .chunk("12345")]),
        BrokenAnswer("chunk size that is no number", [chunked, .text("z\r\n12345\r\n0\r\n\r\n")]),
        BrokenAnswer("garbage", [.bytes([0, 1, 2, 255]), .text("this is not HTTP\r\n\r\n")]),
        BrokenAnswer("gzip that is none", [encoded, .text("this is not gzip")]),
        BrokenAnswer(
            "400 KB of headers",
            [
                .text("HTTP/1.1 200 OK\r\n"), .repeatBytes(Array("X-Header: 0123456789\r\n".utf8), count: 20_000),
                .text("Content-Length: 0\r\n\r\n"),
            ]
        ),
    ]

    private static func length(_ value: String) -> LoopbackStep {
        .head(status: 200, headers: [LoopbackHeader("Content-Length", value)])
    }

    private static let chunked = LoopbackStep.head(
        status: 200,
        headers: [LoopbackHeader("Transfer-Encoding", "chunked")]
    )

    private static let encoded = LoopbackStep.head(
        status: 200,
        headers: [LoopbackHeader("Content-Encoding", "gzip"), LoopbackHeader("Content-Length", "16")]
    )
}
