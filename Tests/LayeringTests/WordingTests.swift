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
}
