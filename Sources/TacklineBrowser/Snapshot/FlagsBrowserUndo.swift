/// The edit that an undo would take back.
public struct FlagsBrowserUndo: Sendable, Hashable, Codable {
    /// A description of the edit for people, such as `Set "new_checkout" to true in "overrides"`.
    public var title: String
    /// The ids of the edited flags.
    public var flags: [String]
    /// The number of edits that can be undone, including this one.
    public var count: Int

    /// Creates a description.
    public init(title: String, flags: [String], count: Int) {
        self.title = title
        self.flags = flags
        self.count = count
    }
}
