import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

@Suite("The JSON reader", .hangLimit)
struct JSONReaderTests {
    private func value(_ text: String) -> EncodedFlagValue? { try? FlagJSONReader().read(text) }

    private func failure(
        _ bytes: some Sequence<UInt8>, depth: Int = EncodedFlagValue.maximumDepth, size: Int = .max
    ) -> FlagJSONError? {
        do { _ = try FlagJSONReader(maximumDepth: depth, maximumBytes: size).read(bytes) } catch { return error }
        return nil
    }

    @Test("distinguishes true, 1 and 1.0, and reads integers of the range of Int128 exactly")
    func kinds() {
        #expect(value("[true, 1, 1.0, 1e0, 100e-2, null, \"1\"]") == [true, 1, 1.0, 1.0, 1.0, .null, "1"])
        #expect(value("-0").map { "\($0)" } == "-0.0")
        for text in ["-9223372036854775808", "18446744073709551615", "\(Int128.max)", "\(Int128.min)"] {
            #expect(value(text) == Int128(text).map { .integer($0) })
        }
    }

    @Test("rounds decimals to the nearest Double as the standard library does")
    func doubles() {
        let texts = [
            "0.1", "1e22", "1e23", "9007199254740993.0", "2.2250738585072011e-308", "1.7976931348623157e308", "5e-324",
            "1e-400", "123456789012345678901234567890.5", "1E+2", "1.5e-5", "0.0",
            "0." + String(repeating: "0", count: 1000) + "1e1001", "1" + String(repeating: "0", count: 400) + "e-400",
        ]
        for text in texts.flatMap({ [$0, "-" + $0] }) {
            let number = try? value(text).map { try Double(encoded: $0) }
            #expect(number?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    @Test("reads every escape, and non-ASCII strings of any length")
    func strings() {
        #expect(value(#""\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\uDE00\u0000""#) == "\"\\/\u{8}\u{C}\n\r\tAé😀\0")
        for text in ["", "é", "😀", "€"] { #expect(value("\"x\(text)\\ny\"") == .string("x\(text)\ny")) }
        #expect(value(#"[{"a": 1}, {"a": 1}]"#) == [["a": 1], ["a": 1]])
    }

    /// The error of each text, without "line 1, column " at its beginning where the error is in the first line.
    private static let errors: [(String, String)] = [
        ("", "1: the document ends too early; complete it"),
        (
            "{\n  \"flags\": {\n    \"a\": 1,\n  }}",
            "line 4, column 3 at \"flags\": a comma stands before the closing brace; remove the comma"
        ),
        ("[1,]", "4 at \"1\": a comma stands before the closing bracket; remove the comma"),
        ("{\"a\": [1, x]}", "11 at \"a/1\": \"x\" where a value is expected; write a value"),
        ("{\"a\": 1 // no\n}", "9: \"/\" after a value; write a comma or } there"),
        ("{'a': 1}", "2: \"'\" where a key is expected; put keys in double quotes"),
        ("{\"é😀\": True}", "8 at \"é😀\": \"T\" where a value is expected; write a value"),
        ("[NaN]", "2 at \"0\": \"N\" where a value is expected; write a value"),
        ("[.5]", "2 at \"0\": \".\" where a value is expected; write a value"),
        ("[01]", "2 at \"0\": a number in another form than -1.5e3; correct it or put it in quotes"),
        ("{\"a\" 1}", "6 at \"a\": \"1\" stands after a key; write a colon there"),
        ("[1 2]", "4 at \"1\": \"2\" after a value; write a comma or ] there"),
        ("{} {}", "4: \"{\" after the end of the value; remove what follows it"),
        ("[1,\r\n2", "line 2, column 2 at \"2\": the document ends too early; complete it"),
        ("\"x", "3: the document ends too early; complete it"),
        ("\"x\n\"", "3: a control character U+A in a string; escape it with \\u"),
        ("\"\\x\"", "2: a backslash before \"x\"; write two backslashes for one"),
        ("\"\\u00g0\"", "2: an escape \\u without four hexadecimal digits; write all four"),
        ("\"\\uD800\"", "2: an escape for half a surrogate pair; write both halves, high before low"),
        (
            #"{"flags": {"a": 1, "b": [], "a": 2}}"#,
            #"29 at "flags/a": the key occurs twice, first in line 1, column 12; remove one of the two"#
        ),
        (
            #"{"a": 1, "\u0061": 2}"#,
            #"10 at "a": the key occurs twice, first in line 1, column 2; remove one of the two"#
        ),
        (
            "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
            "10 at \"e\u{301}\": the key occurs twice, first in line 1, column 2; remove one of the two"
        ),
        ("1e400", "1: the number is too large for a Double; write it as a string"),
        ("-1e99999999999999999999", "1: the number is too large for a Double; write it as a string"),
        (
            "\(Int128.min)0",
            "1: the integer is out of range, which ends at 2¹²⁷; write it as a string or with an exponent"
        ),
    ]

    @Test("describes each error with its position and its fix", arguments: errors)
    func errorMessages(text: String, message: String) {
        let expected = message.hasPrefix("line") ? message : "line 1, column \(message)"
        #expect(failure(text.utf8)?.description == expected)
    }

    @Test("refuses ill-formed UTF-8 in a string")
    func illFormedUTF8() {
        let cases: [[UInt8]] = [
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82],
        ]
        for bytes in cases {
            for start in ["\"", "\"\\n"] {
                let message = failure(start.utf8 + bytes + [0x22])?.message
                #expect(message == "the string is not valid UTF-8; save the document as UTF-8", "\(bytes)")
            }
        }
    }

    @Test("skips a byte order mark, and refuses UTF-16 and UTF-32")
    func encodings() throws {
        #expect(try FlagJSONReader().read([0xEF, 0xBB, 0xBF, 0x31]) == 1)
        #expect(failure([0xEF, 0xBB, 0xBF, 0x78])?.column == 1)
        #expect(failure([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31]) != nil)
        for encoding in [
            String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ] {
            let data = try #require("{\"a\": 1}".data(using: encoding))
            #expect(failure(data)?.line == 1)
        }
    }

    @Test("enforces its limits")
    func limits() {
        let key = String(repeating: "k", count: 1024)
        #expect(failure("[[1]]".utf8, depth: 2) == nil && failure("[[[]]]".utf8, depth: 2)?.path == ["0", "0"])
        #expect(failure("{\"\(key)\": 1}".utf8) == nil && failure("{\"\(key)k\": 1}".utf8) != nil)
        #expect(failure("123".utf8, size: 3) == nil && failure("1234".utf8, size: 3) != nil)
        // Hashing a key of a thousand marks takes a hundred times as long as its text.
        let marks = String(repeating: "\u{301}\u{316}", count: 15)
        #expect(failure("{\"\(marks)e\(marks)\": 1}".utf8) == nil)
        #expect(
            failure("{\"e\(marks)\u{301}\": 1}".utf8)?.message
                == "the key has more than 1,024 bytes or 30 combining marks in a row; shorten it")
    }

    @Test("reads strings, arrays and data; so does the initializer for users")
    func inputs() throws {
        let (text, expected): (String, EncodedFlagValue) = (#"{"a": [1, "é"]}"#, ["a": [1, "é"]])
        let reader = FlagJSONReader(requiresObject: true)
        #expect(try reader.read(text) == expected && reader.read(Array(text.utf8)) == expected)
        #expect(try reader.read(Data(text.utf8)) == expected)
        let document = try FlagDocument(json: Data(text.utf8))
        #expect(try document.root == ["a": [1, "é"]] && FlagDocument(json: document.jsonData()) == document)
        let error = #expect(throws: FlagError.self) { try FlagDocument(json: Data("[]".utf8)) }
        #expect(error?.message == "line 1, column 1: the document is not an object; put its content between { and }.")
    }
}

/// The tests of N. Seriot's JSONTestSuite (https://github.com/nst/JSONTestSuite), if it is installed.
@Suite(
    "The documents of JSONTestSuite",
    .enabled(if: Suites.folder("JSONTestSuite") != nil, "the suite is not installed"))
struct JSONTestSuiteTests {
    /// The valid documents that the reader refuses, because they have a repeated key. RFC 8259, section 4, discourages it.
    private static let duplicates: Set = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

    /// The documents that a parser may accept or refuse, and that the reader accepts: underflow, wide integers and a byte
    /// order mark. It refuses numbers out of range, invalid Unicode and nesting beyond its limit.
    private static let optional: Set = [
        "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
        "i_number_too_big_pos_int.json", "i_structure_UTF-8_BOM_empty_object.json",
    ]

    @Test("are read or refused")
    func documents() throws {
        let folder = try #require(Suites.folder("JSONTestSuite")).appendingPathComponent("test_parsing")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for (prefix, count) in [("y_", 95), ("n_", 188), ("i_", 35)] {
            let group = names.filter { $0.hasPrefix(prefix) }
            #expect(group.count == count)
            for name in group {
                let data = try Data(contentsOf: folder.appendingPathComponent(name))
                let isRead = (try? FlagJSONReader(maximumDepth: 512).read(data)) != nil
                let isExpected = prefix == "y_" ? !Self.duplicates.contains(name) : Self.optional.contains(name)
                #expect(isRead == isExpected, "\(name)")
            }
        }
    }
}
