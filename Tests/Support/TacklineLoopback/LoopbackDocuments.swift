private import Synchronization

/// The documents of a ``LoopbackServer`` by path, which can be changed while it runs.
///
/// ```swift
/// let documents = LoopbackDocuments()
/// documents.setDocument(path: "/flags.json", text: #"{"sson": true}"#)
/// let server = try LoopbackServer(documents: documents)
/// ```
///
/// Each document has an `ETag` made from its content. A request whose `If-None-Match` is the tag gets 304. Unknown paths
/// get 404.
public final class LoopbackDocuments: Sendable {
    private let documents = Mutex<[String: String]>([:])

    /// Makes an empty set of documents.
    public init() {}

    /// Adds or replaces a document of JSON. An answer in progress is sent unchanged.
    ///
    /// - Parameter path: The path as clients send it: with its leading slash, percent-encoded, without a query.
    public func setDocument(path: String, text: String) {
        documents.withLock { $0[path] = text }
    }

    func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard let text = documents.withLock({ $0[request.path] }) else {
            return .response(.text("There is no document \(request.path).\n", status: 404))
        }
        let etag = "\"\(text.hashValue)\""
        if request.headerValue("If-None-Match") == etag { return .response(.notModified(etag: etag)) }
        return .response(.json(text, etag: etag))
    }
}
