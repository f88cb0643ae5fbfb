import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

private func value(_ text: String) -> EncodedFlagValue? {
    try? FlagJSONReader().read(text)
}

private func failure(_ text: String, limits: FlagJSONReader.Limits = .init()) -> FlagJSONError? {
    failure(reading: Array(text.utf8), limits: limits)
}

private func failure(reading bytes: [UInt8], limits: FlagJSONReader.Limits = .init()) -> FlagJSONError? {
    do throws(FlagJSONError) { _ = try FlagJSONReader(limits: limits).read(bytes) } catch { return error }
    return nil
}

@Suite("The JSON reader")
struct JSONReaderTests {
    @Test("distinguishes true, 1 and 1.0")
    func kinds() {
        #expect(
            value("[true, 1, 1.0, 1e0, 100e-2, null, \"1\"]") == [true, 1, 1.0, 1.0, 1.0, .null, "1"]
        )
        #expect(value("-0") == .double(-0.0))
        #expect(value("-0").map { "\($0)" } == "-0.0")
    }

    @Test("reads integers of the range of Int128 exactly, and refuses others")
    func integers() {
        for text in ["-9223372036854775808", "18446744073709551615", "\(Int128.max)", "\(Int128.min)"] {
            #expect(value(text) == Int128(text).map { .integer($0) })
        }
        for text in ["\(Int128.max)0", "\(Int128.min)0", String(repeating: "9", count: 100_000)] {
            #expect(failure(text)?.code == .numberOutOfRange)
        }
    }

    @Test("rounds decimals to the nearest Double as the standard library does")
    func doubles() {
        var arbitrary = ArbitraryValues(seed: 1)
        var texts = [
            "0.1", "1e22", "1e23", "9007199254740993.0", "2.2250738585072011e-308", "1.7976931348623157e308", "5e-324",
            "1e-400", "123456789012345678901234567890.5", "1E+2", "1.5e-5", "0.0",
            "0." + String(repeating: "0", count: 1000) + "1e1001", "1" + String(repeating: "0", count: 400) + "e-400",
        ]
        for _ in 0..<2000 {
            let digits = (0..<20).map { _ in "\(Int.random(in: 0...9, using: &arbitrary.random))" }.joined()
            texts.append("1.\(digits)e\(Int.random(in: -320...300, using: &arbitrary.random))")
        }
        for text in texts.flatMap({ [$0, "-" + $0] }) {
            let number = try? value(text).map { try Double(encoded: $0) }
            #expect(number?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
        for text in ["1e400", "-1e400", "1e99999999999999999999"] {
            #expect(failure(text)?.code == .numberOutOfRange)
        }
    }

    @Test("reads every escape, and non-ASCII strings of any length")
    func strings() {
        #expect(value(#""\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\uDE00\u0000""#) == "\"\\/\u{8}\u{C}\n\r\tAé😀\0")
        for text in ["", "é", "😀", "€"] { #expect(value("\"x\(text)\\ny\"") == .string("x\(text)\ny")) }
        #expect(failure("\"x\n\"")?.code == .controlCharacter)
        #expect(failure("\"x")?.code == .unexpectedEnd)
    }

    @Test("refuses repeated keys")
    func keys() {
        #expect(
            failure(#"{"flags": {"a": 1, "b": [], "a": 2}}"#)?.description
                == #"line 1, column 29 at "flags/a": the key occurs twice; remove one of the two"#
        )
        #expect(failure(#"{"a": 1, "\u0061": 2}"#)?.code == .duplicateKey)
        #expect(failure("{\"\u{E9}\": 1, \"e\u{301}\": 2}")?.code == .duplicateKey)
        #expect(value(#"[{"a": 1}, {"a": 1}]"#) == [["a": 1], ["a": 1]])
    }

    @Test("describes each error with its position and its fix")
    func errorMessages() {
        let cases = [
            ("", "line 1, column 1: the document is empty; write a JSON value"),
            (
                "{\n  \"flags\": {\n    \"a\": 1,\n  }}",
                "line 4, column 3 at \"flags\": a comma stands before the closing brace; remove the comma"
            ),
            ("[1,]", "line 1, column 4 at \"1\": a comma stands before the closing bracket; remove the comma"),
            ("{\"a\": [1, x]}", "line 1, column 11 at \"a/1\": \"x\" where a value is expected; write a value"),
            ("{\"a\": 1 // no\n}", "line 1, column 9: JSON has no comments; remove it"),
            ("{'a': 1}", "line 1, column 2: \"'\" where a key is expected; put keys in double quotes"),
            ("{\"é😀\": True}", "line 1, column 8 at \"é😀\": \"T\" where a value is expected; write a value"),
            ("[NaN]", "line 1, column 2 at \"0\": \"N\" where a value is expected; write a value"),
            ("[.5]", "line 1, column 2 at \"0\": \".\" where a value is expected; write a value"),
            (
                "[01]",
                "line 1, column 2 at \"0\": a number in another form than -1.5e3; correct it or put it in quotes"
            ),
            ("{\"a\" 1}", "line 1, column 6 at \"a\": \"1\" stands after a key; write a colon there"),
            ("[1 2]", "line 1, column 4 at \"1\": \"2\" after a value; write a comma or ] there"),
            ("{} {}", "line 1, column 4: \"{\" after the end of the value; remove what follows it"),
            ("[1,\r\n2", "line 2, column 2 at \"2\": the document ends too early; complete it"),
            ("\"\\x\"", "line 1, column 2: a backslash before \"x\"; write two backslashes for one"),
            (
                "\"\\uD800\"",
                "line 1, column 2: an escape for half a surrogate pair; write both halves, high before low"
            ),
        ]
        for (text, message) in cases {
            #expect(failure(text)?.description == message, "\(text)")
        }
    }

    @Test("refuses ill-formed UTF-8 in a string")
    func illFormedUTF8() {
        let cases: [[UInt8]] = [
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82],
        ]
        for bytes in cases {
            for start in ["\"", "\"\\n"] {
                #expect(failure(reading: start.utf8 + bytes + [0x22])?.code == .notUTF8, "\(bytes)")
            }
        }
    }

    @Test("skips a byte order mark, and recognizes UTF-16 and UTF-32")
    func encodings() throws {
        #expect(try FlagJSONReader().read([0xEF, 0xBB, 0xBF, 0x31]) == 1)
        #expect(failure(reading: [0xEF, 0xBB, 0xBF, 0x78])?.column == 1)
        #expect(failure(reading: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31]) != nil)
        for encoding in [
            String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ] {
            let data = try #require("{\"a\": 1}".data(using: encoding))
            #expect(failure(reading: [UInt8](data))?.message == "the document is in UTF-16 or UTF-32; save it as UTF-8")
        }
    }

    @Test("enforces its limits")
    func limits() {
        var limits = FlagJSONReader.Limits()
        limits.maximumDepth = 2
        #expect(failure("[[1]]", limits: limits) == nil)
        #expect(failure("[[[]]]", limits: limits)?.code == .tooDeep)
        let key = String(repeating: "k", count: 1024)
        #expect(failure("{\"\(key)\": 1}") == nil)
        #expect(failure("{\"\(key)k\": 1}")?.code == .keyTooLong)
        limits = .init()
        limits.maximumBytes = 3
        #expect(failure("123", limits: limits) == nil)
        #expect(failure("1234", limits: limits)?.code == .tooLarge)
    }

    @Test("reads strings, arrays and data; so do the two initializers for users")
    func inputs() throws {
        let text = #"{"a": [1, "é"]}"#
        let expected: EncodedFlagValue = ["a": [1, "é"]]
        let reader = FlagJSONReader(requiresObject: true)
        #expect(try reader.read(text) == expected)
        #expect(try reader.read(Array(text.utf8)) == expected)
        #expect(try reader.read(Data(text.utf8)) == expected)
        #expect(throws: FlagJSONError.self) { try reader.read(Data()) }
        #expect(throws: FlagJSONError.self) { try reader.read("[]") }
        let value = try EncodedFlagValue(json: Data(text.utf8))
        #expect(value == expected)
        #expect(try EncodedFlagValue(json: value.jsonData()) == expected)
        let document = try FlagDocument(json: Data(text.utf8))
        #expect(document.root == ["a": [1, "é"]])
        #expect(try document.jsonData() == value.jsonData())
        let error = #expect(throws: FlagError.self) { try FlagDocument(json: Data("[]".utf8)) }
        #expect(error?.message == "line 1, column 1: the document is not an object; put its content between { and }.")
        #expect(throws: FlagValueError.self) { try EncodedFlagValue.double(.nan).jsonData() }
    }
}
