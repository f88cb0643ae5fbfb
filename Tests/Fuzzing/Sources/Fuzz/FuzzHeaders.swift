import Foundation

@testable import TacklineRemoteJSON

/// Takes any bytes for the header of an answer, line by line, and what it holds for dates, waits and redirects.
func fuzzHeaders(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var lines = HTTPHeaderLines()
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    var start = input.startIndex
    while start < input.endIndex {
        let end = input[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? input.endIndex
        lines.append(UnsafeRawBufferPointer(rebasing: input[start..<end]))
        start = end
    }
    precondition(lines.byteCount == count, "bytes of the header are not counted")
    let response = HTTPTransportResponse(status: lines.status, headers: lines.headers)
    for (name, value) in lines.headers {
        let other = String(decoding: name.utf8.map { (0x61...0x7A).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
        precondition(response.header(name) != nil && response.header(other) != nil, "a field is not found")
        check(value)
    }
    check(String(decoding: input, as: UTF8.self))
    return 0
}

private func check(_ text: String) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    if let wait = RetryAfter.parse({ $0 == "Retry-After" ? text : nil }, now: now) {
        precondition(wait >= .seconds(1) && wait <= RetryAfter.longest, "a wait is out of its range")
    }
    guard let source = URL(string: "https://a.example:8443/x") else { return }
    let request = HTTPTransportRequest(url: source, headers: ["Authorization": "secret"])
    guard let next = try? request.redirected(to: text, from: Origin(source), allowsOtherOrigins: true) else { return }
    precondition(next.url.scheme?.lowercased() == "https", "a redirect leads from https to something else")
    let isSame = next.url.host()?.lowercased() == "a.example" && next.url.port == 8443
    precondition(isSame == (next.headers["Authorization"] != nil), "a secret goes to another origin, or is lost")
}
