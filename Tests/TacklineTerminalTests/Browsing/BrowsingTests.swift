import TacklineBrowser
import TacklineCore
import TacklineMemory
import Testing

@testable import TacklineTerminal

@Suite("The browser in a terminal")
struct BrowsingTests {
    @Test("lists flags under their collections, with value and source, and explains the one under the cursor")
    func list() async throws {
        var driver = try await TerminalDriver(columns: 110, rows: 26)
        let screen = driver.screen()
        #expect(screen[0].hasPrefix(" Shop flags"))
        #expect(screen[0].hasSuffix("● live"))
        #expect(screen[1].hasSuffix("8 flags"))
        #expect(screen[2].hasPrefix(" Shop  What customers see"))
        #expect(screen[3].hasPrefix("▸ New checkout"))
        #expect(screen[9].hasPrefix(" secrets"))
        #expect(screen[10].contains("boom  expired, locked"))
        let text = screen.joined(separator: "\n")
        for part in [
            "new_checkout · Bool", "One page in place of four.", "Owner    team-shop", "Ticket   SHOP-12",
            "▸ default    false", "overrides  –", "If you press space", "The flag becomes true",
        ] { #expect(text.contains(part)) }
    }

    @Test("shows the details in place of the list where both do not fit")
    func narrow() async throws {
        var driver = try await TerminalDriver(columns: 50, rows: 20)
        #expect(!driver.text().contains("Where the value comes from"))
        try await driver.press(.enter)
        #expect(driver.text().contains("Where the value comes from"))
        #expect(!driver.text().contains("attempts"))
        try await driver.press(.escape)
        #expect(driver.text().contains("attempts"))
    }

    @Test("switches a flag with the space bar, says what was done, and takes it back")
    func toggle() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.character(" "))
        #expect(driver.loader.newCheckout)
        #expect(driver.overrides.value(at: "new_checkout") == true)
        #expect(driver.screen()[22].contains("new_checkout"))
        try await driver.press(.character("u"))
        #expect(!driver.loader.newCheckout)
        #expect(driver.overrides.value(at: "new_checkout") == nil)
    }

    @Test("edits a number, refuses one out of range with the reason, and keeps what was typed")
    func number() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.down, .character("e"))
        #expect(driver.text().contains("a whole number from 0 to 255  → overrides"))
        try await driver.type("00")
        #expect(driver.text().contains("expected an integer from"))
        try await driver.press(.enter)
        #expect(driver.loader.attempts == 3)
        #expect(driver.text().contains("▸ 300"))
        try await driver.press(.backspace, .enter)
        #expect(driver.loader.attempts == 30)
        #expect(driver.state.panel == nil)
    }

    @Test("steps a whole number, up to the bounds of its type")
    func step() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.down, .character("-"), .character("-"), .character("-"))
        #expect(driver.loader.attempts == 0)
        try await driver.press(.character("-"))
        #expect(driver.loader.attempts == 0)
        #expect(driver.text().contains("attempts ranges from 0 to 255."))
        try await driver.press(.character("+"))
        #expect(driver.loader.attempts == 1)
    }

    @Test("edits JSON over several lines, and names line and column of a mistake")
    func json() async throws {
        var driver = try await TerminalDriver(columns: 100, rows: 30)
        try await driver.press(.down, .down, .down, .down, .down, .character("e"))
        #expect(driver.text().contains("\"retry\": ["))
        try await driver.press(.paste("x"))
        #expect(driver.text().lowercased().contains("line"))
        try await driver.press(.enter)
        #expect(driver.state.panel != nil)
        try await driver.press(.backspace, .end)
        for _ in 0..<60 { try await driver.press(.backspace) }
        try await driver.press(.paste("{\r\n  \"retry\": [9]\r\n}"), .enter)
        #expect(driver.loader.retries == ["retry": [9]])
    }

    @Test("goes to the next option with the space bar, and picks one from the list")
    func choice() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.down, .down, .down, .character(" "))
        #expect(driver.loader.theme == .light)
        try await driver.press(.character("e"))
        #expect(driver.text().contains("◉ light"))
        try await driver.press(.down, .enter)
        #expect(driver.loader.theme == .dark)
    }

    @Test("sets an optional flag to no value")
    func optional() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.end, .character("e"))
        try await driver.type("Sale")
        try await driver.press(.enter)
        #expect(driver.loader.secrets.banner == "Sale")
        try await driver.press(.character("e"), .control("n"))
        #expect(driver.loader.secrets.banner == nil)
        #expect(driver.overrides.value(at: "secrets/banner") == .null)
    }

    @Test("asks before a reset, and before an edit without effect")
    func confirmation() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.character(" "), .character("r"))
        #expect(driver.text().contains("Reset New checkout?"))
        try await driver.press(.character("n"))
        #expect(driver.loader.newCheckout)
        try await driver.press(.character("X"), .character("y"))
        #expect(!driver.loader.newCheckout)
        driver.loader.providers = [driver.remote, driver.overrides]
        driver.remote.setValue(false, for: FlagKeyPath("new_checkout"))
        driver.state.screen.destination = "overrides"
        try await driver.refresh()
        try await driver.press(.character(" "))
        #expect(driver.text().contains("Write it all the same?"))
        #expect(driver.text().contains("\"remote\""))
        #expect(driver.overrides.value(at: "new_checkout") == nil)
        try await driver.press(.enter)
        #expect(driver.overrides.value(at: "new_checkout") == true)
    }

    @Test("resets a group without touching others")
    func group() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.character(" "), .end, .character("e"))
        try await driver.type("x")
        try await driver.press(.enter, .character("R"), .character("R"))
        #expect(driver.loader.secrets.banner == nil)
        #expect(driver.loader.newCheckout)
    }

    @Test("does not edit a locked flag, and says why")
    func locked() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.end, .up, .character(" "))
        #expect(!driver.loader.secrets.boom)
        #expect(driver.state.screen.notice?.kind == .failure)
        #expect(driver.text().contains("locked"))
    }

    @Test("searches while words are typed, and shows everything again after escape")
    func search() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.character("/"))
        try await driver.type("risky")
        #expect(driver.text().contains("1 of 8 flags"))
        #expect(driver.state.selected?.key == "secrets/boom")
        try await driver.press(.enter, .escape)
        #expect(driver.text().contains("8 flags"))
        try await driver.press(.character("/"))
        try await driver.type("nothing has this")
        #expect(driver.text().contains("No flag matches"))
    }

    @Test("filters by what is known about flags")
    func filters() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.character(" "), .character("f"), .character(" "), .escape)
        #expect(driver.text().contains("[overridden]"))
        #expect(driver.text().contains("1 of 8 flags"))
        try await driver.press(.escape, .character("p"), .character("f"))
        try await driver.press(.down, .down, .down, .enter)
        #expect(driver.text().contains("[pinned]"))
        #expect(driver.state.flags.map(\.key) == ["new_checkout"])
        #expect(driver.text().contains("▸★"))
    }

    @Test("marks what others change, and lists it")
    func live() async throws {
        var driver = try await TerminalDriver()
        driver.remote.setValue("Moin", for: FlagKeyPath("greeting"))
        try await driver.refresh()
        #expect(driver.text().contains(" ●greeting"))
        #expect(driver.state.screen.fresh.count == 1)
        #expect(driver.text().contains("\"Hello\" → \"Moin\"  from remote"))
        try await driver.press(.character("c"))
        #expect(driver.text().contains("Recent changes"))
        try await driver.press(.escape)
        #expect(!driver.text().contains("●greeting"))
        try await driver.press(.character(" "))
        #expect(driver.state.screen.fresh.isEmpty)
    }

    @Test("keeps the cursor on its flag while flags come and go")
    func cursor() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.down, .down)
        let before = driver.state.selected?.id
        driver.state.screen.filter.text = "rate"
        #expect(driver.state.selected?.id == before)
        driver.state.screen.filter.text = ""
        #expect(driver.state.selected?.id == before)
    }

    @Test("says when the connection is lost and keeps what it shows")
    func lost() async throws {
        var driver = try await TerminalDriver()
        _ = driver.state.receive(.update(.disconnected(reason: "The app is gone.")))
        #expect(driver.screen()[0].hasSuffix("connection lost"))
        #expect(driver.text().contains("The app is gone."))
        #expect(driver.text().contains("attempts"))
        try await driver.refresh()
        #expect(driver.screen()[0].hasSuffix("live"))
    }

    @Test("writes to the provider that was chosen")
    func destination() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.character("d"), .down, .down, .enter, .character(" "))
        #expect(driver.remote.value(at: "new_checkout") == true)
        #expect(driver.overrides.value(at: "new_checkout") == nil)
    }

    @Test("leaves on q and control-C, and nowhere in the middle of a text")
    func quit() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.character("/"), .character("q"))
        #expect(!driver.hasQuit)
        try await driver.press(.escape, .character("q"))
        #expect(driver.hasQuit)
        var other = try await TerminalDriver()
        try await other.press(.character("/"), .control("c"))
        #expect(other.hasQuit)
    }
}
