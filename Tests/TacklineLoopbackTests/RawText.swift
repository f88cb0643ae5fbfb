import Testing

/// A text that goes to a server as it stands, and which a report shows in one short line.
struct RawText: Sendable, ExpressibleByStringLiteral, CustomTestStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }
    init(stringLiteral text: String) { self.text = text }

    var testDescription: String {
        let count = text.utf8.count
        return text.prefix(60).debugDescription + (count > 60 ? "… (\(count) bytes)" : "")
    }
}
