// systems: ios visionos
// The samples of the guide "The flag browser".
import SwiftUI
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineSwiftUI
import UIKit

struct DebugMenu: View {
    let browser: FlagsBrowser
    @State private var isBrowsing = false

    var body: some View {
        Button("Feature flags") { isBrowsing = true }
            .flagsBrowser(browser, isPresented: $isBrowsing)
    }
}

struct InternalSettings: View {
    let browser: FlagsBrowser

    var body: some View {
        FlagsBrowserView(browser, availability: .debugBuilds)
    }
}

@MainActor
final class SettingsController: UIViewController {
    private var browser: FlagsBrowser?

    func showFlags() {
        guard let browser, FlagsBrowserAvailability.outsideProduction.admits() else { return }
        present(FlagsBrowserViewController(browser), animated: true)
    }
}

extension FlagsBrowserAvailability {
    static func employees(_ isEmployee: @escaping @Sendable () -> Bool) -> FlagsBrowserAvailability {
        FlagsBrowserAvailability { environment in !environment.isProduction || isEmployee() }
    }
}
