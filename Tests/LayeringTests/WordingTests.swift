import Foundation
import Testing

/// Rules for the text of the sources, as far as a test can check them.
@Suite("The text of the sources") struct WordingTests {
    /// Returns the documentation summaries that begin with a question word, as "path:line: text".
    private static func questions(in text: String, path: String) -> [String] {
        var previous: Line?
        return lines(withCommentsOf: text).compactMap { line in
            guard line.text.hasPrefix("///") else { return nil }
            defer { previous = line }
            guard previous?.number != line.number - 1,
                line.text.firstMatch(of: #/^\/\/\/ (What|Who|Whose|How|Where|Which)\b/#) != nil
            else { return nil }
            return "\(path):\(line.number): \(line.text)"
        }
    }

    /// The words that describe programs as people.
    private static let people: Set = ["told", "tells", "hears", "whoever", "nobody", "news", "wakes"]

    /// Returns the lines whose comments contain a word that describes programs as people, as "path:line: text".
    private static func personifications(in text: String, path: String) -> [String] {
        lines(withCommentsOf: text).compactMap { line in
            guard mayNamePeople(line.text),
                let comment = line.text.firstMatch(of: #/(?:^|[^:])\/\/(.*)$/#)?.output.1,
                comment.firstMatch(of: #/(?i)\b(told|tells|hears|whoever|nobody|news|wakes)\b/#) != nil
            else { return nil }
            return "\(path):\(line.number): \(line.text)"
        }
    }

    /// Returns whether one of the words is in a line, which is much faster than a search with a regular expression.
    private static func mayNamePeople(_ line: String) -> Bool {
        line.utf8.split { !(0x61...0x7A ~= $0 | 0x20) }.contains { word in
            4...7 ~= word.count && people.contains(String(decoding: word, as: UTF8.self).lowercased())
        }
    }

    private struct Line {
        let number: Int
        let text: String
    }

    /// Returns the lines of a text that have two slashes in them, without indentation.
    private static func lines(withCommentsOf text: String) -> [Line] {
        let slash = UInt8(ascii: "/")
        return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .compactMap { index, line in
                guard let first = line.firstIndex(of: slash), line[first...].dropFirst().contains(slash) else {
                    return nil
                }
                let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
                return Line(number: index + 1, text: text)
            }
    }

    @Test("begins no summary with a question word, and describes programs as people in no comment")
    func comments() throws {
        let files = try ["Sources", "Providers"].flatMap { try SourceTree.files(in: $0) }
        #expect(files.count > 30)
        let found = files.flatMap {
            Self.questions(in: $0.text, path: $0.path) + Self.personifications(in: $0.text, path: $0.path)
        }
        #expect(found == [], "Begin with a verb or a noun, and say what the code does.")
    }

    @Test("is searched in comments only")
    func scanner() {
        let text = """
            /// What it is.
            /// How it works.
            let a = "told" // A line that tells a value.
            /// Returns the value.
            /// Which value is told.
            let b = "https://nobody"

            /// Whatever.
            """
        #expect(Self.questions(in: text, path: "a") == ["a:1: /// What it is."])
        #expect(
            Self.personifications(in: text, path: "a") == [
                "a:3: let a = \"told\" // A line that tells a value.", "a:5: /// Which value is told.",
            ])
    }
}
