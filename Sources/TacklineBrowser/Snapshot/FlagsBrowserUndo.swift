/// What an undo would take back.
public struct FlagsBrowserUndo: Sendable, Hashable, Codable {
    /// What was done, for people: `Set "new_checkout" to true in "overrides"`.
    public var title: String
    /// The ids of the flags concerned.
    public var flags: [String]
    /// How many edits can be undone, this one included.
    public var count: Int

    /// Makes a description.
    public init(title: String, flags: [String], count: Int) {
        self.title = title
        self.flags = flags
        self.count = count
    }
}
