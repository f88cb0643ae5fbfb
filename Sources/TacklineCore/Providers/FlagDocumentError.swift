/// Why a document is unusable as a whole in its format.
public struct FlagDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, where, and what to do about it, as a part of a sentence.
    public var reason: String

    /// Makes an error.
    public init(reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
