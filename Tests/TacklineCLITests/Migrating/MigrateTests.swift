#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("tackline migrate", .hangLimit)
    struct MigrateTests {
        private let folder: TemporaryFolder
        /// A document in the form that RealFlags writes, with the prefix `myApp`.
        private static var old: [String: Any] {
            [
                "my_app": [
                    "is_urlvalid": true, "attempts": 9, "theme": "pink", "limits": Data(#"{"attempts":7}"#.utf8),
                    "secrets": ["boom_feature": 1] as [String: Any], "gone": "x",
                ] as [String: Any]
            ]
        }

        private static let manifest = """
            { "tacklineManifest": 1, "collections": [{ "separator": "/", "flags": [
              { "key": "app/is_url_valid", "property": "isURLValid", "type": { "kind": "boolean" } },
              { "key": "app/attempts", "property": "attempts", "type": { "kind": "integer" } },
              { "key": "app/theme", "property": "theme", "type": { "kind": "string", "cases": ["light", "dark"] } },
              { "key": "app/limits", "property": "limits", "type": { "kind": "object" } },
              { "key": "app/secrets/boom_feature", "property": "secrets.boomFeature", "type": { "kind": "boolean" } },
              { "key": "app/other", "property": "other", "type": { "kind": "boolean" } }
            ] }] }
            """

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("manifest.json", Self.manifest)
            try write(Self.old)
        }

        private func write(
            _ values: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml
        ) throws {
            try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
                .write(to: folder.file("old.plist"))
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(["migrate", "old.plist"] + arguments, in: folder.url)
        }

        private static let shown = """
            app/is_url_valid = true (from my_app/is_urlvalid)
            app/attempts = 9 (from my_app/attempts)
            app/limits = {"attempts":7} (from my_app/limits)
            app/secrets/boom_feature = true (from my_app/secrets/boom_feature)
            does not fit: app/theme (from my_app/theme): expected one of "light", "dark", found the string "pink"
            no flag has my_app/gone

            """

        @Test("shows flag by flag what it would write, and writes nothing", arguments: [false, true])
        func show(isBinary: Bool) async throws {
            try write(Self.old, isBinary ? .binary : .xml)
            let before = try folder.names()
            let tool = try await tool("--manifest", "manifest.json", "--prefix", "myApp")
            #expect(tool.output == Self.shown + "4 values found; --write names the file for them.\n")
            #expect(tool.status == 1 && tool.errors == "")
            #expect(try folder.names() == before)
        }

        @Test("writes with --write, once, and keeps what is there already")
        func write() async throws {
            let old = try folder.bytes("old.plist")
            _ = try folder.file("new.json", #"{ "app/attempts": 3 }"#)
            let arguments = [
                "migrate", "old.plist", "--manifest", "manifest.json", "--prefix", "myApp", "--write", "new.json",
            ]
            let first = try await Tool.run(arguments, in: folder.url)
            #expect(first.output.contains("app/attempts has a value already; it stays (from my_app/attempts)\n"))
            #expect(first.output.hasSuffix("3 values written to new.json.\n") && first.status == 1)
            #expect(try folder.text("new.json").contains("\"app/attempts\": 3"))
            #expect(try folder.text("new.json").contains("\"app/is_url_valid\": true"))
            let written = try folder.text("new.json")
            let second = try await Tool.run(arguments, in: folder.url)
            #expect(second.output.hasSuffix("0 values written to new.json.\n"))
            #expect(try folder.text("new.json") == written)
            #expect(try folder.bytes("old.plist") == old)
        }

        @Test("writes the values of keys with several separators in one step")
        func separators() async throws {
            _ = try folder.file(
                "two.json",
                """
                { "tacklineManifest": 1, "collections": [
                  { "separator": "/", "flags": [{ "key": "app/attempts", "type": { "kind": "integer" } }] },
                  { "separator": ".", "flags": [
                    { "key": "app.caf\u{E9}", "type": { "kind": "string" } }, { "key": "app.x", "type": { "kind": "any" } }
                  ] }] }
                """)
            try write(["app": ["attempts": 9, "caf\u{E9}": "a", "x": 1] as [String: Any]])
            let written = try await tool("--manifest", "two.json", "--write", "fresh.json")
            #expect(written.status == 0 && written.output.hasSuffix("3 values written to fresh.json.\n"))
        }

        @Test("ends with 0 if everything fits")
        func fits() async throws {
            try write(["attempts": 4])
            let tool = try await tool("--manifest", "manifest.json", "--write", "new.plist")
            #expect(tool.output == "app/attempts = 4 (from attempts)\n1 value written to new.plist.\n")
            #expect(tool.status == 0)
            #expect(try folder.text("new.plist").contains("<key>app/attempts</key>"))
        }

        @Test("without a manifest keeps the keys, and unpacks JSON in data")
        func withoutManifest() async throws {
            let tool = try await tool()
            #expect(tool.status == 0)
            #expect(tool.output.contains("my_app/limits = {\"attempts\":7}\nmy_app/secrets/boom_feature = 1\n"))
        }

        @Test("prints the same as JSON")
        func json() async throws {
            let tool = try await tool("--manifest", "manifest.json", "--prefix", "myApp", "--json")
            #expect(try tool.list("values").count == 4 && tool.list("refused").count == 1)
            #expect(try tool.list("unclaimed") == ["my_app/gone"])
            #expect(try tool.members()["isWritten"] == false)
        }

        @Test("refuses what is no file of RealFlags, and to write over it")
        func refused() async throws {
            let same = try await tool("--write", "./old.plist")
            #expect(same.status == 64 && same.errors.contains("--write names the old file"))
            _ = try folder.file("old.plist", "{ not a list")
            let damaged = try await tool("--write", "new.json")
            #expect(damaged.status == 2 && damaged.errors.contains("old.plist is not a property list of RealFlags: "))
            #expect(try !folder.names().contains("new.json"))
            try FileManager.default.removeItem(at: folder.file("old.plist"))
            #expect(try await tool().errors.contains("old.plist cannot be read"))
            #expect(try await tool("--separator", "").status == 64)
        }
    }
#endif
