/// One event of a stream.
package struct ServerSentEvent: Sendable, Hashable {
    /// The name, `message` where none was sent.
    package var name: String
    /// The data, its lines joined by line feeds.
    package var data: String
    /// The id in force when the event came, which may have been sent with an earlier one; `nil` if there was none.
    package var id: String?

    /// Makes an event.
    package init(name: String = "message", data: String, id: String? = nil) {
        self.name = name
        self.data = data
        self.id = id
    }
}

/// Takes a stream of server-sent events apart, in portions of any size.
///
/// Follows "9.2.6 Interpreting an event stream" of the WHATWG HTML standard: lines end with LF, CRLF or CR; one byte order
/// mark at the start is skipped; an event without data is none, and neither is one that is not complete at the end.
/// Invalid UTF-8 is replaced.
///
/// - Complexity: O(*n*) in the number of bytes, however they are portioned.
package struct ServerSentEventParser: Sendable {
    /// An event, or a line outside of one, is longer than allowed. The parser cannot go on then.
    package struct TooLarge: Error, Sendable, Hashable {}

    /// The id in force: what to send as `Last-Event-ID`. `nil` if there was none or it was reset.
    package private(set) var lastEventID: String?
    /// How many milliseconds the server wants us to wait before connecting again; `nil` if it has not said.
    ///
    /// Numbers too big for an `Int64` are its greatest.
    package private(set) var retryMilliseconds: Int64?

    private let maximumEventBytes: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var name: [UInt8] = []
    private var pendingID: String?
    private var skipsLineFeed = false
    private var isAtStart = true

    /// Makes a parser at the start of a stream.
    ///
    /// - Parameters:
    ///   - maximumEventBytes: How many bytes one event may have.
    ///   - lastEventID: What an earlier connection left in force.
    package init(maximumEventBytes: Int = 1 << 20, lastEventID: String? = nil) {
        self.maximumEventBytes = maximumEventBytes
        self.lastEventID = lastEventID
        pendingID = lastEventID
    }

    /// Takes the next portion.
    ///
    /// - Returns: The events that it completed.
    /// - Throws: ``TooLarge``, and again at each later call.
    package mutating func consume(_ bytes: some Sequence<UInt8>) throws(TooLarge) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            if skipsLineFeed {
                skipsLineFeed = false
                if byte == 0x0A { continue }
            }
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count + data.count + name.count < maximumEventBytes else { throw TooLarge() }
                line.append(byte)
                continue
            }
            skipsLineFeed = byte == 0x0D
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: line.capacity <= 4096) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        guard colon != 0 else { return nil }
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<(colon ?? line.count)], as: UTF8.self) {
        case "event":
            name = Array(value)
        case "data":
            if hasData { data.append(0x0A) }
            hasData = true
            data += value
        case "id" where !value.contains(0):
            pendingID = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }:
            retryMilliseconds = Int64(String(decoding: value, as: UTF8.self)) ?? .max
        default:
            break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = pendingID
        defer {
            data.removeAll(keepingCapacity: data.capacity <= 4096)
            hasData = false
            name = []
        }
        guard hasData else { return nil }
        return ServerSentEvent(
            name: name.isEmpty ? "message" : String(decoding: name, as: UTF8.self),
            data: String(decoding: data, as: UTF8.self),
            id: lastEventID
        )
    }
}
