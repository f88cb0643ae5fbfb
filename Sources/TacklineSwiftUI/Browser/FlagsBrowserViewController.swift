#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import Foundation
    public import SwiftUI
    public import TacklineBrowser
    import UIKit

    /// The browser for apps that are made with UIKit.
    ///
    /// ```swift
    /// present(FlagsBrowserViewController(browser), animated: true)
    /// ```
    ///
    /// It has a navigation stack of its own and a button that closes it, so present it and don't push it. It is empty where
    /// its availability doesn't admit it: by default in the App Store.
    public final class FlagsBrowserViewController: UIHostingController<FlagsBrowserView> {
        /// Creates the controller.
        ///
        /// - Parameters:
        ///   - browser: The browser. Create it once and keep it.
        ///   - availability: The rule for where the browser may be shown.
        public init(
            _ browser: FlagsBrowser, availability: FlagsBrowserAvailability = .whereOverridesAreAllowed
        ) {
            super.init(rootView: FlagsBrowserView(browser, availability: availability))
        }

        /// Gives the browser its button where it was presented.
        public override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            guard presentingViewController != nil else {
                rootView.close = nil
                return
            }
            rootView.close = { [weak self] in self?.dismiss(animated: true) }
        }

        /// Always `nil`: an archive has no browser.
        public required dynamic init?(coder: NSCoder) {
            return nil
        }
    }
#endif
