import Foundation
import TacklineLoopback

/// The server of ``Soak``, in a process of its own so that what it keeps is not measured.
///
/// Two of three answers at `/flags.json` are 304 once the client sends a tag. Each connection to `/events` ends after one
/// event.
struct SoakServer {
    func run() throws {
        let server = try LoopbackServer { request in
            if request.path == "/events" {
                return .script([
                    .head(status: 200, headers: [LoopbackHeader("Content-Type", "text/event-stream")]),
                    .text("retry: 1\ndata: x\n\n"), .close,
                ])
            }
            let sent = request.headerValue("If-None-Match").flatMap { Int($0.filter(\.isNumber)) } ?? 0
            if Int.random(in: 0..<3) > 0, sent > 0 { return .response(.notModified()) }
            let text = String(repeating: "x", count: 2000)
            return .response(.json(#"{"a": \#(sent + 1), "text": "\#(text)"}"#, etag: "\"\(sent + 1)\""))
        }
        print(server.url.absoluteString)
        fflush(nil)
        // Until the parent closes our input, which it does when it ends.
        while readLine() != nil {}
        server.stop()
    }

    /// Starts a process that serves, and returns its URL.
    static func start() throws -> (process: Process, input: Pipe, url: URL) {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let url = URL(string: line.filter { !$0.isWhitespace }) else { throw CocoaError(.formatting) }
        return (process, input, url)
    }
}
