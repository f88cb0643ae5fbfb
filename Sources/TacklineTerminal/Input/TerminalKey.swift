/// What the user has pressed.
enum TerminalKey: Hashable, Sendable {
    case character(Character)
    /// With the control key: the letter, small.
    case control(Character)
    /// With the alt key, or after the escape key in one go.
    case alternate(Character)
    case enter, lineFeed, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// Text that was pasted, as a terminal with "bracketed paste" tells it.
    case paste(String)
    /// Pasted text was longer than what is accepted, and dropped.
    case oversizedPaste
}
