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

        private func validate(_ format: String) async throws -> Tool {
            try await Tool.run(
                "validate", "a,b.json", "flags.json", "--manifest", "manifest.json", "--format", format, in: folder.url)
        }

        @Test("are annotations of GitHub Actions, which no name in them can end")
        func github() async throws {
            let tool = try await validate("github")
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

        @Test("are a log in SARIF, with rule, level and place")
        func sarif() async throws {
            let tool = try await validate("sarif")
            let members = try tool.members()
            #expect(tool.status == 1 && members["version"] == "2.1.0")
            guard case .array(let runs)? = members["runs"], case .object(let run)? = runs.first,
                case .array(let results)? = run["results"], case .object(let result)? = results.first
            else {
                Issue.record("\(tool.output)")
                return
            }
            #expect(result["ruleId"] == "validate" && result["level"] == "error")
            #expect(
                result["locations"] == [
                    [
                        "physicalLocation": [
                            "artifactLocation": ["uri": "a%2Cb.json"], "region": ["startLine": 1, "startColumn": 3],
                        ]
                    ]
                ])
            // A path from the root is no relative reference.
            let absolute = try await Tool.run("validate", folder.file("no ne.json").path, "--format", "sarif")
            #expect(absolute.output.contains("\"file://\(folder.url.path)/no%20ne.json\""), "\(absolute.output)")
            let lint = try await Tool.run("lint", "manifest.json", "--format", "sarif", in: folder.url)
            #expect(
                lint.output.contains(#""ruleId": "lint/expired""#) && lint.output.contains(#""startLine": 2"#),
                "\(lint.output)")
        }

        @Test("are a report in the form of JUnit, which is XML whatever names contain")
        func junit() async throws {
            let tool = try await validate("junit")
            #expect(
                tool.output.contains(#"<testsuite name="tackline validate" tests="2" failures="1">"#), "\(tool.output)")
            #expect(tool.output.contains(#"name="flags.json">"#) && tool.output.contains("<system-out>flags.json"))
            #expect(tool.output.contains(#"x\u{1B}[2J%&lt;&amp;"#) && !tool.output.contains("\u{1B}"))
            let wrong = try await Tool.run("validate", "flags.json", "--json", "--format", "junit", in: folder.url)
            #expect(wrong.status == 64)
        }

        @Test("of a file that is good are none")
        func good() async throws {
            #expect(try await Tool.run("validate", "flags.json", "--format", "github", in: folder.url).output == "")
            let lint = try await Tool.run(
                "lint", "manifest.json", "--skip", "owner", "--skip", "expired", "--format", "junit", in: folder.url)
            #expect(lint.status == 0 && lint.output.contains(#"failures="0""#), "\(lint.output)")
        }
    }
#endif
