import TacklineBrowser
import TacklineCore

/// The screen in a terminal: a value that handles keys and events, and returns the actions that they require.
///
/// It performs no actions itself, so tests can drive it like a user and check what ``BrowserDrawing`` draws.
struct BrowserState: Sendable {
    var size: TerminalSize
    /// The part that all user interfaces share.
    var screen: FlagsBrowserScreen {
        didSet { if shownListing != screen.listingNumber { list() } }
    }
    /// The number of the listing from which the rows were made.
    private var shownListing = 0
    /// The listed flags, in the order of the rows. A pinned flag may be listed twice.
    private(set) var flags: [FlagsBrowserFlag] = []
    private(set) var rows: [BrowserRow] = []
    /// The row under the cursor. It is a flag's if there is any flag.
    private(set) var cursor = 0
    /// The first visible row.
    var listOffset = 0
    var detailOffset = 0
    /// Whether a narrow window shows the details instead of the list.
    var showsDetails = false
    var panel: BrowserPanel?
    /// The address of the flags' page, without a secret; `nil` if they have none.
    var address: String?

    /// The last question about the rules of a flag, with the revision at which it was asked.
    private(set) var question: (FlagsBrowserQuestion, revision: Int)?
    /// The steps by which the rules determine the value.
    private(set) var reasons: [FlagsBrowserReason] = []
    /// The attributes for which rules are evaluated, such as `targetingKey=user-7 plan=gold`. If empty, the reader's
    /// own context applies.
    var whatIf = ""

    init(size: TerminalSize, author: FlagsBrowserAuthor) {
        self.size = size
        screen = FlagsBrowserScreen(author: author)
    }

    /// The flag under the cursor; `nil` if no flag is listed.
    var selected: FlagsBrowserFlag? {
        guard rows.indices.contains(cursor), case .flag(let index, _) = rows[cursor] else { return nil }
        return flags[index]
    }

    /// Whether keys go to the list.
    var isBrowsing: Bool { panel == nil && screen.question == nil }

    // MARK: Events from the backend

    mutating func receive(_ event: FlagsBrowserScreen.Event) -> [BrowserEffect] {
        let effects = screen.receive(event)
        showDraft()
        return effects.inTerminal
    }

    /// Opens the field of the draft, closes it, or shows another text in it.
    mutating func showDraft() {
        switch (panel, screen.draft) {
        case (.edit, nil), (.choose, nil): panel = nil
        case (nil, let draft?) where draft.text.utf8.count > TextEditor.limit:
            screen.draft = nil
            screen.notice = .init(
                .failure, "The value of \(draft.flag.key) is longer than 256 KiB, so not edited here.")
        case (nil, let draft?): panel = draft.options.isEmpty ? .edit(TextEditor(draft.text)) : .choose
        case (.edit(let editor), let draft?):
            if editor.text != draft.text { panel = .edit(TextEditor(draft.text)) }
        case (.choose, _?), (_, nil): break
        case (_, _?): screen.draft = nil
        }
    }

    /// Returns the request for how the rules determine the selected flag's value, if any rules do and it was not
    /// requested for this revision already.
    mutating func askForReasons() -> [BrowserEffect] {
        guard let selected, let revision = screen.snapshot?.revision,
            selected.answers.contains(where: { $0.reason != nil })
        else { return [] }
        let question = FlagsBrowserQuestion(flag: selected.id, attributes: attributes)
        if let last = self.question, last.0 == question, last.revision == revision { return [] }
        if self.question?.0 != question { reasons = [] }
        self.question = (question, revision)
        return [.explain(question)]
    }

    /// The attributes that were entered; `nil` if there are none.
    private var attributes: [String: String]? {
        var attributes: [String: String] = [:]
        for pair in whatIf.split(separator: " ") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !parts[0].isEmpty { attributes[String(parts[0])] = String(parts[1]) }
        }
        return attributes.isEmpty ? nil : attributes
    }

    /// - Parameter answer: The reasons; `nil` if there are none. The details then omit the rules.
    mutating func receive(_ answer: FlagsBrowserReasons?, to question: FlagsBrowserQuestion) {
        if self.question?.0 == question { reasons = answer?.reasons ?? [] }
    }

    // MARK: The list

    /// Makes the rows anew, and keeps the cursor on its flag, or near its former place.
    private mutating func list() {
        shownListing = screen.listingNumber
        let former = selected?.id
        flags = screen.listing?.parts.flatMap(\.flags) ?? []
        rows = screen.listing.map(BrowserRow.rows) ?? []
        let place = rows.firstIndex { row in
            if case .flag(let index, _) = row { flags[index].id == former } else { false }
        }
        select(row: selected?.id == former && former != nil ? cursor : place ?? cursor)
    }

    /// Moves the cursor to the flag in a row, or else to the next flag.
    mutating func select(row: Int) {
        let former = selected?.id
        let row = min(max(row, 0), rows.count - 1)
        cursor =
            rows.indices.dropFirst(max(row, 0)).first { rows[$0].isFlag } ?? rows.indices.last { rows[$0].isFlag } ?? 0
        if selected?.id != former { detailOffset = 0 }
        if screen.selection != selected?.id { screen.selection = selected?.id }
    }

    /// Moves the cursor by a number of flags.
    mutating func move(by count: Int) {
        let places = rows.indices.filter { rows[$0].isFlag }
        guard let place = places.firstIndex(of: cursor) else { return }
        select(row: places[min(max(place + count, 0), places.count - 1)])
    }
}
