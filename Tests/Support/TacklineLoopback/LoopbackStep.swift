/// A step of a scripted reply, for answers that no well-behaved server gives.
///
/// Slow, stalled and missing answers are made with gates, which a test opens when it is ready, so that no test has to
/// sleep:
///
/// ```swift
/// let gate = LoopbackGate()
/// let server = try LoopbackServer(replies: [
///     .script([
///         .head(status: 200, headers: [.init("Content-Length", "10")]),
///         .text("12345"), .waitUntil(gate), .text("67890"),
///     ])
/// ])
/// ```
public enum LoopbackStep: Sendable {
    /// Sends bytes at once, without waiting for more (`TCP_NODELAY`). A client may still receive them in other
    /// portions.
    case bytes([UInt8])
    /// Sends text as UTF-8.
    case text(String)
    /// Sends the same bytes `count` times, without holding more than about 64 KiB of copies in memory. It sends nothing
    /// if `count` is not positive.
    case repeatBytes([UInt8], count: Int)
    /// Waits until the gate is open. A gate that stays closed makes an answer that never arrives;
    /// ``LoopbackServer/stop()`` ends the wait.
    case waitUntil(LoopbackGate)
    /// Opens a gate, which shows the test that the script has reached this step. Earlier bytes were passed to the
    /// system; the client may not have read them.
    case open(LoopbackGate)
    /// Waits until the client has closed its side or reset the connection. Bytes that it still sends are dropped.
    ///
    /// Followed by ``open(_:)``, this shows a test that a client has given up.
    case waitForClientToClose
    /// Ends the connection with a TCP reset, and ends the script. Bytes on their way may be lost.
    case reset
    /// Ends the connection in good order, and ends the script. The client receives all bytes, then the end.
    case close
}

extension LoopbackStep {
    /// Returns a step that sends a status line, exactly these header fields, and the blank line after them.
    public static func head(status: Int, headers: [LoopbackHeader] = []) -> LoopbackStep {
        .text(LoopbackResponse.head(status: status, headers: headers))
    }

    /// Returns a step that sends one chunk of a `Transfer-Encoding: chunked` body (RFC 9112, section 7.1). Empty bytes
    /// make the last chunk.
    public static func chunk(_ bytes: [UInt8]) -> LoopbackStep {
        .bytes(chunkBytes(bytes))
    }

    /// Returns a step that sends one chunk of text in UTF-8. Empty text makes the last chunk.
    public static func chunk(_ text: String) -> LoopbackStep {
        chunk(Array(text.utf8))
    }

    /// Returns a step that sends the same chunk `count` times, without holding all of them in memory. It sends nothing
    /// if `count` is not positive.
    public static func repeatChunk(_ bytes: [UInt8], count: Int) -> LoopbackStep {
        .repeatBytes(chunkBytes(bytes), count: count)
    }

    /// A step that ends a chunked body.
    public static var lastChunk: LoopbackStep {
        chunk([UInt8]())
    }

    private static func chunkBytes(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
}
