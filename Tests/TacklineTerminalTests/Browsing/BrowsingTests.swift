import TacklineBrowser
import TacklineCore
import Testing

@testable import TacklineTerminal

@Suite("The browser in a terminal")
struct BrowsingTests {
    @Test("shows")
    func shows() async throws {
        var driver = try await TerminalDriver(columns: 110, rows: 30)
        print(driver.text())
        driver.state.size = TerminalSize(columns: 60, rows: 16)
        print(driver.text())
        try await driver.press(.down, .character("e"))
        print(driver.text())
        try await driver.press(.character("0"), .character("0"))
        print(driver.text())
    }
}
