/// One step of a scripted reply, for the answers that no well-behaved server gives.
///
/// Slow, stalled and missing answers are made with gates, which a test opens when it is ready, so that nothing has to
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
    /// Sends bytes at once, without waiting for more (`TCP_NODELAY`). A client may still receive them in other portions.
    case bytes([UInt8])
    /// Sends text as UTF-8.
    case text(String)
    /// Sends the same bytes `count` times, without holding more than some 64 KiB of copies; nothing if `count` is not
    /// positive.
    case repeatBytes([UInt8], count: Int)
    /// Goes on when the gate is open. A gate that stays closed makes an answer that never comes; ``LoopbackServer/stop()``
    /// ends the wait.
    case waitUntil(LoopbackGate)
    /// Opens a gate: tells the test that the script has come this far. Bytes sent before have gone to the system, which
    /// does not mean that the client has read them.
    case open(LoopbackGate)
    /// Goes on when the client has closed its side or reset the connection; what it still sends is dropped.
    ///
    /// Followed by ``open(_:)`` this shows a test that a client has really given up.
    case waitForClientToClose
    /// Ends the connection with a TCP reset and the script with it. Bytes still on their way may be lost.
    case reset
    /// Ends the connection in good order and the script with it: the client receives all bytes, then the end.
    case close
}
