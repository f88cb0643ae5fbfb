@testable import TacklineRemoteJSON

/// Takes any bytes apart, as a whole and byte by byte, and checks that both give the same events.
func fuzzEventStream(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: bytes, count: count)
    var whole = ServerSentEventParser(maximumEventBytes: 4096)
    var single = ServerSentEventParser(maximumEventBytes: 4096)
    let expected = try? whole.consume(bytes)
    var events: [ServerSentEvent] = []
    var failed = false
    for byte in bytes where !failed {
        do { events += try single.consume(CollectionOfOne(byte)) } catch { failed = true }
    }
    precondition(failed == (expected == nil), "portions decide whether an event is too large")
    if let expected { precondition(events == expected, "portions decide what the events are") }
    precondition(whole.retryMilliseconds == single.retryMilliseconds)
    return 0
}
