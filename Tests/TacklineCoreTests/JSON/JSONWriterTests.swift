import Foundation
import TacklineCore
import Testing

@Suite("The JSON writer")
struct JSONWriterTests {
    @Test("sorts members by their keys and indents by two spaces")
    func layout() throws {
        let value: EncodedFlagValue = [
            "b": [1, 1.0], "a": ["z": .null, "Z": true], "é": .unparsed("on"), "": [], "{": [:],
        ]
        let text = try FlagJSONWriter().text(of: value)
        #expect(
            text == """
                {
                  "": [],
                  "a": {
                    "Z": true,
                    "z": null
                  },
                  "b": [
                    1,
                    1.0
                  ],
                  "{": {},
                  "é": "on"
                }

                """)
        let compact = try FlagJSONWriter(layout: .compact).text(of: value)
        #expect(compact == #"{"":[],"a":{"Z":true,"z":null},"b":[1,1.0],"{":{},"é":"on"}"#)
    }

    @Test("writes doubles with a point or an exponent, and escapes only quotes, backslashes and control characters")
    func scalars() throws {
        let writer = FlagJSONWriter(layout: .compact)
        #expect(try writer.text(of: [1.0, -0.0, 1e300, 0.1, 1e16, 5e-7]) == "[1.0,-0.0,1e+300,0.1,1e+16,5e-07]")
        let text = "\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}\u{2028}é😀"
        let written = "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}\u{2028}é😀\""
        #expect(try writer.text(of: .string(text)) == written)
    }

    @Test("refuses dates that RFC 3339 can't represent, NaN and the infinities, and reports their path")
    func refused() throws {
        for interval in [-63_114_076_800.001, 252_423_993_600, .infinity, .nan] {
            let date = EncodedFlagValue.date(Date(timeIntervalSinceReferenceDate: interval))
            let error = #expect(throws: FlagValueError.self) { try FlagJSONWriter().bytes(of: ["a": date]) }
            #expect(error?.path == ["a"])
        }
        let error = #expect(throws: FlagValueError.self) { try FlagJSONWriter().bytes(of: ["a": [1, .double(.nan)]]) }
        #expect(
            error?.description == """
                expected a value of type Double that can be encoded at "a/1": JSON has no nan; use a number, null or a string
                """)
    }
}
