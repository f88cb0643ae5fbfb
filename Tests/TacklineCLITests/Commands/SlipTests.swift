#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("A slip of the finger", .hangLimit)
    struct SlipTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("manifest.json", Samples.manifest)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url)
        }

        @Test(
            "in a value does not make it one of another sort",
            arguments: [
                (["sson", "flase"], "did you mean false?"), (["sson", "1"], "say --change-type"),
                (["max_attempts", "five"], "say --change-type"), (["secrets", "true"], "say --change-type"),
                (["sson", "flase", "--manifest", "manifest.json"], "Did you mean false?"),
                (["theme", "drak", "--manifest", "manifest.json"], "Did you mean dark?"),
            ])
        func refused(arguments: [String], words: String) async throws {
            let tool = try await Tool.run(["set", "flags.json"] + arguments, in: folder.url)
            #expect(tool.status == 2 && tool.errors.contains(words), "\(tool.errors)")
            #expect(try folder.text("flags.json") == Samples.values)
        }

        @Test("is none if it is said to be meant, nor is another number or null")
        func meant() async throws {
            #expect(try await tool("set", "flags.json", "sson", "flase", "--change-type").status == 0)
            #expect(try await tool("get", "flags.json", "sson").output == "flase\n")
            #expect(
                try await tool("set", "flags.json", "sson", "true").errors.contains("--string takes it for a string"))
            #expect(try await tool("set", "flags.json", "sson", "true", "--string").status == 0)
            #expect(try await tool("set", "flags.json", "max_attempts", "2.5").status == 0)
            #expect(try await tool("set", "flags.json", "max_attempts", "null").status == 0)
            #expect(try await tool("set", "flags.json", "max_attempts", "many").status == 0)
        }

        @Test("- is standard input and output, and no file of that name is made")
        func dash() async throws {
            for (arguments, text) in [
                (["set", "-", "sson", "false"], Samples.values.replacing("\"sson\": true", with: "\"sson\": false")),
                (["unset", "-", "max_attempts"], Samples.values.replacing(",\n  \"max_attempts\": 5", with: "")),
            ] {
                let tool = try await Tool.run(
                    arguments, in: folder.url, wrapper: ["sh", "-c", "\"$0\" \"$@\" < flags.json"])
                #expect(tool.status == 0 && tool.output == text, "\(tool.errors)")
                #expect(tool.errors.contains(arguments[2]))
            }
            _ = try folder.file("rollout.json", Samples.definitions)
            let rollout = try await Tool.run(
                "rollout", "-", "reservations", "25", in: folder.url,
                wrapper: ["sh", "-c", "\"$0\" \"$@\" < rollout.json"])
            #expect(rollout.output.contains(#"["on",   25]"#) && rollout.errors.contains("gain it"))
            let converted = try await tool("convert", "flags.json", "--to", "json", "--output", "-")
            #expect(converted.output.hasPrefix("{\n  \"max_attempts\": 5"))
            for arguments in [
                ["migrate", "flags.json", "--write", "-"], ["keygen", "-"], ["serve", "-"], ["browse", "-"],
            ] {
                #expect(try await Tool.run(arguments, in: folder.url).status == 64, "\(arguments)")
            }
            #expect(try folder.names().sorted() == ["flags.json", "manifest.json", "rollout.json"])
        }

        @Test("warnings fail a check only if it is strict")
        func strict() async throws {
            _ = try folder.file("extra.json", #"{ "ssno": true }"#)
            let lenient = try await tool("validate", "extra.json", "--manifest", "manifest.json")
            #expect(lenient.status == 0 && lenient.output.contains("warning: no flag has the key \"ssno\""))
            #expect(lenient.output.contains("extra.json: good but for 1 warning: 1 value at the top"))
            let strict = try await tool("validate", "extra.json", "--manifest", "manifest.json", "--strict", "--json")
            #expect(try strict.status == 1 && strict.members()["isGood"] == false)
        }

        @Test("YAML is told from JSON, with what to do")
        func yaml() async throws {
            _ = try folder.file("flags.yaml", "sson: true\n")
            let tool = try await tool("get", "flags.yaml", "sson")
            #expect(
                tool.status == 2 && tool.errors.contains("this is YAML, which tackline does not read; make it JSON"))
            #expect(try await self.tool("validate", "flags.yaml").output.contains("yq -o=json"))
        }
    }
#endif
