#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("An edit of a value file")
    struct ValueFileEditTests {
        private let folder = try? TemporaryFolder()

        @Test("says the same as the library's own edit, and keeps the layout", arguments: 0..<40)
        func random(seed: UInt64) throws {
            let folder = try #require(folder)
            var values = ArbitraryValues(seed: seed)
            var document = FlagDocument()
            for _ in 0..<8 { document.root[Self.name(&values)] = values.jsonValue(levels: 2) }
            let layout: FlagJSONWriter.Layout = seed % 2 == 0 ? .pretty : .compact
            let file = folder.file("\(seed).json")
            try Data(FlagJSONWriter(layout: layout).bytes(of: .object(document.root))).write(to: file)
            for _ in 0..<30 {
                let names = (0...Int.random(in: 0...2, using: &values.random)).map { _ in Self.name(&values) }
                let key = names.joined(separator: "/")
                let value = values.bool() ? values.jsonValue(levels: 2) : nil
                let edit = try ValueFileEdit([(FlagKeyPath(key), value)], to: file.path)
                document.setValue(value, for: FlagKeyPath(key))
                let written = try FlagJSONReader().read(Data(contentsOf: file))
                #expect(written == .object(document.root), "\(key) = \(String(describing: value))")
                #expect(edit.keepsLayout, "\(key) = \(String(describing: value))")
            }
        }

        @Test("leaves blanks, byte order marks and odd layouts alone")
        func layouts() throws {
            let folder = try #require(folder)
            let file = try folder.file("odd.json", "\u{FEFF}\r\n{\t\"a\" :1 ,\r\n\t\"b\":[ ]\r\n}\r\n\r\n")
            _ = try ValueFileEdit([("a", 2), ("c", "x")], to: file.path)
            let expected = "\u{FEFF}\r\n{\t\"a\" :2 ,\r\n\t\"b\":[ ],\r\n\t\"c\":\"x\"\r\n}\r\n\r\n"
            #expect(try folder.text("odd.json").utf8.elementsEqual(expected.utf8))
        }

        @Test("of several keys is one write, or none")
        func several() throws {
            let folder = try #require(folder)
            let file = try folder.file("several.json", "{ \"a\": 1 }")
            #expect(throws: CommandFailure.self) {
                try ValueFileEdit([("a", 2), ("b", .double(.nan))], to: file.path)
            }
            #expect(try folder.text("several.json") == "{ \"a\": 1 }")
        }

        private static func name(_ values: inout ArbitraryValues) -> String {
            ["a", "b", "c", "é\"\\", "d\u{1}"].randomElement(using: &values.random) ?? "a"
        }
    }
#endif
