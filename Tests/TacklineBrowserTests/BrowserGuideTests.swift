import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("The guide on the flag browser", .hangLimit) struct BrowserGuideTests {
    @Test("shows code that does what it says")
    func running() async throws {
        let overrides = MemoryProvider(name: "overrides", values: ["new_checkout": true])
        var samples = BrowserSamples(providers: [overrides])
        let browser = samples.making()
        #expect(samples.seeing(browser).map(\.key) == ["new_checkout"])
        #expect(samples.lines.first?.hasPrefix("new_checkout true from provider \"overrides\" because") == true)
        try await samples.editing(browser)
        #expect(samples.lines.suffix(2).first?.hasPrefix("The flag becomes 5") == true)
        #expect(
            samples.lines.last == """
                Flag "attempts" was not written: expected an integer from 0 to 255, found "many". Nothing has changed.
                """)
        #expect(samples.userFlags.attempts == 3)
    }
}
