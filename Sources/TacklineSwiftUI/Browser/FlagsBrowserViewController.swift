#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import Foundation
    public import SwiftUI
    public import TacklineBrowser
    public import TacklineComposition
    import UIKit

    /// The browser for apps that are made with UIKit.
    ///
    /// ```swift
    /// present(FlagsBrowserViewController(browser), animated: true)
    /// ```
    ///
    /// It has a navigation stack of its own and a button that closes it, so present it and do not push it. It shows
    /// nothing where its availability does not admit it: by default in the App Store.
    public final class FlagsBrowserViewController: UIHostingController<FlagsBrowserView> {
        /// Makes the controller.
        ///
        /// - Parameters:
        ///   - browser: The browser, or a connection to one. Make it once, and keep it.
        ///   - availability: Where it may be shown.
        ///   - environment: Where the program runs.
        public init(
            _ browser: any FlagsBrowserBackend, availability: FlagsBrowserAvailability = .outsideProduction,
            environment: DeploymentEnvironment = .detected
        ) {
            super.init(rootView: FlagsBrowserView(browser, availability: availability, environment: environment))
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
