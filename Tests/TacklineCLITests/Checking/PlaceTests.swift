#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineManifest
    import Testing
    import TacklineTargeting

    @testable import TacklineCLI

    @Suite("A place in a text")
    struct PlaceTests {
        @Test("is counted in lines of every sort and in scalars")
        func positions() {
            let bytes = Array("\u{FEFF}aé\nb\r\nc\rd\n".utf8)
            let offsets = [3, 6, 7, 10, 12, 13, 99]
            let places = TextPosition.positions(of: offsets, in: bytes).map { [$0.line, $0.column] }
            #expect(places == [[1, 1], [1, 3], [2, 1], [3, 1], [4, 1], [4, 2], [5, 1]])
            #expect(TextPosition.positions(of: [0], in: []) == [TextPosition(line: 1, column: 1)])
        }

        @Test("is found for every value of a JSON text")
        func json() throws {
            let text = "{ \"a\": [1, { \"b\\n\": \"x]\" }], \"c\" : -1.5e3 ,\"d\":{}}"
            let bytes = Array(text.utf8)
            let outline = FlagJSONOutline(bytes)
            func part(_ path: [String]) -> String? {
                outline.node(at: path).map { String(decoding: bytes[$0.range], as: UTF8.self) }
            }
            #expect(part([]) == text && part(["a"]) == "[1, { \"b\\n\": \"x]\" }]" && part(["a", "0"]) == "1")
            #expect(part(["a", "1", "b\n"]) == "\"x]\"" && part(["c"]) == "-1.5e3" && part(["d"]) == "{}")
            #expect(part(["e"]) == nil && part(["a", "2"]) == nil && part(["a", "x"]) == nil)
            #expect(outline.offset(of: ["a", "1", "none"]) == outline.node(at: ["a", "1"])?.range.lowerBound)
        }

        @Test("is found in an object of many members")
        func large() {
            let members = (0..<1_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
            let bytes = Array("{\(members)}".utf8)
            let outline = FlagJSONOutline(bytes)
            #expect(outline.node(at: ["k999"]).map { String(decoding: bytes[$0.range], as: UTF8.self) } == "999")
        }
    }
#endif
