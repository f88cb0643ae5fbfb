/// Why something cannot be edited.
public struct FlagsBrowserRefusal: Sendable, Hashable, Codable {
    /// The kind of refusal.
    public var code: FlagsBrowserError.Code
    /// What people read: a sentence with a full stop, with what to do about it.
    public var message: String

    /// Makes a refusal.
    public init(code: FlagsBrowserError.Code, message: String) {
        self.code = code
        self.message = message
    }
}
