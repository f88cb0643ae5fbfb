import Observation
package import TacklineBrowser
import TacklineCore

/// The browser's screen, observed by views, with the browser.
@MainActor @Observable
package final class FlagsBrowserViewState {
    @ObservationIgnored private let browser: FlagsBrowser
    /// The state that the views show.
    package private(set) var screen = FlagsBrowserScreen()
    /// The commands that views began, one after the other.
    @ObservationIgnored private var lastCommand: Task<Void, Never>?

    package init(_ browser: FlagsBrowser) {
        self.browser = browser
    }

    /// Follows the browser until the task is cancelled.
    package func follow() async {
        for await revision in browser.updates() {
            guard !Task.isCancelled else { return }
            await carryOut(screen.receive(.changed(revision: revision)))
        }
    }

    /// Loads and shows a new snapshot.
    package func refresh() async { await carryOut(screen.refresh()) }

    private func carryOut(_ effects: [FlagsBrowserScreen.Effect]) async {
        for effect in effects {
            // A view doesn't wait for the disk.
            let event = await DeferredFlagWrites.$areOn.withValue(true) { await effect.event(from: browser) }
            await carryOut(screen.receive(event))
        }
    }

    /// Carries out the effects of a change of the screen after those that were begun before.
    private func begin(_ change: @escaping @MainActor (inout FlagsBrowserScreen) -> [FlagsBrowserScreen.Effect]) {
        let earlier = lastCommand
        lastCommand = Task {
            await earlier?.value
            await carryOut(change(&screen))
        }
    }

    /// Performs a command after those that were begun before.
    package func begin(_ command: FlagsBrowserCommand) { begin { $0.perform(command) } }

    /// Waits until all commands that were begun are done.
    package func finish() async { await lastCommand?.value }

    /// Performs a command, and returns its reply; `nil` if it failed. The reply doesn't wait for the disk: files are
    /// written soon after it.
    @discardableResult
    package func perform(_ command: FlagsBrowserCommand) async -> FlagsBrowserReply? {
        await carryOut(screen.perform(command))
        return screen.reply
    }

    /// Returns what a command would do, or why it would be refused.
    package func outlook(of command: FlagsBrowserCommand) async -> String {
        guard
            case .previewed(_, let result) =
                await FlagsBrowserScreen.Effect.preview(screen.request(for: command)).event(from: browser)
        else { return "" }
        switch result {
        case .success(let preview): return preview.message
        case .failure(let error): return error.message
        }
    }

    // MARK: Bindings

    /// The filter of the list.
    package var filter: FlagsBrowserFilter {
        get { screen.filter }
        set { screen.filter = newValue }
    }

    /// The id of the provider that edits go to, or `nil` for the default one of each section.
    package var destination: String? {
        get { screen.destination }
        set {
            screen.destination = newValue
            begin { $0.askForPreview() }
        }
    }

    /// Whether the failure of the last command is shown. A success is visible in the list.
    package var isShowingFailure: Bool {
        get { screen.notice?.kind == .failure }
        set { if !newValue, screen.notice != nil { (screen.notice, screen.question) = (nil, nil) } }
    }

    /// Whether a reset is asked about.
    package var isConfirmingReset: Bool {
        get { screen.question?.kind == .reset }
        set { if !newValue, isConfirmingReset { screen.question = nil } }
    }

    /// Asks about the reset of all flags.
    package func confirmReset() { screen.confirm(.resetAll(destination: destination)) }

    /// Performs the command of a question.
    package func agree(to question: FlagsBrowserScreen.Question) {
        screen.question = nil
        begin(question.command)
    }

    /// The switch of a flag: setting it sets the flag.
    package subscript(isOn flag: FlagsBrowserFlag) -> Bool {
        get { (screen.snapshot?.flag(id: flag.id) ?? flag).value.input == "true" }
        set { begin(.set(flag: flag.id, to: .value(.bool(newValue)), destination: destination)) }
    }

    // MARK: Drafts

    /// The draft of the flag whose details are shown.
    package var draft: FlagsBrowserDraft? {
        get { screen.draft }
        set {
            screen.draft = newValue
            begin { $0.askForPreview() }
        }
    }

    /// Shows the details of a flag, with a draft of its value if it can be edited. A draft that was edited stays.
    package func open(_ id: String) async {
        if screen.selection != id { screen.draft = nil }
        screen.selection = id
        guard screen.draft == nil, screen.selected?.isEditable == true else { return }
        await carryOut(screen.beginEditing())
    }

    /// Saves the draft, and begins a new one.
    package func save() {
        begin { $0.save() }
        begin { screen in screen.draft == nil && screen.selected != nil ? screen.beginEditing() : [] }
    }
}
