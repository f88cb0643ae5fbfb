import TacklineCore

/// The state of a browser's screen: the list, the filter, the draft, questions and notices.
///
/// It is a value that takes events and returns the effects that they require. A user interface keeps only what is its
/// own, such as the place of a cursor. It shows this value, carries out each effect with ``Effect/event(from:)``, and
/// passes the event to ``receive(_:)``.
package struct FlagsBrowserScreen: Sendable {
    /// A message to the user.
    package struct Notice: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case done, hint, failure
        }

        package var kind: Kind
        /// The text, which may contain names and values of flags.
        package var text: String

        package init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// A question that has to be answered before a command is performed.
    package struct Question: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// Whether values shall be removed.
            case reset
            /// Whether an edit shall be undone although somebody else has changed its flag since.
            case undo
            /// Whether somebody else's change shall be overwritten.
            case overwrite
        }

        package var kind: Kind
        package var text: String
        package var command: FlagsBrowserCommand

        /// The text of the button that answers with yes.
        package var yes: FlagsBrowserText {
            switch kind {
            case .reset: .reset
            case .undo: .undoAnyway
            case .overwrite: .writeAnyway
            }
        }
    }

    /// The author of edits, or `nil` for none.
    package let author: FlagsBrowserAuthor?
    /// The snapshot that is shown, or `nil` until the first one has arrived.
    package private(set) var snapshot: FlagsBrowserSnapshot?
    /// The flags that are listed, or `nil` until the first snapshot has arrived.
    package private(set) var listing: FlagsBrowserListing?
    /// The filters and orders that can apply to the flags: what is unusual about them, their sources, and their kinds.
    package private(set) var facets: [FlagsBrowserFacet] = []
    /// The id of the flag whose details are shown, or `nil` for none.
    package var selection: String?
    /// The id of the provider that edits go to, or `nil` for the default destination of each section.
    package var destination: String?
    /// The value that is being edited, or `nil` if none is.
    package var draft: FlagsBrowserDraft?
    package var question: Question?
    /// The last message, or `nil` before the first one and after it was dismissed.
    package var notice: Notice?
    /// The reply to the last command, or `nil` if it failed.
    package private(set) var reply: FlagsBrowserReply?
    /// The edit that was refused because somebody else changed the flag. If the user repeats it, it is performed.
    private(set) var contested: FlagsBrowserCommand?
    /// The last preview that was requested, with the revision for which it was, and its result.
    var preview: (request: FlagsBrowserRequest, revision: Int, result: Result<FlagsBrowserPreview, FlagsBrowserError>?)?
    private var search: FlagsBrowserSearch?
    /// Whether a snapshot is being fetched, and whether one more must be fetched afterwards.
    private var (isFetching, isOutdated) = (false, false)

    /// Creates a screen.
    ///
    /// - Parameter author: The author of edits, or `nil` for none.
    package init(author: FlagsBrowserAuthor? = nil) {
        self.author = author
    }

    /// The filter of the list. Setting it updates the list.
    package var filter = FlagsBrowserFilter() {
        didSet { if filter != oldValue { list() } }
    }

    /// The flag whose details are shown, or `nil` if there is none.
    package var selected: FlagsBrowserFlag? { selection.flatMap { snapshot?.flag(id: $0) } }

    /// The provider that edits of a flag go to, or `nil` if there is none.
    package func destination(of flag: FlagsBrowserFlag) -> String? {
        destination ?? snapshot?.section(id: flag.section)?.defaultDestination
    }

    /// Returns the effect that loads a new snapshot, unless one is being loaded; then another one follows it.
    package mutating func refresh() -> [Effect] {
        isOutdated = isFetching
        guard !isFetching else { return [] }
        isFetching = true
        return [.fetch]
    }

    /// Takes an event, and returns the effects that it requires.
    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .changed(let revision): return revision == snapshot?.revision ? [] : refresh()
        case .fetched(let snapshot):
            isFetching = false
            receive(snapshot)
            return (isOutdated ? refresh() : []) + askForPreview()
        case .loaded(.success(let flag)): if selection == flag.id { begin(FlagsBrowserDraft(flag)) }
        case .loaded(.failure(let error)): notice = Notice(.failure, error.message)
        case .previewed(let request, let result):
            if preview?.request == request { preview?.result = result }
        case .performed(let request, let result):
            receive(result, of: request.command)
            return refresh() + askForPreview()
        }
        return askForPreview()
    }

    private mutating func receive(_ new: FlagsBrowserSnapshot) {
        // Snapshots may arrive out of order.
        if let snapshot, new.revision < snapshot.revision, new.time < snapshot.time { return }
        if snapshot?.flags != new.flags || snapshot?.sections != new.sections {
            facets = FlagsBrowserCounts(of: new).facets.map(\.facet)
        }
        if snapshot?.flags == new.flags { search?.snapshot = new } else { search = nil }
        snapshot = new
        if let destination, !new.destinations.contains(where: { $0.id == destination }) { self.destination = nil }
        if let id = draft?.flag.id, let flag = new.flag(id: id) { draft?.follow(flag) }
        list()
    }

    private mutating func receive(
        _ result: Result<FlagsBrowserReply, FlagsBrowserError>, of command: FlagsBrowserCommand
    ) {
        contested = nil
        reply = nil
        let isDraft = draft?.saving == command
        switch result {
        case .success(let reply):
            self.reply = reply
            if isDraft { draft = nil }
            notice = Notice(.done, reply.message)
        case .failure(let error):
            if error.code == .editConflict { contested = command }
            if isDraft {
                draft?.refuse(error)
                return
            }
            notice = Notice(.failure, error.message)
            if contested != nil {
                question = Question(kind: .overwrite, text: FlagsBrowserText.writeAnyway.asked, command: command)
            } else if command == .undo(), [.undoConflict, .unknownFlag, .unknownDestination].contains(error.code) {
                question = Question(
                    kind: .undo, text: FlagsBrowserText.undoAnyway.asked, command: .undo(isForced: true))
            }
        }
    }

    private mutating func list() {
        guard let snapshot else { return }
        if !filter.text.isEmpty, search == nil { search = FlagsBrowserSearch(snapshot) }
        listing = FlagsBrowserListing(of: snapshot, matching: filter, search: filter.text.isEmpty ? nil : search)
    }

    /// Returns the request for a command, with the author, and with the value that the user saw if the command changes
    /// one flag. An edit that the user repeats after it was refused overwrites any value.
    package func request(for command: FlagsBrowserCommand) -> FlagsBrowserRequest {
        var request = FlagsBrowserRequest(command, author: author)
        let (id, chosen): (String, String?)
        switch command {
        case .set(let flag, _, let destination), .reset(let flag, let destination): (id, chosen) = (flag, destination)
        default: return request
        }
        let seen = draft?.command(destination: destination) == command ? draft?.seen : snapshot?.flag(id: id)
        guard command != contested, let seen, let provider = chosen ?? self.destination(of: seen) else {
            return request
        }
        let answer = seen.answer(of: provider)
        request.expected = FlagsBrowserExpectation(value: answer?.value, expires: answer?.expires)
        return request
    }

    /// Returns the effect that performs a command.
    package func perform(_ command: FlagsBrowserCommand) -> [Effect] { [.perform(request(for: command))] }

    /// Asks whether values shall be removed, or says why they can't be.
    package mutating func confirm(_ command: FlagsBrowserCommand) {
        guard snapshot?.readOnlyReason == nil else {
            notice = snapshot?.readOnlyReason.map { Notice(.failure, $0.message) }
            return
        }
        let text: String
        switch command {
        case .reset(let id, _): text = FlagsBrowserText.resetFlag.with(snapshot?.flag(id: id)?.name ?? id)
        case .resetGroup(let id, _):
            let groups = snapshot?.sections.flatMap { [($0.id, $0.title)] + $0.groups.map { ($0.id, $0.title) } }
            text = FlagsBrowserText.resetAll.with(groups?.first { $0.0 == id }?.1 ?? id)
        default: text = FlagsBrowserText.resetEverything.rawValue
        }
        question = Question(kind: .reset, text: text, command: command)
    }

    /// Answers the question.
    package mutating func answer(_ isYes: Bool) -> [Effect] {
        guard let asked = question else { return [] }
        question = nil
        if isYes { return perform(asked.command) }
        notice = Notice(.hint, FlagsBrowserText.nothingChanged.rawValue)
        return []
    }
}
