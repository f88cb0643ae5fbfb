/// What a handler answers with.
public enum LoopbackReply: Sendable {
    /// A well-formed response; then the connection is closed.
    case response(LoopbackResponse)
    /// The exact bytes, pauses and endings, in order; a connection still open after the last step is closed.
    ///
    /// A script ends early when the client has gone or the server is stopped. Nothing is added to it, and a HEAD request
    /// gets what the script says.
    case script([LoopbackStep])
}
