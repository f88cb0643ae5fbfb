// error: main actor-isolated
// systems: macos ios
import SwiftUI
import TacklineBrowser
import TacklineSwiftUI

func screen(_ browser: FlagsBrowser) -> FlagsBrowserView { FlagsBrowserView(browser) }
