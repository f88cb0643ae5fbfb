#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("Hostile input", .hangLimit)
    struct HostileInputTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws {
            folder = try Samples.folder()
            _ = try folder.file("empty.json", "")
            _ = try folder.file("deep.json", String(repeating: "[", count: 200_000))
            _ = try folder.file(
                "deep2.json", "{\"a\":" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}")
            _ = try folder.file("deep.plist", String(repeating: "<array>", count: 100_000))
            try Data([0xFF, 0xFE, 0x00, 0x80]).write(to: folder.file("bytes.json"))
            try Data("bplist00".utf8 + [0xFF, 0x01]).write(to: folder.file("binary.plist"))
            _ = try folder.file("list.json", "[1, 2]")
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("loop.json").path, withDestinationPath: "loop.json")
        }

        static let files = [
            "empty.json", "deep.json", "deep2.json", "deep.plist", "bytes.json", "binary.plist", "list.json",
            "loop.json",
            "none.json", ".", "/dev/zero", "",
        ]
        static let commands: [[String]] = [
            ["validate", "*"], ["validate", "*", "--manifest", "manifest.json"],
            ["validate", "flags.json", "--manifest", "*"],
            ["get", "*", "a"], ["set", "*", "a", "1"], ["unset", "*", "a"], ["explain", "*", "a"],
            ["diff", "*", "flags.json"],
            ["diff", "flags.json", "*"], ["rollout", "*", "a", "5"],
            ["manifest", "*"], ["lint", "*"], ["lint", "manifest.json", "--usage", "*"],
            ["flag", "enable", "*", "a"],
            ["flag", "add", "*", "a"], ["generate", "swift", "*"],
        ]

        @Test("ends every command with a message, and never with a trap", arguments: commands)
        func files(command: [String]) async throws {
            for file in Self.files {
                // These commands create a missing file.
                if file == "none.json", command[0] == "set" || command.starts(with: ["flag", "add"]) { continue }
                let tool = try await tool(command.map { $0 == "*" ? file : $0 })
                #expect(
                    tool.status == (command[0] == "validate" && command[1] == "*" ? 1 : 2),
                    "\(command) with \(file): \(tool.status) \(tool.errors)")
                #expect(!tool.errors.isEmpty || !tool.output.isEmpty, "\(command) with \(file)")
            }
        }

        @Test("is a path that is not UTF-8, which would be another file's, or standard input twice, and is refused")
        func paths() async throws {
            let path = #"tackline set "$(printf 'a\377.json')" a 1"#
            #expect(try await script("\(path) 2> out; echo $? $(grep -c 'UTF-8' out); ls | grep -c ^a") == "64 1\n0\n")
            #expect(try await script("tackline diff - - < flags.json").contains("was read before"))
        }

        @Test("that is large is checked in time that grows with its size")
        func large() async throws {
            let members = (0..<50_000).map { "\"key_\($0)\": \($0)" }.joined(separator: ",\n")
            _ = try folder.file("large.json", "{ \(members) }")
            let tool = try await tool("validate", "large.json", "--manifest", "manifest.json")
            #expect(tool.status == 1 && tool.output.contains("49000 more findings are not shown"))
        }

        @Test(
            "steers no terminal through anything that a command tells people",
            arguments: [
                ["diff", "values.json", "escape.json"], ["diff", "rollout.json", "escape.flagd.json"],
                ["validate", "escape.flagd.json", "--manifest", "manifest.json"],
                ["validate", "escape.json", "--manifest", "manifest.json"],
                ["lint", "escape.manifest.json"], ["manifest", "escape.manifest.json"],
                ["set", "values.json", "b\u{1B}[2J", "1"], ["unset", "values.json", "b\u{1B}[2J"],
                ["get", "escape.json", "no\u{1B}[2J"], ["validate", "\u{1B}[2J.json"],
                ["flag", "enable", "escape.flagd.json", "b\u{1B}[2J"], ["flag", "add", "rollout.json", "c\u{1B}[2J"],
                ["explain", "escape.flagd.json", "b\u{1B}[2J"], ["generate", "swift", "escape.flagd.json"],
                ["explain", "escape.flagd.json", "a"], ["rollout", "escape.flagd.json", "a", "5", "--variant", "b"],
            ])
        func escapesElsewhere(command: [String]) async throws {
            let variants = #""variants": { "x\u001b[2J": true, "y": false }, "defaultVariant": "x\u001b[2J""#
            _ = try folder.file("values.json", "{}")
            _ = try folder.file("\u{1B}[2J.json", "{}")
            _ = try folder.file("rollout.json", #"{ "$schema": "flagd", "flags": {} }"#)
            _ = try folder.file("escape.json", #"{ "a\u001b[2Jb": 1 }"#)
            let flag = #"{ "state": "ENABLED", \#(variants) }"#
            _ = try folder.file("escape.flagd.json", #"{ "flags": { "a": \#(flag), "b\u001b[2J": \#(flag) } }"#)
            _ = try folder.file(
                "escape.manifest.json",
                #"""
                { "tacklineManifest": 1, "collections": [
                  { "name": "x\u001b[2J", "flags": [{ "key": "a\u001b[2J", "type": { "kind": "integer" } }] }] }
                """#)
            let tool = try await tool(command)
            #expect(!(tool.output + tool.errors).isEmpty)
            #expect(!(tool.output + tool.errors).contains("\u{1B}"), "\(tool.output)\(tool.errors)")
        }
    }
#endif
