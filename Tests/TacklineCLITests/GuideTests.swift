#if CommandLine
    import Foundation
    import TacklineTestSupport
    import Testing

    @Suite("The guides on the command-line tool", .hangLimit)
    struct GuideTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// A command of the guide, with the output that the guide shows.
        private struct Step {
            var command: String
            var output = ""
        }

        @Test("show what the tool prints")
        func output() async throws {
            let guides = Samples.package.appending(path: "Docs/Tackline.docc")
            // Each goes on with the files of those before it, of which the first makes the most.
            let pages = try FileManager.default.contentsOfDirectory(atPath: guides.path).filter { $0.hasSuffix(".md") }
                .sorted { ($0 == "CommandLine.md" ? "" : $0) < ($1 == "CommandLine.md" ? "" : $1) }
                .map { try String(contentsOf: guides.appending(path: $0), encoding: .utf8) }
            let lines = pages.filter { $0.contains("\n```console\n$ ") }.flatMap { $0.components(separatedBy: "\n") }
            var file: String?
            var count = 0
            var index = 0
            while index < lines.count {
                let line = lines[index]
                index += 1
                // A block after "`name.json`:" is the content of that file.
                if line.hasSuffix(".json`:") { file = line.dropLast(2).split(separator: "`").last.map(String.init) }
                guard line.hasPrefix("```"), line != "```" else { continue }
                let end = lines[index...].firstIndex(of: "```") ?? lines.endIndex
                let body = lines[index..<end]
                index = end + 1
                if line == "```console" {
                    for step in Self.steps(body) {
                        count += 1
                        #expect(try await script(step.command) == step.output, "\(step.command)")
                    }
                } else if let name = file, line == "```json" || line == "```text" {
                    _ = try folder.file(name, body.joined(separator: "\n") + "\n")
                    file = nil
                }
            }
            #expect(count > 20)
        }

        private static func steps(_ lines: ArraySlice<String>) -> [Step] {
            var steps: [Step] = []
            for line in lines {
                if line.hasPrefix("$ ") {
                    steps.append(Step(command: String(line.dropFirst(2))))
                } else if !steps.isEmpty {
                    steps[steps.count - 1].output += line + "\n"
                }
            }
            return steps
        }
    }
#endif
