import Foundation

// Foundation: the compatibility decomposition of Unicode.

/// A function that removes the differences that a search ignores: case, accents, and character width.
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

    /// Returns a text whose order is that of people: case and accents are ignored, and numbers are compared by value.
    static func naturalOrder(of text: String) -> String {
        var order = String.UnicodeScalarView()
        var digits = String.UnicodeScalarView()
        func end() {
            guard !digits.isEmpty else { return }
            // A longer number is greater.
            let number = digits.drop { $0 == "0" }
            order.append("0")
            order.append(UnicodeScalar(UInt8(0x30 + min(number.count, 70))))
            order.append(contentsOf: number)
            digits = String.UnicodeScalarView()
        }
        for scalar in fold(text).unicodeScalars {
            if ("0"..."9").contains(scalar) {
                digits.append(scalar)
            } else {
                end()
                order.append(scalar)
            }
        }
        end()
        return String(order)
    }
}
