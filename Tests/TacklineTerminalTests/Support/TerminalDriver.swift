import TacklineBrowser
import TacklineCore
import TacklineMemory

@testable import TacklineTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Drives the state as the session does, one step after the other, and shows what would be on the screen.
struct TerminalDriver {
    let overrides = MemoryProvider(name: "overrides")
    let remote = MemoryProvider(name: "remote")
    let loader: FlagsLoader<AppFlags>
    let browser: any FlagsBrowserBackend
    var state: BrowserState
    var drawing = BrowserDrawing(clock: ClockText(isUniversal: true))
    private(set) var hasQuit = false
    private(set) var effects: [BrowserEffect] = []

    /// - Parameter rules: A provider behind the others.
    init(columns: Int = 80, rows: Int = 24, rules: (any FlagProvider)? = nil) async throws {
        loader = FlagsLoader(
            AppFlags.self, description: .init(name: "Shop", description: "What customers see"),
            providers: ProviderChain([overrides, remote] + (rules.map { [$0] } ?? [])))
        var configuration = FlagsBrowserConfiguration(title: "Shop flags")
        configuration.now = { Date(timeIntervalSince1970: 1_795_000_000) }
        browser = FlagsBrowser(loader, configuration: configuration)
        state = BrowserState(
            size: TerminalSize(columns: columns, rows: rows), author: FlagsBrowserAuthor(id: "driver"))
        try await refresh()
    }

    /// Takes a new snapshot, as after a change.
    mutating func refresh() async throws {
        state.receive(try await browser.snapshot())
        await settle()
    }

    /// Presses keys; the last of what they cause is done when it returns.
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
        for effect in state.askForPreview() + state.askForReasons() { await perform(effect) }
    }

    private mutating func perform(_ effect: BrowserEffect) async {
        effects.append(effect)
        switch effect {
        case .quit: hasQuit = true
        case .redraw, .suspend, .copy: break
        case .preview(let command):
            do throws(FlagsBrowserError) {
                state.receive(.success(try await browser.preview(command)), of: command)
            } catch {
                state.receive(Result<FlagsBrowserPreview, FlagsBrowserError>.failure(error), of: command)
            }
        case .explain(let question):
            state.receive(try? await browser.reasons(for: question), to: question)
        case .perform(let command):
            do throws(FlagsBrowserError) {
                state.receive(.success(try await browser.perform(state.request(for: command))), of: command)
            } catch {
                state.receive(Result<FlagsBrowserReply, FlagsBrowserError>.failure(error), of: command)
            }
        case .load(let flag):
            do throws(FlagsBrowserError) {
                state.receive(loaded: .success(try await browser.flag(id: flag)))
            } catch {
                state.receive(loaded: .failure(error))
            }
        }
    }

    /// The lines on the screen.
    mutating func screen() -> [String] {
        drawing.draw(&state).lines
    }

    mutating func text() -> String {
        screen().joined(separator: "\n")
    }
}
