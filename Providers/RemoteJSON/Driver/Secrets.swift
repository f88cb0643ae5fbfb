import Foundation

// Foundation: `URL` is split into its parts.

/// The texts that must not appear in a log, event or error: users, passwords, queries and fragments of URLs, and the
/// values of header fields.
struct Secrets: Sendable {
    /// The shortest secret in bytes. Shorter texts occur in any message, and hiding them would make it unreadable.
    private static let minimumLength = 4

    private var texts: [String] = []

    init(_ url: URL, _ configuration: RemoteJSONConfiguration) {
        let whole = [url.user(percentEncoded: false), url.password(percentEncoded: false)]
        let encoded = [url.user(), url.password(), url.query(), url.fragment(), url.fragment(percentEncoded: false)]
        let items = url.query()?.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() } ?? []
        for text in whole + encoded { add(text) }
        for item in items { add(String(item)); add(String(item).removingPercentEncoding) }
        for field in configuration.headers.fields { add(field.value) }
    }

    mutating func add(_ text: String?) {
        guard let text, text.utf8.count >= Self.minimumLength else { return }
        texts.append(text)
        // A scheme such as Bearer is no secret, but the text after it is.
        let words = text.split(separator: " ", maxSplits: 1)
        if words.count == 2, words[1].utf8.count >= Self.minimumLength { texts.append(String(words[1])) }
        // The longest texts are replaced first, so that no part of one is left.
        texts.sort { $0.utf8.count > $1.utf8.count }
    }

    func hidden(in text: String) -> String {
        texts.reduce(text) { $0.replacing($1, with: "…") }
    }
}
