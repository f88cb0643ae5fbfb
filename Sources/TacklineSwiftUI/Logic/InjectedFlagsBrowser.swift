package import TacklineBrowser
import TacklineCore

/// The browser of the loaders that were injected into a view, and its screen.
///
/// A view keeps one object of this class, so that drawing the view again doesn't lose the changes that the browser
/// remembers.
@MainActor
package final class InjectedFlagsBrowser {
    private var current: (flags: InjectedFlags, browser: FlagsBrowser)?
    private var screen: FlagsBrowserScreen?

    package init() {}

    /// Returns the browser of some loaders. As long as they are the same, it is the same browser.
    package func browser(of flags: InjectedFlags) -> FlagsBrowser {
        if let current, current.flags == flags { return current.browser }
        let browser = FlagsBrowser(roots: flags.loaders.map(\.root))
        current = (flags, browser)
        return browser
    }

    /// Returns the screen of a browser. As long as the browser is the same, it is the same screen.
    package func screen(of browser: FlagsBrowser) -> FlagsBrowserScreen {
        if let screen, screen.browser === browser { return screen }
        let new = FlagsBrowserScreen(browser)
        screen = new
        return new
    }
}
