/// The answer of a handler.
public enum LoopbackReply: Sendable {
    /// A well-formed response, after which the connection is closed.
    case response(LoopbackResponse)
    /// The exact bytes, pauses and endings, in order. A connection that is still open after the last step is closed.
    ///
    /// A script ends early if the client closes the connection or the server is stopped. Nothing is added to it, even
    /// for a HEAD request.
    case script([LoopbackStep])
}
