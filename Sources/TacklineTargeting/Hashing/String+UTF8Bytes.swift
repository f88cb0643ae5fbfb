extension String {
    /// Calls `body` with the text's UTF-8 bytes, without copying them if the text already stores UTF-8.
    @inline(__always)
    func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        // A text bridged from Objective-C may be stored as UTF-16.
        var contiguous = self
        return contiguous.withUTF8(body)
    }
}
