import TacklineCore
import TacklineFiles

/// One event of a stream.
package struct ServerSentEvent: Sendable, Hashable {
    /// The name; `message` if the server sent none.
    package var name = "message"
    /// The data, with its lines joined by line feeds.
    package var data: String
    /// The names, in lower case, of events that only keep the connection open.
    private static let keepAliveNames: Set<String> = [
        "heartbeat", "keep-alive", "keep_alive", "keepalive", "noop", "ping", "pong",
    ]

    /// Whether the event only keeps the connection open. An event without a name is identified by its data.
    package var keepsAlive: Bool { Self.keepAliveNames.contains((name == "message" ? data : name).lowercased()) }
}

/// A parser for a stream of server-sent events, in portions of any size.
///
/// It follows "9.2.6 Interpreting an event stream" of the WHATWG HTML standard. Lines end with LF, CRLF or CR. One byte
/// order mark at the start is skipped. An event without data, or one that is incomplete at the end, is dropped. Invalid
/// UTF-8 is replaced.
///
/// - Complexity: O(*n*) in the number of bytes, regardless of the portions.
package struct ServerSentEventParser: Sendable {
    /// The wait in milliseconds that the server wants before the next connection; `nil` if it has sent none.
    ///
    /// A number that is too large for an `Int64` becomes its maximum.
    package private(set) var retryMilliseconds: Int64?

    private let maximumEventBytes: Int
    private var line: [UInt8] = []
    private var name = ""
    private var data: String?
    private var skipsLineFeed = false
    private var isAtStart = true

    /// Creates a parser at the start of a stream.
    ///
    /// - Parameter maximumEventBytes: The greatest length of one event in bytes.
    package init(maximumEventBytes: Int = 1 << 20) { self.maximumEventBytes = maximumEventBytes }

    /// Parses the next portion.
    ///
    /// - Returns: The events that the portion completed.
    /// - Throws: An error if an event, or a line outside of one, is longer than allowed, and again at each later call.
    package mutating func consume(_ bytes: some Sequence<UInt8>) throws -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let isSecond = skipsLineFeed && byte == 0x0A
            skipsLineFeed = byte == 0x0D
            if isSecond { continue }
            if byte == 0x0A || byte == 0x0D {
                if let event = endLine() { events.append(event) }
                continue
            }
            guard line.count + (data?.utf8.count ?? 0) + name.utf8.count < maximumEventBytes else {
                throw HTTPFailure("an event has more than \(maximumEventBytes.byteText)")
            }
            line.append(byte)
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        (line, isAtStart) = ([], false)
        guard parts != [""] else { return dispatch() }
        var value = parts.dropFirst().first ?? ""
        if value.utf8.first == UInt8(ascii: " ") { value = String(value.unicodeScalars.dropFirst()) }
        switch parts[0] {
        case "event": name = value
        case "data" where data == nil: data = value
        case "data": data? += "\n\(value)"
        case "retry" where !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }:
            retryMilliseconds = Int64(value) ?? .max
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (name, data) = ("", nil) }
        return data.map { ServerSentEvent(name: name.isEmpty ? "message" : name, data: $0) }
    }
}
