/// One event of a stream.
public struct ServerSentEvent: Sendable, Hashable {
    /// The name, `message` where none was sent.
    public var name: String
    /// The data, its lines joined by line feeds.
    public var data: String
    /// The id in force when the event came, which may have been sent with an earlier one; `nil` if there was none.
    public var id: String?

    /// Makes an event.
    public init(name: String = "message", data: String, id: String? = nil) {
        self.name = name
        self.data = data
        self.id = id
    }
}
