import TacklineBrowser

/// What has to be done because of an event, outside of the state.
enum BrowserEffect: Hashable, Sendable {
    /// Ask what a command would do.
    case preview(FlagsBrowserCommand)
    /// Ask how rules come to the value of a flag, for whom a read is answered for or for somebody else.
    case explain(FlagsBrowserQuestion)
    /// Do a command.
    case perform(FlagsBrowserCommand)
    /// Get a flag with its values in full, to edit it.
    case load(flag: String)
    /// Put a text on the clipboard.
    case copy(String)
    /// Send the whole screen again.
    case redraw
    /// Give the terminal back to the shell until it continues us.
    case suspend
    case quit
}
