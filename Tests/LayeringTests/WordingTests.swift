import Foundation
import Testing

/// Rules for the text of the sources, as far as a test can check them.
@Suite("The text of the sources") struct WordingTests {
    @Test("begins no summary with a question word, and describes programs as people in no comment")
    func comments() throws {
        let files = try ["Sources", "Providers"].flatMap { try SourceTree.files(in: $0) }
        #expect(files.count > 30)
        var found: [String] = []
        for file in files {
            var isSummary = true
            for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let comment = line.contains("//") ? line.firstMatch(of: #/(?:^|[^:])\/\/(.*)$/#)?.output.1 : nil
                let isDocumentation = comment?.hasPrefix("/") == true
                if let comment,
                    isDocumentation && isSummary && comment.contains(#/^\/ (What|Who|Whose|How|Where|Which)\b/#)
                        || comment.contains(#/(?i)\b(told|tells|hears|whoever|nobody|news|wakes)\b/#)
                {
                    found.append("\(file.path):\(index + 1): \(line)")
                }
                isSummary = !isDocumentation
            }
        }
        #expect(found == [], "Begin with a verb or a noun, and say what the code does.")
    }

    /// The table of all messages: the heading of each module, and below it the texts in order.
    private static func messages() throws -> [String] {
        let files = try ["Sources", "Providers"].flatMap { try SourceTree.files(in: $0) }
        let modules = Dictionary(grouping: files) { file in
            let names = file.path.split(separator: "/")
            return names[0] == "Sources" ? String(names[1]) : "Tackline\(names[1])"
        }
        var lines = [
            "# The texts of three words or more that the modules can show, each in a line. \\(…) is a value.",
            "# After a change, TACKLINE_WRITE_MESSAGES=1 swift test --filter WordingTests writes this file.",
        ]
        for (module, files) in modules.sorted(by: { $0.key < $1.key }) {
            let texts = Set(files.flatMap { $0.source.messages.map { $0.text.trimmingCharacters(in: .whitespaces) } })
            if !texts.isEmpty { lines += ["", "# \(module)"] + texts.sorted() }
        }
        return lines
    }

    @Test("is in Tests/Messages.txt where people can see it")
    func table() throws {
        let lines = try Self.messages()
        #expect(lines.count > 700)
        let url = SourceTree.root.appendingPathComponent("Tests/Messages.txt")
        if ProcessInfo.processInfo.environment["TACKLINE_WRITE_MESSAGES"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
        }
        let stored = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
        let changes = lines.filter { !$0.isEmpty }.difference(from: stored)
        #expect(
            changes.isEmpty,
            """
            Read the new texts as somebody who sees one alone. Then let TACKLINE_WRITE_MESSAGES=1 swift test --filter \
            WordingTests write Tests/Messages.txt.
            """)
    }
}
