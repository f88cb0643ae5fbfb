import TacklineBrowser
import TacklineCore
import TacklineMemory

@testable import TacklineTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A driver that runs the state as the session does, one step at a time, and returns the content of the screen.
struct TerminalDriver {
    let overrides = MemoryProvider(name: "overrides")
    let remote = MemoryProvider(name: "remote")
    let loader: FlagsLoader<AppFlags>
    let browser: any FlagsBrowserBackend
    var state: BrowserState
    var drawing = BrowserDrawing(clock: ClockText(isUniversal: true))
    private(set) var hasQuit = false
    private(set) var effects: [BrowserEffect] = []

    /// - Parameters:
    ///   - rules: A provider at the end of the chain; `nil` for none.
    ///   - launchGuard: The guard of the values; `nil` for none.
    init(
        columns: Int = 80, rows: Int = 24, rules: (any FlagProvider)? = nil,
        launchGuard: (any FlagValueGuard)? = nil
    ) async throws {
        loader = FlagsLoader(
            AppFlags.self, description: .init(name: "Shop", description: "What customers see"),
            keyConfiguration: KeyConfiguration(),
            providers: ProviderChain([overrides, remote] + (rules.map { [$0] } ?? [])), observation: .automatic,
            issueReporter: .current, observers: [], guardedBy: launchGuard)
        var configuration = FlagsBrowserConfiguration(title: "Shop flags")
        configuration.now = { Date(timeIntervalSince1970: 1_795_000_000) }
        browser = FlagsBrowser(loader, configuration: configuration)
        state = BrowserState(
            size: TerminalSize(columns: columns, rows: rows), author: FlagsBrowserAuthor(id: "driver"))
        try await refresh()
    }

    /// Fetches a new snapshot, as after a change.
    mutating func refresh() async throws {
        for effect in state.receive(.fetched(.success(try await browser.snapshot()))) { await perform(effect) }
        await settle()
    }

    /// Presses keys, and returns after their effects are done.
    mutating func press(_ keys: TerminalKey...) async throws {
        for key in keys {
            for effect in state.take(key) { await perform(effect) }
            try await refresh()
        }
    }

    mutating func type(_ text: String) async throws {
        for character in text { try await press(.character(character)) }
    }

    private mutating func settle() async {
        for effect in state.screen.askForPreview().inTerminal + state.askForReasons() { await perform(effect) }
    }

    mutating func perform(_ effect: BrowserEffect) async {
        effects.append(effect)
        switch effect {
        case .quit: hasQuit = true
        case .redraw, .suspend, .copy: break
        case .explain(let question):
            state.receive(try? await browser.reasons(for: question), to: question)
        case .screen(let effect):
            for next in state.receive(await effect.event(from: browser)) { await perform(next) }
        }
    }

    /// Returns the lines on the screen.
    mutating func screen() -> [String] {
        drawing.draw(&state).lines
    }

    mutating func text() -> String {
        screen().joined(separator: "\n")
    }
}
