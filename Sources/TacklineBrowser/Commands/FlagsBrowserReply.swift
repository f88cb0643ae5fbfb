public import TacklineCore

/// The result of a command.
public struct FlagsBrowserReply: Sendable, Hashable, Codable {
    /// A description of the result for people: a sentence with a full stop.
    public var message: String
    /// The ids of the flags that were written, in the order of the writes.
    public var flags: [String]
    /// The revision of the browser after the command.
    public var revision: Int
    /// The bundle of an export, or `nil` for other commands.
    public var bundle: String?
    /// The number of the edit, which an undo can name, or `nil` if the command changed nothing that could be undone.
    public var edit: Int?

    /// Creates a reply.
    public init(message: String, flags: [String] = [], revision: Int, bundle: String? = nil, edit: Int? = nil) {
        self.message = message
        self.flags = flags
        self.revision = revision
        self.bundle = bundle
        self.edit = edit
    }
}

extension FlagsBrowserReply: FlagValue {}

extension FlagsBrowserReply: ReflectedAsDescription {
    /// The message. The bundle is left out, since it has the values of flags that may be secret.
    public var description: String { message }
}
