import Foundation

// Foundation: the compatibility decomposition of Unicode.

/// A text without what a search passes over: case, accents, the width of characters.
///
/// In a browser's page the same is `text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase()`.
enum FoldedText {
    /// How much of a text is searched, in bytes.
    static let limit = 4096

    static func fold(_ text: String) -> String {
        // Most keys and names are ASCII, which is quick.
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        // A character may have any number of scalars, so the cut is made between those.
        let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
        var scalars = String.UnicodeScalarView()
        for scalar in head.decomposedStringWithCompatibilityMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return String(scalars).lowercased()
    }
}
