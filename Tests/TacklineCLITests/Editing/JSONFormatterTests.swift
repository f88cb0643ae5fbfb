#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineManifest
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("tackline fmt", .hangLimit)
    struct JSONFormatterTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        @Test("keeps CR LF at the ends of lines, and so do edits that add lines")
        func lineEnds() async throws {
            let file = try folder.file("windows.json", "{\r\n  \"b\": 1, // one\r\n  \"a\": 2\r\n}\r\n")
            #expect(try await Tool.run("fmt", "windows.json", in: folder.url).status == 0)
            #expect(try folder.text("windows.json") == "{\r\n  \"a\": 2,\r\n  \"b\": 1 // one\r\n}\r\n")
            #expect(try await Tool.run("fmt", "--check", "windows.json", in: folder.url).status == 0)
            let long = "[\(Array(repeating: "\"0123456789\"", count: 8).joined(separator: ", "))]"
            #expect(try await Tool.run("set", "windows.json", "c", long, in: folder.url).status == 0)
            let bytes = try [UInt8](Data(contentsOf: file))
            #expect(bytes.count { $0 == 0x0A } > 10)
            #expect(bytes.count { $0 == 0x0A } == bytes.count { $0 == 0x0D })
        }

        @Test("sorts members, keeps comments with what they are about, and changes no number and no string")
        func form() async throws {
            _ = try folder.file(
                "flags.json",
                """
                // Flags of the shop.
                /* All of them. */
                { // begins
                     "b":  1.50 , // how often
                  /* not yet
                     announced */
                  "a": { "y":true, "x" : [ ] }, "d": [1,
                2], "long": { "aaaaaaaaaaaaaaaaaaaa": 1, "bbbbbbbbbbbbbbbbbbbbbbbbbbb": 2e3, "cccccccccccccccc": 3 },
                  "c" /* odd */ : "\\u00e9",
                  "group": { // of
                    // empty
                  }
                  // the end
                }
                // after
                """)
            let expected = """
                // Flags of the shop.
                /* All of them. */
                { // begins
                  /* not yet
                     announced */
                  "a": { "x": [], "y": true },
                  "b": 1.50, // how often
                  /* odd */
                  "c": "\\u00e9",
                  "d": [1, 2],
                  "group": { // of
                    // empty
                  },
                  "long": {
                    "aaaaaaaaaaaaaaaaaaaa": 1,
                    "bbbbbbbbbbbbbbbbbbbbbbbbbbb": 2e3,
                    "cccccccccccccccc": 3
                  }
                  // the end
                }
                // after

                """
            let check = try await Tool.run("fmt", "--check", "flags.json", in: folder.url)
            #expect(check.status == 1 && check.output == "flags.json: not formatted; tackline fmt does it\n")
            let piped = try await Tool.run(
                "fmt", "-", in: folder.url, wrapper: ["sh", "-c", "\"$0\" \"$@\" < flags.json"])
            #expect(piped.output == expected)
            let tool = try await Tool.run("fmt", "flags.json", in: folder.url)
            #expect(tool.status == 0 && tool.output == "flags.json: formatted\n", "\(tool.errors)")
            #expect(try folder.text("flags.json") == expected)
            let again = try await Tool.run("fmt", "flags.json", in: folder.url)
            #expect(again.status == 0 && again.output == "")
        }

        @Test("leaves a comment with the member behind it in its line")
        func neighbours() throws {
            let text = """
                {"b":1, /* the a */ "a":2, "d": 4 /* of d */, /* the c
                 of */ "c": 3}
                """
            #expect(
                try formatted(text) == """
                    {
                      /* the a */
                      "a": 2,
                      "b": 1,
                      /* the c
                     of */
                      "c": 3,
                      "d": 4 /* of d */
                    }

                    """)
            #expect(
                try formatted("{ /* the b */ \"b\": 1, \"a\": [1, /* two */ 2] }") == """
                    {
                      "a": [
                        1,
                        /* two */
                        2
                      ],
                      /* the b */
                      "b": 1
                    }

                    """)
        }

        @Test("keeps the blank lines between sections, and sorts within them")
        func sections() throws {
            let text = """
                // Flags.

                {

                  // Checkout

                  "pay": true,
                  // Fast.
                  "express": false,


                  "z": { "b": 1,

                    "a": 2 },
                  "list": [1,

                    2],

                  // Search
                  "index": 1,
                  "fuzzy": 2

                  // The end.
                }

                // After.
                """
            let expected = """
                // Flags.

                {
                  // Checkout

                  // Fast.
                  "express": false,
                  "pay": true,

                  "list": [
                    1,

                    2
                  ],
                  "z": {
                    "b": 1,

                    "a": 2
                  },

                  "fuzzy": 2,
                  // Search
                  "index": 1

                  // The end.
                }

                // After.

                """
            #expect(try formatted(text) == expected)
            #expect(try formatted(expected) == expected)
        }

        private func formatted(_ text: String) throws -> String {
            let input = InputFile(path: "a.json", bytes: Array(text.utf8))
            return String(decoding: try FormatCommand.formatted(input), as: UTF8.self)
        }

        @Test("leaves its own form alone, and loses no value and no comment", arguments: 0..<80)
        func random(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            var count = 0
            func comment() -> String {
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: break
                case 1: return "\n"
                case 2: return " \t"
                default: return ""
                }
                count += 1
                return ["/* c\(count) \n */", "/*c\(count)*/", "// c\(count)\n"].randomElement(using: &generator) ?? ""
            }
            func value(_ levels: Int) -> String {
                let count = Int.random(in: 0...4, using: &generator)
                switch Int.random(in: 0..<(levels > 0 ? 4 : 2), using: &generator) {
                case 0: return ["1", "1.50", "-0", "1e3", "true", "null"].randomElement(using: &generator) ?? "1"
                case 1: return "\"// text /* \\\" {\""
                case 2:
                    return "[\(comment())"
                        + (0..<count).map { _ in value(levels - 1) + comment() }.joined(separator: ",\(comment())")
                        + "]"
                default: return object(levels - 1)
                }
            }
            func object(_ levels: Int) -> String {
                let names = ["a", "b", "é", "d", "e"].shuffled(using: &generator).prefix(
                    Int.random(in: 0...5, using: &generator))
                let members = names.map { "\(comment())\"\($0)\"\(comment()):\(comment())\(value(levels))\(comment())" }
                return "{\(comment())" + members.joined(separator: ",") + "\(comment())}"
            }
            let text = comment() + object(3) + comment()
            let first = try FormatCommand.formatted(InputFile(path: "a.json", bytes: Array(text.utf8)))
            let second = try FormatCommand.formatted(InputFile(path: "a.json", bytes: first))
            #expect(
                first == second,
                "\(text)\n->\n\(String(decoding: first, as: UTF8.self))\n->\n\(String(decoding: second, as: UTF8.self))"
            )
            let after = String(decoding: first, as: UTF8.self)
            for number in 0..<count where text.contains("c\(number + 1)") {
                #expect(after.contains("c\(number + 1)"), "\(text)\n->\n\(after)")
            }
        }

        @Test("takes time that grows with the size of a file")
        func large() throws {
            let members = (0..<30_000).map { "\"key_\($0)\": {\"a\": [1, 2, 3]}, // c\n" }.joined()
            let text = "{ \(members) \"z\": \(String(repeating: "[", count: 60))\(String(repeating: "]", count: 60)) }"
            let new = FlagJSONFormatter(Array(text.utf8)).formatted
            #expect(FlagJSONOutline(new).comments.count == 30_000)
        }

        @Test("says of a property list what lays it out")
        func propertyList() async throws {
            _ = try folder.file("flags.plist", "<plist version=\"1.0\"><dict><key>a</key><true/></dict></plist>")
            let tool = try await Tool.run("fmt", "flags.plist", in: folder.url)
            #expect(tool.status == 2 && tool.errors.contains("tackline convert --to plist"))
        }
    }
#endif
