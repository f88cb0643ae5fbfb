#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import Foundation
    import SwiftUI
    import TacklineBrowser

    // Foundation: sizes are numbers of CoreGraphics.

    extension View {
        /// Gives a screen of the browser a size where a sheet has the size of what is in it, and elsewhere that of a
        /// page.
        func flagsBrowserSize() -> some View {
            #if os(macOS) || targetEnvironment(macCatalyst) || os(visionOS)
                frame(minWidth: 480, idealWidth: 640, minHeight: 480, idealHeight: 720).presentationSizing(.page)
            #else
                presentationSizing(.page)
            #endif
        }
    }

    /// The button that closes the browser, where it was presented.
    struct FlagsBrowserDoneButton: ToolbarContent {
        /// The action that closes the browser, or `nil` if SwiftUI presented it.
        let close: (@MainActor () -> Void)?
        let isPresented: Bool
        let dismiss: DismissAction

        var body: some ToolbarContent {
            if close != nil || isPresented {
                ToolbarItem(placement: .confirmationAction) {
                    Button(browser: .done) { if let close { close() } else { dismiss() } }
                }
            }
        }
    }
#endif
