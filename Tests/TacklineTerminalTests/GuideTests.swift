import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineTerminal

@Suite("The guide on flags in a terminal")
struct GuideTests {
    @Test("shows a screen as it is drawn")
    func screen() async throws {
        var driver = try await TerminalDriver(columns: 100, rows: 28)
        try await driver.press(.character(" "))
        driver.state.notice = nil
        driver.remote.setValue("Moin", for: FlagKeyPath("greeting"))
        try await driver.refresh()
        let screen = driver.text()
        let guide = try String(
            contentsOf: GuideSamples.root.appending(path: "Docs/Tackline.docc/Terminal.md"), encoding: .utf8)
        #expect(guide.contains("```\n\(screen)\n```"), "The guide should show:\n\(screen)")
    }

    @Test("shows only code that is compiled")
    func samples() throws {
        let samples = try GuideSamples(
            guide: "Terminal.md", compiledIn: ["Tests/TacklineTerminalTests/GuideTests.swift"])
        #expect(samples.pieces.count == 2)
        #expect(samples.piecesThatAreNotCompiled == [])
    }

    /// The code of the guide. It is compiled; without a terminal of its own, a test cannot run the first piece.
    func run(_ user: FlagsLoader<AppFlags>) async throws {
        let browser = FlagsBrowser(user)
        let outcome = try await FlagsTerminal(browser).run()
        outcome.endProcess()
        let table = FlagsTable(browser.snapshot()).text
        _ = table
    }
}
