import TacklineBrowser

/// An action outside of the state that an event requires.
enum BrowserEffect: Hashable, Sendable {
    /// Work of the backend.
    case screen(FlagsBrowserScreen.Effect)
    /// Request the explanation of a flag's value by its rules, for the reader's own context or for other attributes.
    case explain(FlagsBrowserQuestion)
    /// Put a text on the clipboard.
    case copy(String)
    /// Send the whole screen again.
    case redraw
    /// Give the terminal back to the shell until it continues the process.
    case suspend
    case quit
}

extension [FlagsBrowserScreen.Effect] {
    var inTerminal: [BrowserEffect] { map { .screen($0) } }
}
