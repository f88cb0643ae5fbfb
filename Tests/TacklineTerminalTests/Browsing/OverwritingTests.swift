import TacklineBrowser
import TacklineCore
import Testing

@testable import TacklineTerminal

@Suite("An edit in the terminal of what somebody else changed meanwhile")
struct OverwritingTests {
    private let bea = FlagsBrowserAuthor(id: "bea", name: "Bea")

    /// Edits as somebody whose edit the driver's screen does not show yet.
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
        // Who insists overwrites.
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
        // The answer to the first comes after the second.
        let effects = driver.state.take(.character("+")) + driver.state.take(.character("+"))
        #expect(effects.count == 2)
        for case .perform(let command) in effects {
            _ = try await driver.browser.perform(driver.state.request(for: command))
        }
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
}
