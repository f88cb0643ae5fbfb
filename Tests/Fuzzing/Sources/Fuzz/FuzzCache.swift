import Foundation

@testable import TacklineRemoteJSON

/// Takes any bytes for what a cache keeps. What is read must survive writing and reading; and since a checksum would keep
/// almost everything out, the bytes are also read with the right one in front.
func fuzzCache(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    check(input)
    check(Data("\(checksum(input)) ".utf8) + input)
    return 0
}

private let cache = RemoteCache(folder: URL(filePath: "/"), target: RemoteTarget(url: URL(filePath: "/a")))
private let other = RemoteCache(folder: URL(filePath: "/"), target: RemoteTarget(url: URL(filePath: "/b")))

private func check(_ bytes: Data) {
    guard let entry = cache.entry(from: bytes) else { return }
    guard let written = try? cache.bytes(of: entry) else { preconditionFailure("an entry cannot be written") }
    precondition(cache.entry(from: written) == entry, "an entry changes when it is written")
    precondition(other.entry(from: bytes) == nil, "the key does not count")
}
