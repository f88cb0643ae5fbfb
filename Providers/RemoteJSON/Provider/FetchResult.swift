import TacklineCore

/// What one request came to.
enum FetchResult: Sendable {
    /// A document that is not the one in hand.
    case document(RemoteDocument, warning: String?)
    /// The document in hand is the newest.
    case unchanged
    case rejected(reason: String, status: Int)
    case failed(reason: String, retryAfter: Duration?)
    case misconfigured(status: Int)
}
