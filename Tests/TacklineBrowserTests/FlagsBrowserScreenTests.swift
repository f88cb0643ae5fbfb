import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

/// A screen with its browser, as a user interface has it.
private struct Shown {
    let browser: FlagsBrowser
    var screen: FlagsBrowserScreen
    private(set) var effects: [FlagsBrowserScreen.Effect] = []

    init(_ browser: FlagsBrowser, author: FlagsBrowserAuthor? = nil) async {
        self.browser = browser
        screen = FlagsBrowserScreen(author: author)
        await take { $0.refresh() }
    }

    /// Changes the screen, and returns when all effects of that are done.
    mutating func take(_ change: (inout FlagsBrowserScreen) -> [FlagsBrowserScreen.Effect]) async {
        for effect in change(&screen) + screen.askForPreview() {
            effects.append(effect)
            let event = await effect.event(from: browser)
            await take { $0.receive(event) }
        }
    }

    mutating func perform(_ command: FlagsBrowserCommand) async { await take { $0.perform(command) } }

    mutating func edit(_ id: String, _ text: String? = nil) async {
        screen.draft = nil
        screen.selection = id
        await take { $0.beginEditing() }
        guard let text else { return }
        screen.draft?.text = text
        await take { _ in [] }
    }
}

@Suite("The screen of the browser", .hangLimit) struct FlagsBrowserScreenTests {
    @Test("lists sections and groups, pinned flags first, and what is found in one part")
    func listing() async throws {
        let bench = Bench()
        var shown = await Shown(bench.browser)
        #expect(shown.screen.listing?.parts.map(\.title) == ["Shop", "Shop › secrets", "Shop › secrets › deep"])
        #expect(shown.screen.listing?.parts.map(\.name) == ["Shop", "secrets", "deep"])
        #expect(shown.screen.listing?.parts.map(\.depth) == [0, 1, 2])
        #expect(shown.screen.listing?.count == 9)
        await shown.perform(.pin(flag: "BrowserFlags:shop", isPinned: true))
        #expect(shown.screen.listing?.parts.first?.title == "Pinned" && shown.screen.listing?.count == 9)
        shown.screen.filter.text = "payment"
        #expect(shown.screen.listing?.parts.map(\.title) == ["2 flags found"])
        #expect(shown.screen.listing?.parts.first?.flags.map(\.key) == ["new_checkout", "attempts"])
        shown.screen.filter.text = "nothing at all"
        #expect(shown.screen.listing?.parts == [])
        shown.screen.filter.text = ""
        for facet in shown.screen.facets {
            shown.screen.filter[facet].toggle()
            #expect(shown.screen.filter[facet], "\(facet)")
            if case .order = facet {} else { #expect(!shown.screen.filter.isEmpty, "\(facet)") }
            shown.screen.filter[facet].toggle()
        }
        #expect(shown.screen.filter.isEmpty && shown.screen.facets.contains(.source(.provider("remote"))))
    }

    @Test("offers only filters that can apply, with the number of flags to which each does")
    func facets() throws {
        let bench = Bench()
        bench.remote.memory.setValue("many", for: "attempts")
        try bench.overrides.setValue("x", for: "title")
        bench.remote.memory.setValue("y", for: "title")
        let snapshot = bench.browser.snapshot()
        let counts = FlagsBrowserCounts(of: snapshot)
        for (facet, count) in counts.facets {
            var filter = FlagsBrowserFilter()
            filter[facet] = true
            #expect(snapshot.flags(matching: filter).count == count, "\(facet)")
        }
        let facets = counts.facets.map(\.facet)
        #expect(facets.contains(.refused) && facets.contains(.differs(from: "remote")))
        #expect(facets.contains(.source(.default)) && !facets.contains(.source(.computed)))
        #expect(!facets.contains(.differs(from: "overrides")))
        #expect(counts.groups.map(\.flags) == [6, 2, 1] && counts.groups.map(\.overridden) == [1, 0, 0])
    }

    @Test("loads one snapshot at a time, once more if something changed meanwhile, and keeps the newer")
    func follows() async throws {
        let bench = Bench()
        var screen = FlagsBrowserScreen()
        #expect(screen.receive(.changed(revision: 0)) == [.fetch])
        #expect(screen.receive(.changed(revision: 1)) == [])
        var old = bench.browser.snapshot()
        old.time -= 1
        #expect(screen.receive(.fetched(old)) == [.fetch])
        bench.remote.memory.setValue(44, for: "attempts")
        #expect(screen.receive(.fetched(bench.browser.snapshot())) == [])
        #expect(screen.snapshot?.flags.first { $0.key == "attempts" }?.value.text == "44")
        _ = screen.receive(.fetched(old))
        #expect(screen.snapshot?.flags.first { $0.key == "attempts" }?.value.text == "44")
        let revision = try #require(screen.snapshot?.revision)
        #expect(screen.receive(.changed(revision: revision)) == [])
        #expect(screen.receive(.changed(revision: revision + 1)) == [.fetch])
    }

    @Test("tells what came of a command, good or bad, and offers to force an undo that was refused")
    func notices() async throws {
        let bench = Bench()
        var shown = await Shown(bench.browser)
        await shown.edit("BrowserFlags:attempts")
        #expect(shown.screen.draft?.text == "3" && shown.screen.draft?.isChanged == false)
        await shown.edit("BrowserFlags:attempts", "abc")
        #expect(shown.screen.draft?.isChanged == true && shown.screen.outlook?.kind == .failure)
        await shown.take { $0.save() }
        #expect(shown.screen.draft?.error?.message.contains("found \"abc\"") == true && shown.screen.notice == nil)
        shown.screen.draft?.text = "7"
        await shown.take { _ in [] }
        #expect(shown.screen.outlook?.text.hasPrefix("The flag becomes 7") == true)
        await shown.take { $0.save() }
        #expect(shown.screen.draft == nil && shown.screen.notice?.text == #"Set "attempts" to 7 in "overrides"."#)
        #expect(shown.screen.selected.flatMap(shown.screen.resettable) == "overrides")
        try bench.overrides.setValue(8, for: "attempts")
        await shown.perform(.undo())
        #expect(shown.screen.question?.kind == .undo && shown.screen.question?.yes == .undoAnyway)
        await shown.take { $0.answer(true) }
        #expect(shown.screen.snapshot?.undo == nil && bench.loader.attempts == 3)
        #expect(shown.screen.selected.flatMap(shown.screen.resettable) == nil)
        shown.screen.destination = "region"
        await shown.edit("BrowserFlags:attempts", "7")
        await shown.take { $0.save() }
        #expect(bench.region.value(for: "attempts") == 7)
        shown.screen.confirm(.resetAll(destination: nil))
        #expect(shown.screen.question?.text == "Reset all flags?")
        await shown.take { $0.answer(false) }
        #expect(shown.screen.notice?.text == "Nothing was changed." && bench.region.value(for: "attempts") == 7)
    }

    @Test("asks before somebody else's change is overwritten, and says what would be replaced")
    func overwriting() async throws {
        let bench = Bench()
        let bea = FlagsBrowserAuthor(id: "bea", name: "Bea")
        var shown = await Shown(bench.browser, author: FlagsBrowserAuthor(id: "ada"))
        await shown.edit("BrowserFlags:attempts", "9")
        _ = try await bench.browser.perform(
            FlagsBrowserRequest(.set(flag: "BrowserFlags:attempts", to: .text("5")), author: bea))
        await shown.take { $0.refresh() }
        #expect(shown.screen.draft?.text == "9" && shown.screen.draft?.flag.value.text == "5")
        #expect(
            shown.screen.outlook?.text
                == "“overrides” held nothing when you began, and holds 5 now. You will be asked before it is overwritten."
        )
        await shown.take { $0.save() }
        #expect(shown.screen.draft?.isConflict == true && shown.screen.draft?.text == "9")
        #expect(bench.loader.attempts == 5)
        await shown.take { $0.save() }
        #expect(shown.screen.draft == nil && bench.loader.attempts == 9)
        var request = FlagsBrowserRequest(.set(flag: "BrowserFlags:attempts", to: .text("6")), author: bea)
        let others = try bench.browser.preview(request).replaces
        request.author = shown.screen.author
        let own = try bench.browser.preview(request).replaces
        #expect(others == "Replaces 9 in “overrides”, last edited by somebody else.")
        #expect(own == "Replaces 9 in “overrides”, last edited by you.")
        // A draft that was not touched follows the flag.
        await shown.edit("BrowserFlags:attempts")
        try bench.overrides.setValue(4, for: "attempts")
        await shown.take { $0.refresh() }
        #expect(shown.screen.draft?.text == "4")
    }

    @Test("edits each control as a draft within the bounds of the type")
    func drafts() async throws {
        let bench = Bench()
        bench.region.setValue(254, for: "attempts")
        let browser = bench.browser
        func draft(_ key: String) throws -> FlagsBrowserDraft {
            FlagsBrowserDraft(try browser.flag(id: "BrowserFlags:" + key))
        }
        var number = try draft("attempts")
        for _ in 0..<3 { number.step(by: 1) }
        #expect(number.text == "255")
        for _ in 0..<300 { number.step(by: -1) }
        #expect(number.text == "0")
        number.text = "many"
        number.step(by: 1)
        #expect(number.text == "1" && number.options.isEmpty)
        var shop = try draft("shop")
        #expect(!shop.hasValue && shop.input == .value(.null))
        shop.text = "9223372036854775807"
        shop.step(by: 1)
        #expect(shop.input == .text("9223372036854775807") && shop.isChanged)
        var toggle = try draft("new_checkout")
        #expect(toggle.options.map(\.label) == ["true", "false"] && toggle.choice == 1)
        toggle.isOn = true
        #expect(toggle.input == .text("true") && toggle.choice == 0)
        var date = try draft("secrets/deep/launch")
        #expect(date.date == Date(timeIntervalSinceReferenceDate: 0))
        date.date = Date(timeIntervalSinceReferenceDate: 60)
        #expect(date.text == "2001-01-01T00:01:00Z")
        var shown = await Shown(browser)
        await shown.edit("BrowserFlags:none")
        #expect(shown.screen.draft == nil)
    }

    @Test("edits a value in full that a snapshot shortens")
    func longValues() async throws {
        let bench = Bench()
        let long = String(repeating: "long ", count: 10_000)
        bench.region.setValue(.string(long), for: "title")
        var shown = await Shown(bench.browser)
        await shown.edit("BrowserFlags:title")
        #expect(shown.screen.draft?.text == long && shown.effects.contains(.load(flag: "BrowserFlags:title")))
    }

    @Test("is available where the rule says so, and by default where overrides are allowed")
    func availability() {
        func browser(_ environment: DeploymentEnvironment) -> FlagsBrowser {
            FlagsBrowser(
                FlagsLoader(
                    SearchFlags.self, environment: environment, providers: [], issueReporter: .silent))
        }
        let rule = FlagsBrowserAvailability.whereOverridesAreAllowed
        #expect(rule.admits(browser(.nonProduction)) && rule.admits(browser(.simulator)))
        #expect(!rule.admits(browser(.production)))
        #expect(rule.admits(browser(.production.dangerouslyAdmittingOverridesInProduction())))
        #expect(FlagsBrowserAvailability.dangerouslyEverywhere.admits(browser(.production)))
        let staging = browser(.init(name: "staging", isProduction: true))
        #expect(FlagsBrowserAvailability { $0.name == "staging" }.admits(staging) && !rule.admits(staging))
    }
}
