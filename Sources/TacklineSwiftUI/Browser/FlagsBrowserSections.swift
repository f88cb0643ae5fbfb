#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import SwiftUI
    public import TacklineBrowser

    /// The flags as sections of a form or a list of your own.
    ///
    /// ```swift
    /// NavigationStack {
    ///     Form {
    ///         Section { … }
    ///         FlagsBrowserSections()
    ///     }
    /// }
    /// .flags(flags)
    /// ```
    ///
    /// A section for the search is followed by one for each collection and group. A row leads to the details of its flag in
    /// the navigation stack around the form. There are no sections where the availability doesn't admit them.
    public struct FlagsBrowserSections: View {
        @Environment(\.injectedFlags) private var injected
        @State private var own = InjectedFlagsBrowser()
        private let browser: FlagsBrowser?
        private let availability: FlagsBrowser.Availability

        /// Creates the sections.
        ///
        /// - Parameters:
        ///   - browser: The browser, which you create once and keep, or `nil` for one of the loaders that were injected
        ///     around this view with ``SwiftUICore/View/flags(_:)``.
        ///   - availability: The rule for where the sections may be shown.
        public init(
            _ browser: FlagsBrowser? = nil,
            availability: FlagsBrowser.Availability = .whereOverridesAreAllowed
        ) {
            self.browser = browser
            self.availability = availability
        }

        /// The sections.
        public var body: some View {
            let browser = browser ?? own.browser(of: injected)
            if availability.admits(browser) { FlagsBrowserSectionList(screen: own.screen(of: browser)) }
        }
    }

    private struct FlagsBrowserSectionList: View {
        @Bindable var screen: FlagsBrowserScreen

        var body: some View {
            // The first section is always there, so it follows the browser.
            Section {
                TextField(browserText("Name, key, value, tag…"), text: $screen.filter.text)
                    .autocorrectionDisabled()
                    .followingFlagsBrowser(screen)
                if let reason = screen.snapshot?.readOnlyReason {
                    Text(verbatim: reason.message).font(.footnote).foregroundStyle(.secondary)
                }
            }
            FlagsBrowserParts(screen: screen, linksToRoute: false)
        }
    }
#endif
