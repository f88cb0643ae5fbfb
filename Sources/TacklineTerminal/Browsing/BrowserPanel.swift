/// The panel that is drawn over the list and receives the keys. The screen's question is drawn instead of it.
enum BrowserPanel: Hashable, Sendable {
    /// The field for the words to search for.
    case search(TextEditor)
    /// The field for the attributes for which rules are evaluated.
    case whatIf(TextEditor)
    /// The field for the draft's text.
    case edit(TextEditor)
    /// The menu of the draft's options.
    case choose
    case filters(cursor: Int)
    case destinations(cursor: Int)
    /// The changes, scrolled by a number of lines.
    case changes(offset: Int)
    case help(offset: Int)
}
