#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("Comments in a JSON file", .hangLimit)
    struct JSONCommentsTests {
        static let text = """
            // Flags of the shop.
            {
              "a": 1, // how often
              /* not yet
                 announced */
              "group": { "b": true /* on */ },
              "url": "https://example.com/*no comment*/" // the last
              // the end
            }

            """

        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Self.text)
        }

        private func withoutComments(_ text: [UInt8]) -> [UInt8] { FlagJSONOutline(text).withoutComments(text) }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url)
        }

        @Test("are kept by set, also where it adds a value")
        func set() async throws {
            #expect(try await tool("get", "flags.json", "group/b").output == "true\n")
            #expect(try await tool("set", "flags.json", "group/b", "false").status == 0)
            #expect(try folder.text("flags.json") == Self.text.replacing("true /*", with: "false /*"))
            #expect(try await tool("set", "flags.json", "c", "2").status == 0)
            #expect(try await tool("set", "flags.json", "group/d", "3").status == 0)
            #expect(
                try folder.text("flags.json")
                    == Self.text.replacing("true /* on */", with: "false, /* on */ \"d\": 3").replacing(
                        "*/\" // the last\n", with: "*/\", // the last\n  \"c\": 2\n"))
        }

        @Test("are kept by unset, wherever the value stands", arguments: ["a", "group", "group/b", "url"])
        func unset(key: String) async throws {
            let tool = try await tool("unset", "flags.json", key)
            let after = try folder.text("flags.json")
            // The group would be removed with its only value.
            if key.hasPrefix("group") {
                #expect(after == Self.text, "a comment would be lost with what it is in")
                #expect(tool.status == 2 && tool.errors.contains("has comments that this edit would lose"))
                return
            }
            #expect(tool.status == 0, "\(tool.errors)")
            for comment in ["// Flags of the shop.", "// how often", "announced */", "// the last", "// the end"] {
                #expect(after.contains(comment), "\(after)")
            }
            #expect(try await self.tool("get", "flags.json", key).status == 1, "\(after)")
        }

        @Test("take the place of the value in their line that unset removes")
        func place() async throws {
            _ = try folder.file("end.json", "{\n  \"a\": 1,\n  \"b\": 2 // last\n}\n")
            #expect(try await tool("unset", "end.json", "b").status == 0)
            #expect(try folder.text("end.json") == "{\n  \"a\": 1\n  // last\n}\n")
        }

        @Test("are kept where they are all that is left", arguments: ["{ // x\n}\n", "{ \"g\": {\n  /* x */ } }\n"])
        func alone(text: String) async throws {
            _ = try folder.file("alone.json", text)
            let key = text.contains("g") ? "g/a" : "a"
            let tool = try await tool("set", "alone.json", key, "1")
            #expect(tool.status == 0, "\(tool.errors)")
            #expect(try folder.text("alone.json").contains(text.contains("g") ? "/* x */" : "// x\n"))
            #expect(try await self.tool("get", "alone.json", key).output == "1\n")
        }

        @Test("that an edit would lose are not lost: it is refused")
        func refused() async throws {
            let tool = try await tool("set", "flags.json", "group", "{}")
            #expect(tool.status == 2 && tool.errors.contains("has comments that this edit would lose"))
            #expect(try folder.text("flags.json") == Self.text)
        }

        @Test("are a mistake for validate, since apps refuse them, and convert leaves them out")
        func published() async throws {
            let tool = try await tool("validate", "flags.json")
            #expect(tool.status == 1)
            #expect(tool.output.hasPrefix("flags.json:1:1: error: JSON has no comments, and apps refuse them; remove"))
            let converted = try await self.tool("convert", "flags.json", "--to", "json")
            guard case .object(let members) = try FlagJSONReader().read(converted.output) else {
                Issue.record("\(converted.output)")
                return
            }
            #expect(members["url"] == "https://example.com/*no comment*/" && members.count == 3)
        }

        @Test("are kept, and edits right, in any text", arguments: 0..<60)
        func random(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            var count = 0
            func comment() -> String {
                guard Int.random(in: 0..<3, using: &generator) == 0 else { return "" }
                count += 1
                return Bool.random(using: &generator) ? " /* c\(count) \n */" : " // c\(count)\n"
            }
            func object(_ levels: Int) -> String {
                let names = ["a", "b", "c", "d"].shuffled(using: &generator).prefix(
                    Int.random(in: 0...4, using: &generator))
                let members = names.map { name in
                    let value = levels > 0 && Bool.random(using: &generator) ? object(levels - 1) : "\(count)"
                    return "\(comment())\n \"\(name)\"\(comment()):\(comment()) \(value)\(comment())"
                }
                return "{\(comment())" + members.joined(separator: ",") + "\(comment())}"
            }
            let text = comment() + object(2) + comment()
            guard case .object(let root) = try FlagJSONReader().read(withoutComments(Array(text.utf8))) else { return }
            var document = FlagDocument(root)
            let file = try folder.file("random.json", text)
            for _ in 0..<20 {
                let names = (0...Int.random(in: 0...2, using: &generator)).map { _ in
                    ["a", "b", "c", "d", "e"].randomElement(using: &generator) ?? "a"
                }
                let key = names.joined(separator: "/")
                let value: EncodedFlagValue? = Bool.random(using: &generator) ? .integer(7) : nil
                do {
                    _ = try ValueFileEdit([(FlagKeyPath(key), value)], to: file.path)
                    document.setValue(value, for: FlagKeyPath(key))
                } catch {
                    #expect(error.message.contains("comments that this edit would lose"), "\(error)")
                }
                let written = try folder.bytes("random.json")
                #expect(try FlagJSONReader().read(withoutComments(written)) == .object(document.root), "\(key) \(text)")
                let after = String(decoding: written, as: UTF8.self)
                for number in 0..<count {
                    #expect(after.contains(" c\(number + 1)"), "\(key): \(text) became \(after)")
                }
            }
        }
    }
#endif
