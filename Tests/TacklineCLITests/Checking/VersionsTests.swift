#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("tackline validate --versions", .hangLimit)
    struct VersionsTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(at: folder.file("all"), withIntermediateDirectories: false)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(["validate"] + arguments, in: folder.url)
        }

        /// Writes the manifest of a version whose flags are given as keys, types and defaults.
        private func version(_ name: String, _ flags: [(key: String, type: String, value: String)]) throws {
            let entries = flags.map { #"{ "key": "\#($0.key)", "type": { \#($0.type) }, "default": \#($0.value) }"# }
            _ = try folder.file(
                "all/\(name).json",
                #"{ "tacklineManifest": 1, "collections": [{ "flags": [\#(entries.joined(separator: ","))] }] }"#)
        }

        @Test("groups versions that agree, in the order of their numbers, and looks into groups of flags")
        func order() async throws {
            let small = ("limits/size", #""kind": "integer", "minimum": 0, "maximum": 9"#, "3")
            let large = ("limits/size", #""kind": "integer""#, "3")
            let object = ("limits", #""kind": "object""#, "{}")
            for name in ["1.2", "1.9", "1.10"] { try version(name, [small]) }
            try version("2.0.0-beta.1", [object])
            for name in ["2.0", "2.1", "v3"] { try version(name, [large]) }
            _ = try folder.file("all/notes.txt", "no manifest")
            _ = try folder.file("all/.DS_Store.json", "no manifest")
            _ = try folder.file("flags.json", #"{ "limits": { "size": 12, "sise": 1 }, "$schema": "x" }"#)
            let tool = try await tool("flags.json", "--versions", "all")
            #expect(tool.status == 1 && tool.errors == "")
            #expect(
                tool.output == """
                    flags.json:1:15: error: 1.2–1.10: flag "limits/size": expected an integer from 0 to 9, found the \
                    integer 12; users get 3 (default) unless another provider has a value
                    flags.json:1:15: note: 2.0.0-beta.1: there is no flag "limits/size"
                    flags.json:1:15: note: flag "limits/size" changed: it is an integer from 0 to 9 in 1.2–1.10, an \
                    integer in 2.0–v3
                    flags.json:1:27: warning: no version has a flag with the key "limits/sise"; did you mean "limits/size"?
                    users of     1.2–1.10     2.0.0-beta.1             2.0–v3
                    limits       a group      {"sise": 1, "size": 12}  a group
                    limits/size  3 (default)  no flag                  12

                    """, "\(tool.output)")
            let rest = try await self.tool("flags.json", "--versions", "all", "--min", "2")
            #expect(
                rest.status == 0 && !rest.output.contains("1.") && !rest.output.contains("users of"), "\(rest.output)")
            let json = try await self.tool("flags.json", "--versions", "all", "--json")
            #expect(try json.status == 1 && json.list("files").count == 1)
        }

        @Test("names what is wrong with the folder, a manifest or the option")
        func mistakes() async throws {
            _ = try folder.file("flags.json", "{}")
            let absent = try await tool("flags.json", "--versions", "nowhere")
            #expect(absent.status == 2 && absent.errors.contains("nowhere can't be read"))
            let empty = try await tool("flags.json", "--versions", "all")
            #expect(empty.errors == "tackline: all has no manifest; write one at each release, as 5.2.json.\n")
            try version("1.0", [])
            let older = try await tool("flags.json", "--versions", "all", "--min", "1.1")
            #expect(older.errors.contains("all has no manifest of version 1.1 or later"))
            let minimum = try await tool("flags.json", "--versions", "all", "--min", "new")
            #expect(minimum.status == 64 && minimum.errors.contains("\"new\" is not a version"))
            let alone = try await tool("flags.json", "--min", "1.1")
            #expect(alone.status == 64 && alone.errors.contains("--min needs --versions"))
            _ = try folder.file("all/latest.json", "{}")
            let name = try await tool("flags.json", "--versions", "all")
            #expect(name.status == 2 && name.errors.contains("all/latest.json is named after no version"))
            try FileManager.default.removeItem(at: folder.file("all/latest.json"))
            _ = try folder.file("all/1.1.json", "{ \"tacklineManifest\": 1 ")
            let damaged = try await tool("flags.json", "--versions", "all")
            #expect(damaged.status == 2 && damaged.errors.contains("all/1.1.json"))
        }

        @Test("takes hostile documents and many versions")
        func hostile() async throws {
            for number in 0..<40 {
                let flags = (0..<50).map { ("f\($0)", #""kind": "integer", "maximum": \#(number), "minimum": 0"#, "0") }
                try version("1.\(number)", flags)
            }
            let nested = String(repeating: #"{"a":"#, count: 60) + "1" + String(repeating: "}", count: 60)
            let members = (0..<5_000).map { #""f\#($0)": \#($0 % 60)"# } + [#""deep": \#(nested)"#, #""": 1"#]
            _ = try folder.file("flags.json", "{" + members.joined(separator: ",") + "}")
            let tool = try await tool("flags.json", "--versions", "all")
            #expect(tool.status == 1 && tool.errors == "" && tool.output.contains("findings are not shown"))
            _ = try folder.file(
                "bad.json", #"{ "flags": { "f1": { "state": "ENABLED", "variants": { "a": 1 }, "targeting": 7 } } }"#)
            #expect(try await self.tool("bad.json", "--versions", "all", "--as", "flagd").errors == "")
        }
    }
#endif
