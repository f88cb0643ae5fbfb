#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("Findings for CI", .hangLimit)
    struct FindingsFormatTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("manifest.json", Samples.manifest)
            _ = try folder.file("a,b.json", #"{ "max_attempts": 300, "x\u001b[2J%<&": 1 }"#)
        }

        @Test("are annotations of GitHub Actions, which no name in them can end")
        func github() async throws {
            let tool = try await Tool.run(
                "validate", "a,b.json", "flags.json", "--manifest", "manifest.json", "--format", "github",
                in: folder.url)
            let lines = tool.output.split(separator: "\n")
            #expect(tool.status == 1)
            #expect(
                lines.contains {
                    $0.hasPrefix(
                        "::error file=a%2Cb.json,line=1,col=3,title=tackline validate::flag \"max_attempts\": ")
                }, "\(tool.output)")
            #expect(
                lines.contains { $0.hasPrefix("::warning file=a%2Cb.json") && $0.contains(#"x\u{1B}[2J%25<&"#) },
                "\(tool.output)")
            #expect(lines.contains { $0.hasPrefix("::notice file=flags.json") })
            #expect(lines.allSatisfy { $0.hasPrefix("::") } && !tool.output.contains("\u{1B}"))
        }

        @Test("of a file that is good are none")
        func good() async throws {
            #expect(try await Tool.run("validate", "flags.json", "--format", "github", in: folder.url).output == "")
            let wrong = try await Tool.run("validate", "flags.json", "--json", "--format", "github", in: folder.url)
            #expect(wrong.status == 64)
        }
    }
#endif
