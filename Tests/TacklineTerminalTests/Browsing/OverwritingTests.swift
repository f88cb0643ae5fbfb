import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineTerminal

@Suite("An edit in the terminal of what somebody else changed meanwhile")
struct OverwritingTests {
    private let bea = FlagsBrowserAuthor(id: "bea", name: "Bea")

    /// Makes an edit as another author, which the driver's screen does not show yet.
    private func edit(_ driver: TerminalDriver, to value: EncodedFlagValue) async throws {
        let flag = try #require(driver.state.selected?.id)
        _ = try await driver.browser.perform(FlagsBrowserRequest(.set(flag: flag, to: .value(value)), author: bea))
    }

    private func number(_ driver: inout TerminalDriver) async throws {
        while driver.state.selected?.control.kind != .integer { try await driver.press(.down) }
    }

    @Test("is asked about by a key, and done if it is meant all the same")
    func key() async throws {
        var driver = try await TerminalDriver(columns: 120)
        try await number(&driver)
        let key = try #require(driver.state.selected?.key)
        try await edit(driver, to: 7)
        try await driver.press(.character("+"))
        #expect(driver.text().contains("Bea changed it") && driver.text().contains("Write it all the same?"))
        let held = driver.state.selected?.value.input
        #expect(held == "7")
        try await driver.press(.escape, .character("+"))
        #expect(driver.state.selected?.key == key && driver.state.selected?.value.input == "8")
        // An author who repeats the edit overwrites the other's.
        try await edit(driver, to: 20)
        try await driver.press(.character("+"), .character("y"))
        #expect(driver.state.selected?.value.input == "9")
    }

    @Test("is asked about in the editor, where what was typed stays, and done by a second Enter")
    func editor() async throws {
        var driver = try await TerminalDriver(columns: 120)
        try await number(&driver)
        try await driver.press(.enter, .control("u"))
        try await driver.type("42")
        try await edit(driver, to: 7)
        try await driver.refresh()
        try await driver.press(.enter)
        #expect(driver.text().contains("Bea changed it") && driver.text().contains("42"))
        #expect(driver.state.selected?.value.input == "7")
        try await driver.press(.enter)
        #expect(driver.state.selected?.value.input == "42" && driver.state.panel == nil)
    }

    @Test("is not asked about where the change was one's own")
    func own() async throws {
        var driver = try await TerminalDriver(columns: 120)
        try await number(&driver)
        let old = Int(driver.state.selected?.value.input ?? "")
        // The second edit waits for the answer to the first, and adds to what that led to.
        let effects = driver.state.take(.character("+")) + driver.state.take(.character("+"))
        #expect(effects.count == 1)
        for effect in effects { await driver.perform(effect) }
        let new = Int(driver.state.selected?.value.input ?? "")
        #expect(new != nil && new == old.map { $0 + 2 } && driver.state.isBrowsing)
    }

    @Test("is not undone by who did not make it")
    func undo() async throws {
        var driver = try await TerminalDriver(columns: 120)
        try await number(&driver)
        try await edit(driver, to: 7)
        try await driver.refresh()
        try await driver.press(.character("u"))
        #expect(driver.state.selected?.value.input == "7")
    }

    @Test("or of what the launch guard holds back is a key that the flag's details offer, and that releases the value")
    func release() async throws {
        var driver = try await TerminalDriver(columns: 200, launchGuard: HoldingGuard("attempts"))
        driver.remote.setValue(7, for: "attempts")
        #expect(driver.loader.attempts == 3)
        try await driver.refresh()
        // Another flag has nothing to release.
        #expect(!driver.text().contains("L releases it"))
        try await driver.press(.character("L"))
        #expect(driver.loader.attempts == 3)
        try await number(&driver)
        #expect(driver.state.selected?.key == "attempts" && driver.text().contains("it is held back; L releases it"))
        #expect(driver.text().contains("some values held back"))
        try await driver.press(.character("L"))
        #expect(driver.loader.attempts == 7 && driver.state.selected?.value.input == "7")
        #expect(!driver.text().contains("L releases it") && driver.text().contains("Released"))
    }
}
