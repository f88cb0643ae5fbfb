import Observation
package import TacklineBrowser
import TacklineCore

/// The browser's screen, observed by views.
@MainActor @Observable
package final class FlagsBrowserViewState {
    @ObservationIgnored private let observed: FlagsBrowserScreen
    /// Counts the changes of the screen: what views depend on.
    private var changeCount = 0
    /// The commands that views began, one after the other.
    @ObservationIgnored private var lastCommand: Task<Void, Never>?

    package init(_ backend: any FlagsBrowserBackend) {
        observed = FlagsBrowserScreen(backend, durability: .deferred)
        observed.didChange = { [weak self] in self?.changeCount += 1 }
    }

    /// The screen. Reading it depends on all of it.
    package var screen: FlagsBrowserScreen {
        _ = changeCount
        return observed
    }

    /// What is listed.
    package var filter: FlagsBrowserFilter {
        get { screen.filter }
        set { observed.filter = newValue }
    }

    /// The id of the provider that edits go to; `nil` for the one that each section has by default.
    package var destination: String? {
        get { screen.destination }
        set { observed.destination = newValue }
    }

    /// Whether there is something to read about the last command. Only failures are shown; what succeeds is seen.
    package var isShowingFailure: Bool {
        get { screen.notice?.isFailure ?? false }
        set { if !newValue, observed.notice != nil { observed.dismissNotice() } }
    }

    /// Whether only flags of a kind are listed.
    package subscript(isListing control: FlagsBrowserControl.Kind) -> Bool {
        get { filter.controls.contains(control) }
        set { if newValue { filter.controls.insert(control) } else { filter.controls.remove(control) } }
    }

    /// Whether only flags with a value from a provider are listed.
    package subscript(isListingProvider id: String) -> Bool {
        get { filter.providers.contains(id) }
        set { if newValue { filter.providers.insert(id) } else { filter.providers.remove(id) } }
    }

    /// The switch of a flag: setting it sets the flag.
    package subscript(isOn flag: FlagsBrowserFlag) -> Bool {
        get { (screen.snapshot?.flag(id: flag.id) ?? flag).value.input == "true" }
        set { begin(.set(flag: flag.id, to: .value(.bool(newValue)), destination: destination)) }
    }

    /// Does a command after those that were begun before.
    package func begin(_ command: FlagsBrowserCommand) {
        let earlier = lastCommand
        lastCommand = Task { [observed] in
            await earlier?.value
            await observed.perform(command)
        }
    }

    /// Performs a command now. The reply doesn't wait for the disk: files are written soon after it.
    @discardableResult
    package func perform(_ command: FlagsBrowserCommand) async -> FlagsBrowserReply? {
        await observed.perform(command)
    }

    /// Waits until all commands that were begun are done.
    package func finish() async {
        await lastCommand?.value
    }
}
