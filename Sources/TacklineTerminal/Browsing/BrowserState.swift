import TacklineBrowser
import TacklineCore

/// All that the face shows and remembers: a value that takes events and says what to do because of them.
///
/// It does nothing itself, so tests drive it like a user and look at what ``BrowserDrawing`` makes of it.
struct BrowserState: Sendable {
    enum Connection: Hashable, Sendable {
        case connecting
        case live
        /// With the reason, for people.
        case lost(String)
    }

    var size: TerminalSize
    private(set) var snapshot: FlagsBrowserSnapshot?
    private(set) var connection = Connection.connecting
    var filter = FlagsBrowserFilter() {
        didSet { if filter != oldValue { list() } }
    }
    /// The flags that the filter lets through.
    private(set) var flags: [FlagsBrowserFlag] = []
    private(set) var rows: [BrowserRow] = []
    /// The row under the cursor, a flag's if there is any.
    private(set) var cursor = 0
    /// The topmost row that is shown.
    var listOffset = 0
    var detailOffset = 0
    /// Whether a narrow window shows the details in place of the list.
    var showsDetails = false
    var panel: BrowserPanel?
    var notice: BrowserNotice?
    /// The address of the flags' page, without a secret; `nil` where they have none.
    var address: String?
    /// The provider that edits go to; `nil` for the section's own choice.
    var destination: String?
    /// Who edits.
    let author: FlagsBrowserAuthor
    /// The edit that was refused because somebody else changed the flag meanwhile; asked for again, it is done.
    var contested: FlagsBrowserCommand?
    /// The flags that others changed since the user last pressed a key.
    private(set) var fresh: Set<String> = []
    /// The flags of edits made here, whose changes the next snapshot will tell.
    private var own: Set<String> = []
    private(set) var preview: Preview?
    /// The preview that was asked for last, and of which revision.
    var asked: (command: FlagsBrowserCommand, revision: Int)?

    /// What was asked last about the rules of a flag, and at which revision.
    private(set) var question: (FlagsBrowserQuestion, revision: Int)?
    /// How its rules come to a value.
    private(set) var reasons: [FlagsBrowserReason] = []
    /// For whom rules are asked, as typed: `targetingKey=user-7 plan=gold`; empty for whom a read is answered for.
    var whatIf = ""

    struct Preview: Hashable, Sendable {
        var command: FlagsBrowserCommand
        var result: Result<FlagsBrowserPreview, FlagsBrowserError>
    }

    init(size: TerminalSize, author: FlagsBrowserAuthor) {
        self.size = size
        self.author = author
    }

    /// The flag under the cursor; `nil` if none is listed.
    var selected: FlagsBrowserFlag? {
        guard rows.indices.contains(cursor), case .flag(let index, _) = rows[cursor] else { return nil }
        return flags[index]
    }

    // MARK: Events from the backend

    mutating func receive(_ new: FlagsBrowserSnapshot) {
        // Answers may overtake each other.
        if let snapshot, new.revision < snapshot.revision, new.time < snapshot.time { return }
        if let snapshot {
            let newest = snapshot.recentChanges.first?.id ?? -1
            fresh.formUnion(new.recentChanges.prefix { $0.id > newest }.map(\.flag).filter { !own.contains($0) })
            own = []
        }
        snapshot = new
        connection = .live
        if let destination, !new.destinations.contains(where: { $0.id == destination }) { self.destination = nil }
        if case .edit(var edit) = panel, let flag = new.flag(id: edit.flag.id) {
            // What is typed stays; the surroundings follow.
            edit.flag = flag
            panel = .edit(edit)
        }
        list()
    }

    mutating func receive(_ update: FlagsBrowserUpdate) {
        switch update {
        case .changed: if snapshot != nil { connection = .live }
        case .disconnected(let reason): connection = .lost(reason)
        }
    }

    mutating func receive(snapshotFailure error: FlagsBrowserError) {
        connection = .lost(error.message)
    }

    mutating func receive(
        _ result: Result<FlagsBrowserPreview, FlagsBrowserError>, of command: FlagsBrowserCommand
    ) {
        guard asked?.command == command else { return }
        preview = Preview(command: command, result: result)
    }

    /// What is known about a command before it is done.
    func preview(of command: FlagsBrowserCommand?) -> Result<FlagsBrowserPreview, FlagsBrowserError>? {
        guard let command, preview?.command == command else { return nil }
        return preview?.result
    }

    /// Asks how rules come to the value of the selected flag, where any have, unless that is known or on its way.
    mutating func askForReasons() -> [BrowserEffect] {
        guard let selected, let revision = snapshot?.revision, selected.answers.contains(where: { $0.reason != nil })
        else { return [] }
        let question = FlagsBrowserQuestion(flag: selected.id, attributes: attributes)
        if let last = self.question, last.0 == question, last.revision == revision { return [] }
        if self.question?.0 != question { reasons = [] }
        self.question = (question, revision)
        return [.explain(question)]
    }

    /// The attributes that were typed; `nil` for none.
    private var attributes: [String: String]? {
        var attributes: [String: String] = [:]
        for pair in whatIf.parts(separatedBy: " ") {
            if let (name, value) = pair.assignment { attributes[name] = value }
        }
        return attributes.isEmpty ? nil : attributes
    }

    /// - Parameter answer: `nil` if there is none: then the details say nothing of rules.
    mutating func receive(_ answer: FlagsBrowserReasons?, to question: FlagsBrowserQuestion) {
        if self.question?.0 == question { reasons = answer?.reasons ?? [] }
    }

    // MARK: The list

    /// Lists anew, and keeps the cursor on its flag, or near where it was.
    private mutating func list() {
        let former = selected?.id
        guard let snapshot else { return }
        flags = filter.isEmpty ? snapshot.flags : snapshot.flags(matching: filter)
        rows = BrowserRow.rows(of: flags, in: snapshot)
        let place = rows.firstIndex { row in
            if case .flag(let index, _) = row { flags[index].id == former } else { false }
        }
        select(row: place ?? cursor)
    }

    /// Puts the cursor on the flag of a row, or on the next one there is.
    mutating func select(row: Int) {
        let former = selected?.id
        let row = min(max(row, 0), rows.count - 1)
        cursor = rows.indices.dropFirst(max(row, 0)).first(where: isFlag) ?? rows.indices.last(where: isFlag) ?? 0
        if selected?.id != former { detailOffset = 0 }
    }

    /// Moves the cursor by so many flags.
    mutating func move(by count: Int) {
        let places = rows.indices.filter(isFlag)
        guard let place = places.firstIndex(of: cursor) else { return }
        select(row: places[min(max(place + count, 0), places.count - 1)])
    }

    private func isFlag(_ row: Int) -> Bool {
        if case .flag = rows[row] { true } else { false }
    }

    mutating func forgetFreshChanges() {
        fresh = []
    }

    /// Takes note of an edit made here, before or after the snapshot that shows it.
    mutating func forgetFreshChanges(of flags: [String]) {
        fresh.subtract(flags)
        own.formUnion(flags)
    }
}
