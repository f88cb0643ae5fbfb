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
        driver.state.screen.notice = nil
        driver.remote.setValue("Moin", for: FlagKeyPath("greeting"))
        try await driver.refresh()
        let screen = driver.text()
        var package = URL(filePath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        let guide = try String(contentsOf: package.appending(path: "Docs/Tackline.docc/Terminal.md"), encoding: .utf8)
        #expect(guide.contains("```\n\(screen)\n```"), "The guide should show:\n\(screen)")
    }
}
