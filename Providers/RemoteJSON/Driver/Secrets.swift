import Foundation

// Foundation: `URL` is taken apart.

/// What must appear in no log, event or error: passwords and queries of URLs, and the values of header fields.
struct Secrets: Sendable {
    /// What is shorter occurs in any text, and would make all of them unreadable.
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
        // A scheme such as Bearer is none, what follows it is.
        let words = text.split(separator: " ", maxSplits: 1)
        if words.count == 2, words[1].utf8.count >= Self.minimumLength { texts.append(String(words[1])) }
        // The longest first, so that no part of one is left over.
        texts.sort { $0.utf8.count > $1.utf8.count }
    }

    func hidden(in text: String) -> String {
        texts.reduce(text) { $0.replacing($1, with: "…") }
    }
}
