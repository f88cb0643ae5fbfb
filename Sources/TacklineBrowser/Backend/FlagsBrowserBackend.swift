/// What a face of the browser works with: a browser in this process (``FlagsBrowser``), or a connection to one elsewhere.
public protocol FlagsBrowserBackend: Sendable {
    /// Returns what there is to draw.
    func snapshot() async throws(FlagsBrowserError) -> FlagsBrowserSnapshot

    /// Returns one flag with its values in full, also where those in a snapshot are shortened.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unknownFlag`` if there is none with this id.
    func flag(id: String) async throws(FlagsBrowserError) -> FlagsBrowserFlag

    /// Says what a command would do, and does nothing.
    ///
    /// - Throws: ``FlagsBrowserError`` for what `perform(_:)` would refuse.
    func preview(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserPreview

    /// Does a command. Its effect is in the next snapshot.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says so.
    func perform(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserReply

    /// Does a command for somebody, if the flag still is as they saw it. Its effect is in the next snapshot.
    ///
    /// A backend without this method does the command alone: it knows no authors and checks no expectation.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says so.
    func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply

    /// Says how the providers with rules come to what they say of a flag, for whom a read would be answered or for somebody
    /// else. A backend without this method knows of none.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unknownFlag`` if there is none with this id.
    func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons

    /// Returns a stream that tells of changes from now on, beginning with the revision as of now. A slow reader gets the
    /// newest only. It ends with the backend.
    func updates() -> AsyncStream<FlagsBrowserUpdate>
}

extension FlagsBrowserBackend {
    /// No reasons: by default a backend knows of no rules.
    public func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
        FlagsBrowserReasons()
    }

    /// Does the command of a request. What else the request says is passed over, except for what cannot be: an edit that is
    /// named and a moment at which the value shall end are refused.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says so.
    public func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply {
        guard request.edit == nil, request.expires == nil else {
            throw FlagsBrowserError(
                .unreadableMessage, "This browser knows no single edits and no values that end by themselves.")
        }
        return try await perform(request.command)
    }
}
