import Observation
import TacklineCore

/// The state of the browser's screen: the list, the filter, the draft and messages.
@MainActor @Observable
package final class FlagsBrowserScreen {
    @ObservationIgnored package let browser: FlagsBrowser
    /// The snapshot that is shown, or `nil` until the first one has arrived.
    package private(set) var snapshot: FlagsBrowserSnapshot?
    /// The listed flags with their headings.
    package private(set) var parts: [FlagsBrowserPart] = []
    /// The filter of the list.
    package var filter = FlagsBrowserFilter() { didSet { if filter != oldValue { list() } } }
    /// The id of the provider that edits go to, or `nil` for the default one of each section.
    package var destination: String? { didSet { moveDraft() } }
    /// The value that is being edited, or `nil` if none is.
    package var draft: FlagsBrowserDraft?
    /// The effect that the draft would have, or the reason why it can't be applied; `nil` until it is known.
    package private(set) var outlook: Result<FlagsBrowserPreview, FlagsBrowserError>?
    /// The message of the last command if it failed, until it was read.
    package var failure: String?
    /// The last edit that can be undone, with its message.
    package private(set) var lastEdit: (message: String, undo: FlagsBrowserCommand)?
    /// The commands that views began, one after the other.
    @ObservationIgnored private var lastCommand: Task<Void, Never>?

    package init(_ browser: FlagsBrowser) { self.browser = browser }

    /// Follows the browser until the task is cancelled.
    package func follow() async {
        for await _ in browser.updates() {
            guard !Task.isCancelled else { return }
            await refresh()
        }
    }

    /// Loads and shows a new snapshot.
    package func refresh() async {
        let taken = await Self.result { [browser] in browser.snapshot() }
        // Snapshots may arrive out of order.
        guard case .success(let new) = taken, snapshot.map({ $0.revision <= new.revision }) ?? true else { return }
        snapshot = new
        list()
        if let destination, !new.destinations.contains(where: { $0.id == destination }) { self.destination = nil }
        guard let id = draft?.flag.id else { return }
        if let flag = new.flag(id: id) { draft?.follow(flag) }
        await look()
    }

    private func list() { parts = snapshot.map { filter.parts(of: $0) } ?? [] }

    /// Calls the browser away from the main actor, because it asks providers. Nothing waits for the disk.
    @concurrent
    private static func result<Success: Sendable>(
        _ call: @Sendable () async throws(FlagsBrowserError) -> Success
    ) async -> Result<Success, FlagsBrowserError> {
        await DeferredFlagWrites.$areOn.withValue(true) {
            do throws(FlagsBrowserError) { return .success(try await call()) } catch { return .failure(error) }
        }
    }

    // MARK: Commands

    /// Performs a command after those that were begun before.
    package func begin(_ command: FlagsBrowserCommand) { enqueue { await self.perform(command) } }

    private func enqueue(_ work: @escaping @MainActor () async -> Void) {
        let earlier = lastCommand
        lastCommand = Task {
            await earlier?.value
            await work()
        }
    }

    /// Waits until all commands that were begun are done.
    package func finish() async { await lastCommand?.value }

    /// Performs a command, and returns its reply. The reply doesn't wait for the disk: files are written soon after it.
    @discardableResult
    package func perform(_ command: FlagsBrowserCommand) async -> Result<FlagsBrowserReply, FlagsBrowserError> {
        let result = await Self.result { [browser] () async throws(FlagsBrowserError) in
            try await browser.perform(command)
        }
        guard !command.isReading else { return result }
        switch result {
        case .success(let reply):
            if let undo = reply.undo { lastEdit = (reply.message, undo) }
            await refresh()
        case .failure(let error): failure = error.message
        }
        return result
    }

    /// Undoes the last edit.
    package func undo() { if let lastEdit { begin(lastEdit.undo) } }

    /// Returns what a command would do, or why it would be refused.
    package func outlook(
        of command: FlagsBrowserCommand
    ) async -> Result<FlagsBrowserPreview, FlagsBrowserError> {
        await Self.result { [browser] () async throws(FlagsBrowserError) in try browser.preview(command) }
    }

    /// The switch of a flag: setting it sets the flag, which then expires when the value before did.
    package subscript(isOn flag: FlagsBrowserFlag) -> Bool {
        get { (snapshot?.flag(id: flag.id) ?? flag).value.input == "true" }
        set {
            var draft = FlagsBrowserDraft(flag, destination: destination(of: flag))
            draft.isOn = newValue
            begin(draft.command)
        }
    }

    /// Returns the provider from which a reset of a flag would remove a value; `nil` if there is nothing to reset.
    package func resettable(_ flag: FlagsBrowserFlag) -> String? {
        guard flag.isEditable, let provider = destination(of: flag) else { return nil }
        return flag.answer(of: provider)?.value == nil ? nil : provider
    }

    /// Returns the provider that edits of a flag go to, or `nil` if there is none.
    private func destination(of flag: FlagsBrowserFlag) -> String? {
        destination ?? snapshot?.sections.first { $0.id == flag.section }?.defaultDestination
    }

    // MARK: Drafts

    /// Whether a value of the draft's destination can expire.
    package var keepsExpiry: Bool {
        snapshot?.destinations.contains { $0.id == draft?.destination && $0.keepsExpiry } ?? false
    }

    /// Begins a draft of a flag if it can be edited. A draft of the same flag stays.
    package func open(_ id: String) async {
        if draft?.flag.id != id || snapshot?.flag(id: id)?.isEditable != true { startDraft(id) }
        await look()
    }

    private func startDraft(_ id: String) {
        let flag = snapshot?.flag(id: id)
        draft = flag.flatMap { $0.isEditable ? FlagsBrowserDraft($0, destination: destination(of: $0)) : nil }
    }

    /// Whether the draft was edited and can be applied.
    package var canSave: Bool { if case .success? = outlook { draft?.isChanged == true } else { false } }

    private func moveDraft() {
        if let flag = draft?.flag { draft?.move(to: destination(of: flag)) }
    }

    /// Finds out what the draft would do.
    package func look() async {
        guard let command = draft?.command else { return outlook = nil }
        let result = await outlook(of: command)
        if draft?.command == command { outlook = result }
    }

    /// Saves the draft, and begins a new one. If the draft can't be saved, it stays.
    package func save() {
        guard let saved = draft else { return }
        enqueue {
            guard case .success = await self.perform(saved.command) else { return }
            // What was typed meanwhile stays.
            if self.draft?.command == saved.command { self.startDraft(saved.flag.id) }
            await self.look()
        }
    }
}
