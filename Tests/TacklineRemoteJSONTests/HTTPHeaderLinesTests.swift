import Testing

@testable import TacklineRemoteJSON

@Suite("The lines of a header") struct HTTPHeaderLinesTests {
    private func read(_ lines: [String]) -> HTTPHeaderLines {
        var result = HTTPHeaderLines()
        for line in lines { Array("\(line)\r\n".utf8).withUnsafeBytes { result.append($0) } }
        return result
    }

    @Test("give the status and the fields, once the blank line has come")
    func plain() {
        let lines = [
            "HTTP/1.1 200 OK", "Content-Type:  application/json ", "ETag: \"a:b\"", "Empty:", "ETag: \"c\"",
        ]
        #expect(!read(lines).isComplete)
        let result = read(lines + [""])
        #expect(result.isComplete)
        #expect(result.status == 200)
        #expect(result.headers["content-type"] == "application/json")
        #expect(result.headers["etag"] == "\"a:b\", \"c\"")
        #expect(result.headers["empty"] == "")
        #expect(result.byteCount == (lines + [""]).map { $0.utf8.count + 2 }.reduce(0, +))
    }

    @Test("of interim answers are forgotten, and trailers are not taken")
    func interimAndTrailers() {
        let result = read([
            "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/2 404 ", "X: 1", "", "Y: 2", "HTTP/1.1 200 OK", "",
        ])
        #expect(result.status == 404)
        #expect(result.headers["link"] == nil)
        #expect(result.headers["x"] == "1")
        #expect(result.headers["y"] == nil)
    }

    @Test("that are no fields are passed over")
    func noFields() {
        let result = read([" lost", "HTTP/1.1 200", "A: 1", "\t 2", "no field", ": nameless", ""])
        #expect(result.headers["a"] == "1")
        #expect(result.status == 200)
    }

    @Test("with a malformed status never make an answer")
    func malformed() {
        let cases: [String] = ["HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 99999999999999999999", ""]
        for line in cases {
            #expect(!read([line, "A: 1", ""]).isComplete, "\(line)")
        }
    }
}
