/// Why an answer with a document is not accepted.
struct RejectionError: Error {
    /// As it goes on after "the document was rejected: ".
    var reason: String
}
