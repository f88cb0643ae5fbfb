import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

@MainActor
@Suite("The screen of the browser", .hangLimit) struct FlagsBrowserScreenTests {
    @Test("lists sections and groups, pinned flags first, and what is found in one part")
    func listing() async throws {
        let bench = Bench()
        let screen = FlagsBrowserScreen(bench.browser)
        await screen.refresh()
        #expect(screen.listing?.parts.map(\.title) == ["Shop", "Shop › secrets", "Shop › secrets › deep"])
        #expect(screen.listing?.count == 9)
        await screen.perform(.pin(flag: "BrowserFlags:shop", isPinned: true))
        #expect(screen.listing?.parts.first?.title == "Pinned" && screen.listing?.count == 9)
        screen.filter.text = "payment"
        #expect(screen.listing?.parts.map(\.title) == ["2 flags found"])
        #expect(screen.listing?.parts.first?.flags.map(\.key) == ["new_checkout", "attempts"])
        screen.filter.text = "nothing at all"
        #expect(screen.listing?.parts == [])
    }

    @Test("follows the browser until it is told to stop")
    func follows() async throws {
        let bench = Bench()
        let screen = FlagsBrowserScreen(bench.browser)
        let (changes, continuation) = AsyncStream.makeStream(of: String?.self)
        screen.didChange = { [weak screen] in
            continuation.yield(screen?.snapshot?.flags.first { $0.key == "attempts" }?.value.text)
        }
        let task = Task { await screen.follow() }
        bench.remote.memory.setValue(44, for: "attempts")
        for await text in changes where text == "44" { break }
        task.cancel()
        await task.value
        #expect(screen.disconnection == nil)
    }

    @Test("tells what came of a command, good or bad, and offers to force an undo that was refused")
    func notices() async throws {
        let bench = Bench()
        let screen = FlagsBrowserScreen(bench.browser)
        await screen.refresh()
        var draft = try #require(await screen.draft(ofFlag: "BrowserFlags:attempts"))
        #expect(draft.text == "3" && !draft.isChanged)
        draft.text = "abc"
        #expect(draft.isChanged)
        #expect(await screen.outlook(of: screen.command(for: draft)).isFailure)
        #expect(await screen.perform(screen.command(for: draft)) == nil)
        #expect(screen.notice?.isFailure == true && screen.notice?.message.contains("found \"abc\"") == true)
        draft.text = "7"
        #expect(await screen.outlook(of: screen.command(for: draft)).message.hasPrefix("The flag becomes 7"))
        #expect(await screen.perform(screen.command(for: draft)) != nil)
        #expect(screen.notice?.message == #"Set "attempts" to 7 in "overrides"."#)
        try bench.overrides.setValue(8, for: "attempts")
        await screen.perform(.undo())
        #expect(screen.notice?.canForceUndo == true)
        await screen.perform(.undo(isForced: true))
        #expect(screen.snapshot?.undo == nil && bench.loader.attempts == 3)
        screen.dismissNotice()
        #expect(screen.notice == nil)
        screen.destination = "region"
        await screen.perform(screen.command(for: draft))
        #expect(bench.region.value(for: "attempts") == 7)
    }

    @Test("edits each control as a draft within the bounds of the type")
    func drafts() async throws {
        let bench = Bench()
        bench.region.setValue(254, for: "attempts")
        let screen = FlagsBrowserScreen(bench.browser)
        await screen.refresh()
        var number = try #require(await screen.draft(ofFlag: "BrowserFlags:attempts"))
        for _ in 0..<3 { number.step(by: 1) }
        #expect(number.text == "255")
        for _ in 0..<300 { number.step(by: -1) }
        #expect(number.text == "0")
        number.text = "many"
        number.step(by: 1)
        #expect(number.text == "1")
        var shop = try #require(await screen.draft(ofFlag: "BrowserFlags:shop"))
        #expect(!shop.hasValue && shop.input == .value(.null))
        shop.text = "9223372036854775807"
        shop.step(by: 1)
        #expect(shop.input == .text("9223372036854775807") && shop.isChanged)
        var toggle = try #require(await screen.draft(ofFlag: "BrowserFlags:new_checkout"))
        toggle.isOn = true
        #expect(toggle.input == .text("true"))
        var date = try #require(await screen.draft(ofFlag: "BrowserFlags:secrets/deep/launch"))
        #expect(date.date == Date(timeIntervalSinceReferenceDate: 0))
        date.date = Date(timeIntervalSinceReferenceDate: 60)
        #expect(date.text == "2001-01-01T00:01:00Z")
        #expect(await screen.draft(ofFlag: "BrowserFlags:none") == nil)
    }

    @Test("edits a value in full that a snapshot shortens")
    func longValues() async throws {
        let bench = Bench()
        let long = String(repeating: "long ", count: 10_000)
        bench.region.setValue(.string(long), for: "title")
        let screen = FlagsBrowserScreen(bench.browser)
        await screen.refresh()
        #expect(await screen.draft(ofFlag: "BrowserFlags:title")?.text == long)
    }

    @Test("is available where the rule says so, and by default not to customers")
    func availability() {
        #expect(FlagsBrowserAvailability.outsideProduction.admits(.nonProduction))
        #expect(FlagsBrowserAvailability.outsideProduction.admits(.simulator))
        #expect(!FlagsBrowserAvailability.outsideProduction.admits(.production))
        #expect(
            !FlagsBrowserAvailability.outsideProduction.admits(
                .production.dangerouslyAdmittingOverridesInProduction()))
        #expect(FlagsBrowserAvailability.dangerouslyEverywhere.admits(.production))
        #expect(FlagsBrowserAvailability { $0.name == "staging" }.admits(.init(name: "staging", isProduction: true)))
    }
}
