#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import Foundation
    public import SwiftUI
    public import TacklineBrowser

    // Foundation: sizes are numbers of CoreGraphics.

    /// A screen with every flag: its description, its value, the reason for the value, and a control to change it.
    ///
    /// ```swift
    /// FlagsBrowserView(FlagsBrowser(userFlags, searchFlags))
    /// ```
    ///
    /// It is empty where its availability doesn't admit it: by default in the App Store, except for people whom
    /// `FlagOverrides(…, isAllowed:)` let override. In a sheet it has a button that closes it, and a size. For iOS,
    /// macOS and visionOS.
    public struct FlagsBrowserView: View {
        @State private var screen: FlagsBrowserScreen
        @Environment(\.isPresented) private var isPresented
        @Environment(\.dismiss) private var dismiss
        private let isAvailable: Bool

        /// Creates the screen.
        ///
        /// - Parameters:
        ///   - browser: The browser. Create it once and keep it: it remembers changes.
        ///   - availability: The rule for where the screen may be shown.
        public init(
            _ browser: FlagsBrowser, availability: FlagsBrowser.Availability = .whereOverridesAreAllowed
        ) {
            _screen = State(initialValue: FlagsBrowserScreen(browser))
            isAvailable = availability.admits(browser)
        }

        /// The screen, in a navigation stack of its own.
        public var body: some View {
            if isAvailable {
                NavigationStack {
                    FlagsBrowserList(screen: screen)
                        .toolbar {
                            if isPresented {
                                ToolbarItem(placement: .confirmationAction) {
                                    Button(browserText("Done")) { dismiss() }
                                }
                            }
                        }
                        .navigationDestination(for: FlagsBrowserRoute.self) { route in
                            switch route {
                            case .flag(let id): FlagsBrowserDetails(screen: screen, id: id)
                            case .changes: FlagsBrowserChanges(screen: screen)
                            }
                        }
                }
                .flagsBrowserSize()
                .followingFlagsBrowser(screen)
            }
        }
    }

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

        /// Follows the browser while the view is shown, and shows its failures.
        func followingFlagsBrowser(_ screen: FlagsBrowserScreen) -> some View {
            modifier(FlagsBrowserFollowing(screen: screen))
        }
    }

    private struct FlagsBrowserFollowing: ViewModifier {
        let screen: FlagsBrowserScreen

        func body(content: Content) -> some View {
            content
                .task(id: ObjectIdentifier(screen)) { await screen.follow() }
                .alert(browserText("Failed"), isPresented: isShowingFailure) {
                    Button(browserText("OK"), role: .cancel) {}
                } message: {
                    Text(verbatim: screen.failure ?? "")
                }
        }

        private var isShowingFailure: Binding<Bool> {
            Binding(
                get: { @MainActor in screen.failure != nil },
                set: { @MainActor isShown in if !isShown { screen.failure = nil } })
        }
    }

    /// A destination of the list.
    enum FlagsBrowserRoute: Hashable {
        case flag(String)
        case changes
    }

    extension View {
        /// Presents a browser in a sheet: `.flagsBrowser(isPresented: $isBrowsing)`.
        ///
        /// - Parameters:
        ///   - browser: The browser, which you create once and keep, or `nil` for one of the loaders that were injected
        ///     around this view with ``SwiftUICore/View/flags(_:)``.
        ///   - isPresented: Whether the browser is shown. It has no effect where the browser is not available.
        ///   - availability: The rule for where the browser may be shown.
        public func flagsBrowser(
            _ browser: FlagsBrowser? = nil, isPresented: Binding<Bool>,
            availability: FlagsBrowser.Availability = .whereOverridesAreAllowed
        ) -> some View {
            modifier(FlagsBrowserSheet(browser: browser, isPresented: isPresented, availability: availability))
        }
    }

    /// Presents a browser in a sheet. The sheet is always attached, so that the view keeps its screen when the
    /// availability changes.
    private struct FlagsBrowserSheet: ViewModifier {
        let browser: FlagsBrowser?
        let isPresented: Binding<Bool>
        let availability: FlagsBrowser.Availability
        @Environment(\.injectedFlags) private var injected
        @State private var own = InjectedFlagsBrowser()

        func body(content: Content) -> some View {
            content.sheet(isPresented: isShown) {
                FlagsBrowserView(present, availability: availability)
            }
        }

        private var present: FlagsBrowser { browser ?? own.browser(of: injected) }

        private var isShown: Binding<Bool> {
            isPresented.wrappedValue && availability.admits(present) ? isPresented : .constant(false)
        }
    }
#endif
