/// The source of a flag browser's user interface: a browser in this process (``FlagsBrowser``), or a connection to one
/// in another process.
public protocol FlagsBrowserBackend: Sendable {
    /// Returns the flags and everything else that a user interface shows.
    func snapshot() async throws(FlagsBrowserError) -> FlagsBrowserSnapshot

    /// Returns the flags in their order without asking any provider: each has its declared default in place of its
    /// values. It is for a list that shall be there before the first snapshot. The default returns `nil`, which means
    /// that there are only snapshots.
    func outline() async -> FlagsBrowserSnapshot?

    /// Returns one flag with its values in full, including those that are shortened in a snapshot.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unknownFlag`` if there is none with this id.
    func flag(id: String) async throws(FlagsBrowserError) -> FlagsBrowserFlag

    /// Returns what a command would do, without doing it.
    ///
    /// - Throws: ``FlagsBrowserError`` for what `perform(_:)` would refuse.
    func preview(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserPreview

    /// Returns what a request would do, without doing it. The default previews only its command.
    ///
    /// - Throws: ``FlagsBrowserError`` for what `perform(_:)` would refuse.
    func preview(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserPreview

    /// Performs a command. Its effect is in the next snapshot.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says otherwise.
    func perform(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserReply

    /// Performs a command for an author if the flag still has the value that the author saw. Its effect is in the next
    /// snapshot.
    ///
    /// The default performs the command alone, without an author and without comparing values.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says otherwise.
    func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply

    /// Returns how the providers with rules arrive at their values for a flag, for the current context or for another
    /// one. The default returns no reasons.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unknownFlag`` if there is none with this id.
    func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons

    /// Returns a stream of changes from now on. It begins with the current revision and ends with the backend. A slow
    /// reader gets only the newest update.
    func updates() -> AsyncStream<FlagsBrowserUpdate>
}

extension FlagsBrowserBackend {
    /// Returns `nil`.
    public func outline() async -> FlagsBrowserSnapshot? { nil }

    /// Returns no reasons.
    public func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
        FlagsBrowserReasons()
    }

    /// Returns what the command of a request would do.
    ///
    /// - Throws: ``FlagsBrowserError`` for what `perform(_:)` would refuse.
    public func preview(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserPreview {
        try await preview(request.command)
    }

    /// Performs the command of a request and ignores the author and the expectation. A request with an edit number or
    /// an expiry date is refused.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says otherwise.
    public func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply {
        guard request.edit == nil, request.expires == nil else {
            throw FlagsBrowserError(
                .unreadableMessage,
                "This browser can neither undo a chosen edit nor let a value expire. Leave that out of the command.")
        }
        return try await perform(request.command)
    }
}

/// A notice from a backend to its user interfaces.
public enum FlagsBrowserUpdate: Sendable, Hashable {
    /// Something may have changed, so request a new snapshot. Also sent when a lost connection is restored.
    case changed(revision: Int)
    /// The backend can't be reached for this reason. It keeps trying to reconnect.
    case disconnected(reason: String)
}
