import Foundation
import Testing

/// A table of all messages, by module.
private struct MessageTable {
    static let path = "Tests/Messages.txt"

    /// The lines of the table: the heading of each module, and below it the texts in order.
    private(set) var lines = [
        "# The texts of three words or more that the modules can show, each in a line. \\(…) is a value.",
        "# After a change, TACKLINE_WRITE_MESSAGES=1 swift test --filter WordingTests writes this file.",
    ]

    init(_ files: [SourceTree.File]) {
        let modules = Dictionary(grouping: files) { file in
            let names = file.path.split(separator: "/")
            return names[0] == "Sources" ? String(names[1]) : "Tackline\(names[1])"
        }
        for (module, files) in modules.sorted(by: { $0.key < $1.key }) {
            let texts = Set(files.flatMap { $0.source.messages.map { $0.text.trimmingCharacters(in: .whitespaces) } })
            if !texts.isEmpty { lines += ["", "# \(module)"] + texts.sorted() }
        }
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Returns the texts that a stored table lacks, and those that it has without need, as a list of at most 20 lines.
    func differences(from stored: String) -> String {
        let changes = lines.filter { !$0.isEmpty }.difference(from: stored.split(separator: "\n").map(String.init))
        let shown = changes.prefix(20).map { change in
            switch change {
            case .insert(_, let line, _): "new:  \(line)"
            case .remove(_, let line, _): "gone: \(line)"
            }
        }
        return (shown + (changes.count > 20 ? ["and \(changes.count - 20) more"] : [])).joined(separator: "\n")
    }
}

extension WordingTests {
    @Test("is in Tests/Messages.txt where people can see it, and says there in plain words what to do next")
    func messages() throws {
        let files = try ["Sources", "Providers"].flatMap { try SourceTree.files(in: $0) }
        let faults = files.flatMap(MessageRules.faults)
        #expect(faults == [], "\(faults.joined(separator: "\n"))")

        let table = MessageTable(files)
        #expect(table.lines.count > 700)
        let url = SourceTree.root.appendingPathComponent(MessageTable.path)
        if ProcessInfo.processInfo.environment["TACKLINE_WRITE_MESSAGES"] == "1" {
            try table.text.write(to: url, atomically: true, encoding: .utf8)
        }
        let stored = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        #expect(
            table.text == stored,
            """
            Read the new texts as somebody who sees one alone. Then let TACKLINE_WRITE_MESSAGES=1 swift test --filter \
            WordingTests write \(MessageTable.path).
            \(table.differences(from: stored))
            """)

        // Each rule finds the text that breaks it.
        let faulty = #"""
            let message = "The file \(path) is no record of flags."
            report("It is late. Try the next one " + "soon again now")
            let short = "too short", fine = "it is no longer there"
            FlagError(.code, isOld ? "The value is \(size) bytes in size; cut it." : "There is no value here.")
            FlagError(.network, provider: name, reason: "it took \(time) seconds.", advice: nil)
            print("See the guide about it", """
                a page
                of a site
                """)
            """#
        let found = MessageRules.faults(in: SourceTree.File(path: "a", text: faulty))
        #expect(
            found.map { $0.prefix { $0 != "," } } == [
                "a:1: say \"is not a\"", #"a:1: add the next step: The file \(…) is no record of flags."#,
                "a:2: end the last sentence with a full stop: It is late. Try the next one soon again now",
                "a:4: give sizes with byteText", "a:4: add the next step: There is no value here.",
                #"a:5: give durations with roundedText: it took \(…) seconds."#,
                "a:5: leave out the full stop", "a:6: say it here", "a:5: give the error an advice",
            ])
    }
}
