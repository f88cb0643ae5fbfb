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
