import TacklineBrowser
import Testing

@testable import TacklineTerminal

@Suite("The link to a flag")
struct LinkTests {
    @Test("is copied and shown, of a console without its secret")
    func link() async throws {
        var driver = try await TerminalDriver(columns: 120)
        let id = try #require(driver.state.selected?.id)
        driver.state.address = "http://127.0.0.1:8090/"
        let effects = driver.state.take(.character("y"))
        let escaped = id.replacing(":", with: "%3A").replacing("/", with: "%2F")
        let link = "http://127.0.0.1:8090/?flag=\(escaped)"
        #expect(effects == [.copy(link)])
        #expect(driver.text().contains("Copied: \(link)"))
    }

    @Test("is its key where there is no page")
    func key() async throws {
        var driver = try await TerminalDriver()
        let key = try #require(driver.state.selected?.key)
        #expect(driver.state.take(.character("y")) == [.copy(key)])
    }

    @Test("travels in base64, so that no name in it steers the terminal")
    func sequence() {
        #expect(TerminalEncoder.copying("a\u{1B}\u{7}b") == "\u{1B}]52;c;YRsHYg==\u{7}")
    }
}
