public import TacklineCore

/// What a command did.
public struct FlagsBrowserReply: Sendable, Hashable, Codable {
    /// What was done, for people: a sentence with a full stop.
    public var message: String
    /// The ids of the flags that were written, in the order of the writes.
    public var flags: [String]
    /// The revision of the browser after it.
    public var revision: Int
    /// The bundle, for an export; else `nil`.
    public var bundle: String?
    /// The number of the edit, which an undo can name; `nil` if nothing became different that could be undone.
    public var edit: Int?

    /// Makes a reply.
    public init(message: String, flags: [String] = [], revision: Int, bundle: String? = nil, edit: Int? = nil) {
        self.message = message
        self.flags = flags
        self.revision = revision
        self.bundle = bundle
        self.edit = edit
    }
}

extension FlagsBrowserReply: FlagValue {}
