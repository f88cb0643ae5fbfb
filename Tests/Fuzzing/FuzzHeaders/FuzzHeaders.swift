import Foundation
import FuzzDriver

@testable import TacklineRemoteJSON

/// Takes any bytes for the header of an answer, line by line, and what it holds for dates, waits and redirects.
private func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var lines = HTTPHeaderLines()
    let input = UnsafeBufferPointer(start: bytes, count: count)
    var start = input.startIndex
    while start < input.endIndex {
        let end = input[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? input.endIndex
        lines.append(UnsafeBufferPointer(rebasing: input[start..<end]))
        start = end
    }
    precondition(lines.byteCount == count, "bytes of the header are not counted")
    let headers = lines.headers
    precondition(headers.byteCount <= 4 * count * 3 + 4 * headers.fields.count, "fields have more bytes than came")
    for field in headers.fields {
        let other = String(decoding: field.name.utf8.map { (0x61...0x7A).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
        precondition(headers[field.name] != nil && headers[other] != nil, "a field is not found")
        check(field.value)
    }
    check(String(decoding: input, as: UTF8.self))
    return 0
}

private func check(_ text: String) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    if let wait = RetryAfter.parse(text, now: now) {
        precondition(RetryAfter.range.contains(wait), "a wait is out of its range")
    }
    if let date = HTTPDate.parse(text) {
        precondition((-62_200_000_000...253_500_000_000).contains(date.timeIntervalSince1970), "a date is no date")
    }
    var headers = HTTPTransportHeaders()
    headers.append(name: "date", value: text)
    if let lead = ClockComparison.lead(of: now, over: headers) { _ = ClockComparison.text(lead) }
    guard let source = URL(string: "https://a.example:8443/x"), let target = URL(string: text, relativeTo: source)
    else {
        return
    }
    var request = HTTPTransportRequest(url: source)
    request.headers["Authorization"] = "secret"
    request.allowsOtherOrigins = true
    var hasLeft = false
    let url = target.absoluteURL
    guard case .success(let next) = RedirectPolicy(request: request).headers(to: url, hop: 1, hasLeftOrigin: &hasLeft)
    else { return }
    precondition(url.scheme?.lowercased() == "https", "a redirect leads from https to something else")
    let isSame = url.host()?.lowercased() == "a.example" && url.port == 8443
    precondition(isSame == (next["Authorization"] != nil), "a secret goes to another origin, or is lost")
}

@main
struct FuzzHeaders {
    static func main() {
        fuzz { testOneInput($0, $1) }
    }
}
