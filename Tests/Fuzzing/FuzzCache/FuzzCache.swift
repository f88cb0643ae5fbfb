import Foundation
import FuzzDriver

@testable import TacklineRemoteJSON

/// Takes any bytes for what a cache keeps. What is read must survive writing and reading; and since a checksum would keep
/// almost everything out, the bytes are also read with the right one in front.
private func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    check(input)
    check(Data("\(Checksum(input).text) ".utf8) + input)
    let header = Data(#"{"key":"k","version":2,"#.utf8) + input
    check(Data("\(Checksum(header).text) ".utf8) + header)
    return 0
}

private let format = RemoteJSONCacheFormat(key: "k")

private func check(_ bytes: Data) {
    if let entry = format.entry(from: bytes) {
        guard let written = try? format.bytes(of: entry) else { preconditionFailure("an entry cannot be written") }
        precondition(format.entry(from: written) == entry, "an entry changes when it is written")
        precondition(RemoteJSONCacheFormat(key: "other").entry(from: bytes) == nil, "the key does not count")
    }
    if let state = format.state(from: bytes) {
        guard let written = try? format.bytes(of: state) else { preconditionFailure("a state cannot be written") }
        precondition(format.state(from: written) == state, "a state changes when it is written")
    }
}

@main
struct FuzzCache {
    static func main() {
        fuzz { testOneInput($0, $1) }
    }
}
