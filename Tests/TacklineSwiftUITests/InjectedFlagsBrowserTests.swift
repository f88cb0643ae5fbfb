import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineSwiftUI

@MainActor @Suite("The browser of injected loaders", .hangLimit)
struct InjectedFlagsBrowserTests {
    private func injected() -> InjectedFlags {
        let chain = [MemoryProvider()]
        var injected = InjectedFlags()
        injected.add(FlagsLoader(ViewFlags.self, environment: .nonProduction, providers: chain))
        injected.add(FlagsLoader(OtherFlags.self, environment: .nonProduction, providers: chain))
        return injected
    }

    @Test("has the flags of all of them, and edits them")
    func flags() async throws {
        let injected = injected()
        let own = InjectedFlagsBrowser()
        let browser = own.browser(of: injected)
        #expect(browser.snapshot().sections.map(\.title) == ["ViewFlags", "OtherFlags"])
        await own.screen(of: browser).perform(.set(flag: "OtherFlags:text", text: "new"))
        #expect(injected.value(at: \OtherFlags.text) == "new")
    }

    @Test("is the same at each drawing of a view, and another one for other loaders")
    func identity() async throws {
        let (first, second) = (injected(), injected())
        let own = InjectedFlagsBrowser()
        let browser = own.browser(of: first)
        let screen = own.screen(of: browser)
        var again = first
        again.add(first)
        #expect(own.browser(of: again) === browser && own.screen(of: browser) === screen)
        let other = own.browser(of: second)
        #expect(other !== browser && own.screen(of: other) !== screen)
    }
}
