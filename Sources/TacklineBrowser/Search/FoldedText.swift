import Foundation

// Foundation: the compatibility decomposition of Unicode.

/// A function that removes the differences that a search ignores: case, accents, and character width.
///
/// The web page does the same with `text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase()`.
enum FoldedText {
    /// The length up to which a text is searched, in Unicode scalars.
    static let limit = 4096

    static func fold(_ text: String) -> String {
        // A fast path, because most keys and names are ASCII.
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        // A character may have any number of scalars, so the text is cut between scalars.
        let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
        var scalars = String.UnicodeScalarView()
        for scalar in head.decomposedStringWithCompatibilityMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return String(scalars).lowercased()
    }
}
