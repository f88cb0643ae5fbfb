private import Synchronization

/// The documents of a ``LoopbackServer`` by path, which can be changed while it runs.
///
/// ```swift
/// let documents = LoopbackDocuments()
/// documents.setDocument(path: "/flags.json", text: #"{"sson": true}"#)
/// let server = try LoopbackServer(documents: documents)
/// ```
///
/// Each document has a strong `ETag` made from its content. A request whose `If-None-Match` contains it gets 304.
/// Unknown paths get 404, and methods other than GET and HEAD get 405. The type may be used from any thread.
public final class LoopbackDocuments: Sendable {
    private struct Document {
        var bytes: [UInt8]
        var contentType: String
        var etag: String
    }

    private let documents = Mutex<[String: Document]>([:])

    /// Makes an empty set of documents.
    public init() {}

    /// Adds or replaces a document. An answer in progress is sent unchanged.
    ///
    /// - Parameters:
    ///   - path: The path as clients send it: with its leading slash, percent-encoded, without a query.
    ///   - bytes: The body of the answers.
    ///   - contentType: The `Content-Type` of the answers.
    public func setDocument(path: String, bytes: [UInt8], contentType: String = "application/json") {
        let document = Document(bytes: bytes, contentType: contentType, etag: Self.etag(of: bytes))
        documents.withLock { $0[path] = document }
    }

    /// Adds or replaces a document given as text, in UTF-8.
    public func setDocument(path: String, text: String, contentType: String = "application/json") {
        setDocument(path: path, bytes: Array(text.utf8), contentType: contentType)
    }

    /// Removes a document. Its path gets 404 from now on.
    public func removeDocument(path: String) {
        documents.withLock { _ = $0.removeValue(forKey: path) }
    }

    /// Returns the answer to a request, for handlers that serve documents among other things.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard ["GET", "HEAD"].contains(request.method) else {
            return .response(LoopbackResponse(status: 405, headers: [LoopbackHeader("Allow", "GET, HEAD")]))
        }
        guard let document = documents.withLock({ $0[request.path] }) else {
            return .response(.text("There is no document \(request.path).\n", status: 404))
        }
        if Self.isMatch(request, document.etag) {
            return .response(.notModified(etag: document.etag))
        }
        let headers = [LoopbackHeader("Content-Type", document.contentType), LoopbackHeader("ETag", document.etag)]
        return .response(LoopbackResponse(status: 200, headers: headers, body: document.bytes))
    }

    /// Returns whether `If-None-Match` names the tag, by weak comparison (RFC 9110, section 13.1.2). Our tags contain
    /// no comma.
    private static func isMatch(_ request: LoopbackRequest, _ etag: String) -> Bool {
        request.headers.filter { $0.matches("If-None-Match") }.flatMap { $0.value.split(separator: ",") }.contains {
            part in
            let tag = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == etag || tag == "W/\(etag)"
        }
    }

    /// Returns a tag from the 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991), which is the same for equal
    /// content in every process.
    private static func etag(of bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return "\"" + String(repeating: "0", count: 16 - digits.count) + digits + "\""
    }
}
