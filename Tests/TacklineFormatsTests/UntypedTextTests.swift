import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

/// A comparison of the JSON reader with the core's own parser of JSON in environment variables and arguments.
@Suite("Untyped text", .hangLimit)
struct UntypedTextTests {
    private func compare(_ text: String) {
        let coreValue = try? EncodedFlagValue(encoded: .unparsed(text))
        let readerValue = try? FlagJSONReader().read(text)
        if coreValue != readerValue {
            let values = "core: \(describe(coreValue)), reader: \(describe(readerValue))"
            Issue.record("\(text.debugDescription) is parsed differently: \(values)")
        }
    }

    private func describe(_ value: EncodedFlagValue?) -> String { value.map { "\($0)" } ?? "refused" }

    @Test("is parsed as the JSON reader parses it")
    func sameAsReader() {
        let texts = [
            "", " ", "on", "[1,]", "[1, 1.0, true]", #"{"a":1,"a":2}"#, "{\"a\":1 // x\n}", "1e400", "-0", "-0.0",
            "123456789012345678901234567890123456789012345", "170141183460469231731687303715884105727",
            "-170141183460469231731687303715884105728", "170141183460469231731687303715884105728", #""\ud800""#,
            #""\ud83d\ude00""#, #""\ud83dx""#, #""\ud83d\n""#, "[1 2]", "{a:1}", "{'a':1}", "[", #"{"a":"#, #"{"a""#,
            "{", "\"a\nb\"", "\"", "\"\\", "\"\\u", "\"\\u12", "NaN", "01", "1.", "1.e1", ".5", "0x10", "+1", "-",
            "--1", "1e", "1e+", "[1] x", "\u{FEFF}[1]", "[\u{FEFF}1]", "null", "nul", "truefalse", "tru\u{0}", "\u{0}",
            "\"\u{0}\"", "[1]\u{0}", "\t\r\n [ ] \t", #""\"\\\/\b\f\n\r\t\u0000\u00E9\uFFFF""#, #""\x""#, #""\u00g0""#,
            "{\"\u{E9}\":1,\"e\u{301}\":2}", "1e-400", "0.1e1", "0.30000000000000004", "1E5", "\u{FF11}",
            "1.00000000000000001",
            "9007199254740993.0", "9007199254740992.5", "-1e-400", "1e23", "1e18", "0e5", "90071992547409.93e2",
            "[,1]", "{,}",
            #"{"\#(String(repeating: "k", count: 1024))":1}"#, #"{"\#(String(repeating: "k", count: 1025))":1}"#,
        ]
        for text in texts { compare(text) }
    }

    @Test("truncated or mutated at random is parsed as the JSON reader parses it")
    func mutation() {
        var random = SeededGenerator(seed: 1)
        let text = #"""
            {"a/b": true, "c": [1, -2.5e-3, null, "x\n\u00e9\ud83d\ude00 é😀", {}], "d": {"e": []}, "n": 17014118346046, "b": 0}
            """#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count { compare(String(decoding: bytes[..<length], as: UTF8.self)) }
        for _ in 0..<5000 {
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...127, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            compare(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test(
        "from JSONTestSuite is parsed as the JSON reader parses it",
        .enabled(if: Suites.folder("JSONTestSuite") != nil, "the suite is not installed"))
    func suite() throws {
        let folder = try #require(Suites.folder("JSONTestSuite")).appendingPathComponent("test_parsing")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            // Untyped text is always UTF-8. The excluded documents are longer than any untyped text.
            if let text = String(data: data, encoding: .utf8), !name.contains("100000"), !name.contains("open_array") {
                compare(text)
            }
        }
    }

    @Test("nested 100,000 levels deep is refused on a stack of 512 KiB")
    func deepNesting() async {
        let isRefused = await onThread(stackSize: 512 << 10) { () -> Bool in
            ["[", "{\"a\":", "[{\"a\":"].allSatisfy { opening in
                (try? [Int](encoded: .unparsed(String(repeating: opening, count: 100_000)))) == nil
            }
        }
        #expect(isRefused)
    }
}
