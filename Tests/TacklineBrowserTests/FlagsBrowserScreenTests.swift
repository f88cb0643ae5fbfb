import Foundation
import Observation
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

@Suite("The filter of the list") struct FlagsBrowserFilterTests {
    private let bench = Bench()

    private func keys(_ text: String, _ properties: Set<FlagsBrowserFilter.Property> = []) -> [String] {
        var filter = FlagsBrowserFilter()
        (filter.text, filter.properties) = (text, properties)
        return filter.flags(of: bench.browser.snapshot()).map(\.key)
    }

    @Test("wants every word, in any text of the flag, and minds neither case nor accents")
    func words() throws {
        #expect(keys("CHECKOUT new") == ["new_checkout"] && keys("  ") == keys("") && keys("").count == 9)
        #expect(keys("zoe steps") == ["new_checkout"] && keys("kasse müller") == ["new_checkout"])
        #expect(keys("payment") == ["attempts", "new_checkout"] && keys("nothing at all") == [])
        #expect(keys("deep.launch") == ["secrets/deep/launch"])
        try bench.overrides.setValue("a value to find", for: "title")
        #expect(keys("value find") == ["title"])
    }

    @Test("can want what is unusual about a flag")
    func properties() throws {
        bench.clock.move(to: 2000)
        bench.remote.memory.setValues(["new_checkout": true, "shop": "x"])
        try bench.overrides.setValue("x", for: "title")
        try bench.overrides.setValue(3, for: "attempts")
        #expect(keys("", [.overridden]) == ["title", "attempts"])
        #expect(keys("", [.notDefault]) == ["title", "new_checkout"])
        #expect(keys("", [.overridden, .notDefault]) == ["title"] && keys("attempts", [.overridden]) == ["attempts"])
        #expect(keys("", [.refused]) == ["shop"] && keys("", [.expired]) == ["secrets/ratio"])
    }

    @Test("gives the flags under a heading for each section and group that has any")
    func parts() {
        let parts = FlagsBrowserFilter().parts(of: bench.browser.snapshot())
        #expect(parts.map(\.title) == ["Shop", "Shop › secrets", "Shop › secrets › deep"])
        #expect(parts.map(\.flags.count) == [6, 2, 1])
        var filter = FlagsBrowserFilter()
        filter.text = "launch"
        #expect(filter.parts(of: bench.browser.snapshot()).map(\.title) == ["Shop › secrets › deep"])
    }
}

@MainActor
@Suite("The screen of the browser", .hangLimit) struct FlagsBrowserScreenTests {
    private let bench = Bench()

    private func screen() async -> FlagsBrowserScreen {
        let screen = FlagsBrowserScreen(bench.browser)
        await screen.refresh()
        return screen
    }

    @Test("is observed, follows the browser, and lists what the filter admits")
    func follows() async {
        let screen = await screen()
        let fired = Counter()
        withObservationTracking {
            _ = screen.parts
        } onChange: {
            _ = fired.next()
        }
        screen.filter.text = "often tried"
        #expect(fired.count == 1 && screen.parts.map(\.flags.count) == [1])
        let following = Task { await screen.follow() }
        bench.remote.memory.setValue(44, for: "attempts")
        while screen.snapshot?.flag(id: "BrowserFlags:attempts")?.value.text != "44" { await Task.yield() }
        following.cancel()
    }

    @Test("flips switches one after the other, keeps a failure until it was read, and undoes the last edit")
    func commands() async throws {
        let screen = await screen()
        let flag = try #require(screen.snapshot?.flag(id: "BrowserFlags:new_checkout"))
        screen[isOn: flag] = true
        screen[isOn: flag] = false
        screen[isOn: flag] = true
        await screen.finish()
        #expect(bench.loader.newCheckout && screen[isOn: flag] && screen.failure == nil)
        #expect(screen.lastEdit?.message == #"Set "new_checkout" to true in "overrides"."#)
        screen.undo()
        await screen.finish()
        #expect(!bench.loader.newCheckout)
        screen.begin(.set(flag: "BrowserFlags:attempts", text: "abc"))
        await screen.finish()
        #expect(screen.failure?.contains("found \"abc\"") == true)
        screen.begin(.resetAll())
        await screen.finish()
        #expect(bench.overrides.overrides.isEmpty)
    }

    @Test("edits a draft, which starts over when it was saved and stays when it cannot be")
    func drafts() async throws {
        let screen = await screen()
        await screen.open("BrowserFlags:attempts")
        #expect(screen.draft?.text == "3" && screen.draft?.isChanged == false && screen.keepsExpiry)
        screen.draft?.text = "7"
        await screen.look()
        #expect(try screen.outlook?.get().message.hasPrefix("The flag becomes 7") == true)
        screen.draft?.expires = Date(timeIntervalSinceReferenceDate: 60)
        screen.save()
        await screen.finish()
        #expect(bench.loader.attempts == 7 && screen.draft?.text == "7" && screen.draft?.isChanged == false)
        #expect(screen.draft?.expires == Date(timeIntervalSinceReferenceDate: 60))
        screen.draft?.text = "many"
        await screen.look()
        #expect(throws: FlagsBrowserError.self) { try screen.outlook?.get() }
        screen.save()
        await screen.finish()
        #expect(screen.failure != nil && screen.draft?.text == "many")
        await screen.open("BrowserFlags:secrets/is_sealed")
        #expect(screen.draft == nil)
    }

    @Test("keeps a text that somebody types when the flag changes, and follows the flag otherwise")
    func typing() async throws {
        let screen = await screen()
        await screen.open("BrowserFlags:attempts")
        bench.remote.memory.setValue(5, for: "attempts")
        await screen.refresh()
        #expect(screen.draft?.text == "5")
        screen.draft?.text = "9"
        bench.remote.memory.setValue(6, for: "attempts")
        await screen.refresh()
        #expect(screen.draft?.text == "9" && screen.draft?.flag.value.text == "6")
        screen.destination = "region"
        #expect(screen.draft?.text == "9" && screen.draft?.destination == "region" && !screen.keepsExpiry)
        bench.loader.providers = [bench.overrides]
        await screen.refresh()
        #expect(screen.destination == nil && screen.draft?.destination == "overrides")
    }

    @Test("edits each control within the bounds of the type")
    func controls() async throws {
        bench.region.setValue(254, for: "attempts")
        let snapshot = bench.browser.snapshot()
        func draft(_ key: String) throws -> FlagsBrowserDraft {
            FlagsBrowserDraft(try #require(snapshot.flag(id: "BrowserFlags:" + key)), destination: "overrides")
        }
        var number = try draft("attempts")
        for _ in 0..<3 { number.step(by: 1) }
        #expect(number.text == "255")
        number.text = "many"
        number.step(by: 1)
        #expect(number.text == "1")
        var shop = try draft("shop")
        #expect(!shop.hasValue && shop.command == .set(flag: shop.flag.id, text: nil, destination: "overrides"))
        shop.text = "9223372036854775807"
        shop.step(by: 1)
        #expect(shop.text == "9223372036854775807" && shop.hasValue && shop.isChanged)
        var toggle = try draft("new_checkout")
        toggle.isOn = true
        #expect(toggle.text == "true" && toggle.isOn)
        var date = try draft("secrets/deep/launch")
        #expect(date.date == Date(timeIntervalSinceReferenceDate: 0))
        date.date = Date(timeIntervalSinceReferenceDate: 60)
        #expect(date.text == "2001-01-01T00:01:00Z")
    }
}
