#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    /// Faults that users of other tools for configuration files reported, each with its report.
    @Suite("What users of other tools reported", .hangLimit)
    struct PublicReportTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("manifest.json", Samples.manifest)
        }

        private func tool(_ arguments: String..., shell: String? = nil) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url, wrapper: shell.map { ["sh", "-c", $0] } ?? [])
        }

        @Test("An edit removes blank lines: github.com/mikefarah/yq/issues/515")
        func blankLines() async throws {
            _ = try folder.file("flags.json", "{\n\n  \"a\": 1,\r\n\n\t\"b\" :  2\n\n}\n\n")
            #expect(try await tool("set", "flags.json", "b", "3").status == 0)
            #expect(try folder.text("flags.json") == "{\n\n  \"a\": 1,\r\n\n\t\"b\" :  3\n\n}\n\n")
        }

        @Test("An edit replaces a symbolic link by a file: github.com/npm/npm/issues/12002")
        func symbolicLink() async throws {
            try FileManager.default.createSymbolicLink(
                at: folder.file("link.json"), withDestinationURL: folder.file("flags.json"))
            #expect(try await tool("set", "link.json", "sson", "false").status == 0)
            let link = folder.file("link.json").path
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.file("flags.json").path)
            #expect(try await tool("get", "flags.json", "sson").output == "false\n")
        }

        @Test("A file that is read and written is empty afterwards: github.com/jqlang/jq/issues/2152")
        func sameFile() async throws {
            let changed = try await tool("set", "flags.json", "sson", "false")
            #expect(try changed.status == 0 && folder.text("flags.json").contains("\"max_attempts\": 5"))
            // The shell has emptied the file, which the tool then refuses.
            let emptied = try await tool("set", "-", "sson", "true", shell: "\"$0\" \"$@\" < flags.json > flags.json")
            #expect(emptied.status == 2 && emptied.errors.contains("Nothing was written") == false)
        }

        @Test("Long integers are rounded: github.com/jqlang/jq/issues/369")
        func longIntegers() async throws {
            _ = try folder.file("flags.json", #"{ "id": 125276004817190914, "more": 18446744073709551615, "a": 1.10 }"#)
            #expect(try await tool("get", "flags.json", "id").output == "125276004817190914\n")
            #expect(try await tool("set", "flags.json", "b", "18446744073709551614").status == 0)
            let expected =
                #"{ "id": 125276004817190914, "more": 18446744073709551615, "a": 1.10, "b": 18446744073709551614 }"#
            #expect(try folder.text("flags.json") == expected)
        }

        #if os(Linux)
            @Test("A full disk is no failure: github.com/jqlang/jq/pull/719")
            func fullDisk() async throws {
                let completions = ["--generate-completion-script", "bash"]
                for arguments in [["manifest", "manifest.json"], ["--help"], ["--version"], completions] {
                    let wrapper = ["sh", "-c", "\"$0\" \"$@\" > /dev/full"]
                    let tool = try await Tool.run(arguments, in: folder.url, wrapper: wrapper)
                    #expect(tool.status == 74 && tool.errors.contains("could not be written: No space left on device"))
                }
            }
        #endif

        @Test("head ends the tool with an error: github.com/medialab/xan/issues/759")
        func brokenPipe() async throws {
            let members = (0..<50_000).map { "\"key_\($0)\": \($0)" }.joined(separator: ",")
            _ = try folder.file("large.json", "{ \(members) }")
            let command = "{ \"$0\" \"$@\"; echo $? > status; } | head -n 1"
            let tool = try await tool("diff", "flags.json", "large.json", shell: command)
            #expect(tool.errors == "" && tool.output == "+ key_0: 0\n")
            #expect(try folder.text("status") == "1\n")
        }

        @Test("A failed check ends with 0: github.com/swagger-api/swagger-node/issues/455")
        func failedCheck() async throws {
            _ = try folder.file("bad.json", #"{ "max_attempts": 300 }"#)
            for format in [[], ["--json"], ["--format", "github"]] {
                let arguments = ["validate", "bad.json", "--manifest", "manifest.json"] + format
                #expect(try await Tool.run(arguments, in: folder.url).status == 1, "\(format)")
            }
        }

        @Test("JSON that is cut off ends with 0: github.com/jqlang/jq/issues/1161")
        func truncated() async throws {
            _ = try folder.file("cut.json", #"{ "sson": true"#)
            let checked = try await tool("validate", "cut.json")
            #expect(checked.status == 1 && checked.output.hasPrefix("cut.json:1:15: error: "))
            for arguments in [["get", "cut.json", "sson"], ["set", "cut.json", "sson", "true"]] {
                let tool = try await Tool.run(arguments, in: folder.url)
                #expect(tool.status == 2 && tool.output == "" && tool.errors.contains("cut.json:1:15"))
            }
            #expect(try folder.text("cut.json") == #"{ "sson": true"#)
        }

        @Test("true is written as a text: github.com/nextcloud/server/issues/6345")
        func booleans() async throws {
            #expect(try await tool("set", "flags.json", "new", "false").output == "new = false (had no value)\n")
            #expect(try folder.text("flags.json").contains("\"new\": false"))
            let refused = try await tool("set", "flags.json", "sson", "\"true\"", "--manifest", "manifest.json")
            #expect(refused.status == 2 && refused.errors.contains("expected true or false"))
        }

        @Test("A check approves what is refused at run time: github.com/MehdiZare/fmp-data/issues/161")
        func approved() async throws {
            _ = try folder.file("typo.json", #"{ "theme": "pink" }"#)
            let tool = try await tool("validate", "typo.json", "--manifest", "manifest.json")
            #expect(tool.status == 1 && !tool.output.contains("good"))
        }

        @Test("A closed output, whose number the next file that is opened gets, is told from that file")
        func closedStreams() async throws {
            let closed = try await tool("set", "flags.json", "sson", "false", shell: "exec \"$0\" \"$@\" <&- >&- 2>&-")
            #expect(closed.status == 74)
            #expect(
                try folder.text("flags.json") == Samples.values.replacing("\"sson\": true", with: "\"sson\": false"))
            let help = try await tool("--help", shell: "exec \"$0\" \"$@\" >&-")
            #expect(help.status == 74 && help.errors.contains("could not be written"))
        }
    }
#endif
