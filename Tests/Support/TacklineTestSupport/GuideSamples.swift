package import Foundation

/// The pieces of Swift in a guide, each of which has to stand in a file that is compiled.
package struct GuideSamples {
    private let guide: String
    private let sources: [String]

    /// Reads a guide and the files that are compiled for it.
    ///
    /// - Parameters:
    ///   - guide: The guide's name in `Docs/Tackline.docc`.
    ///   - heading: Where to begin; the guide's first line unless given. A heading that is not there leaves nothing.
    ///   - paths: The files, from the root of the package.
    package init(guide: String, from heading: String = "", compiledIn paths: [String]) throws {
        let text = try GuideSamples.text("Docs/Tackline.docc/\(guide)")
        let start = heading.isEmpty ? text.startIndex : text.range(of: heading)?.lowerBound ?? text.endIndex
        self.init(guide: String(text[start...]), sources: try paths.map(GuideSamples.text))
    }

    package init(guide: String, sources: [String]) {
        self.guide = guide
        self.sources = sources.map { "\n" + GuideSamples.trimmed($0) + "\n" }
    }

    /// The pieces of the guide. Spaces at the begin and the end of lines do not count.
    package var pieces: [String] {
        guide.components(separatedBy: "```swift\n").dropFirst().map { part in
            GuideSamples.trimmed(part.components(separatedBy: "\n```")[0])
        }
    }

    /// The pieces that stand in none of the files, line after line.
    package var piecesThatAreNotCompiled: [String] {
        pieces.filter { piece in !sources.contains { $0.contains("\n" + piece + "\n") } }
    }

    /// The root of the package.
    package static var root: URL {
        (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func trimmed(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}
