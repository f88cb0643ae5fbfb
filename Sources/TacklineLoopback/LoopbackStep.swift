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
