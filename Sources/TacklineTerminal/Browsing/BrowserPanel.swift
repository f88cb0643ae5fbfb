import TacklineBrowser

/// What stands in front of the list and takes the keys.
enum BrowserPanel: Hashable, Sendable {
    /// Words are typed to search for.
    case search(TextEditor)
    /// Attributes of somebody else are typed, whom rules shall be asked for.
    case whatIf(TextEditor)
    case edit(Edit)
    case choose(Choice)
    case confirm(Confirmation)
    case filters(cursor: Int)
    case destinations(cursor: Int)
    /// Counted in lines from the top.
    case changes(offset: Int)
    case help(offset: Int)

    /// A flag is edited as text.
    struct Edit: Hashable, Sendable {
        var flag: FlagsBrowserFlag
        /// The flag as it was when the editor was opened, or when the user was told of a change.
        var seen: FlagsBrowserFlag
        var editor: TextEditor
        /// The command on its way, during which nothing can be typed.
        var saving: FlagsBrowserCommand?
        /// What was wrong with what was entered.
        var error: FlagsBrowserError?

        /// Whether an enter alone does not end the text.
        var isMultiline: Bool { flag.control.kind == .json }
    }

    /// One of a flag's options is picked.
    struct Choice: Hashable, Sendable {
        var flag: FlagsBrowserFlag
        var options: [Option]
        var cursor: Int

        struct Option: Hashable, Sendable {
            var label: String
            var input: FlagsBrowserInput
        }
    }

    /// Something waits for a yes.
    struct Confirmation: Hashable, Sendable {
        var question: String
        var command: FlagsBrowserCommand
        /// The key that asked, which also says yes.
        var key: Character?
    }
}
