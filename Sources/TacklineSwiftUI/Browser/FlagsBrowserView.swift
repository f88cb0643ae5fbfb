#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import SwiftUI
    public import TacklineBrowser

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
        @State private var state: FlagsBrowserViewState
        @Environment(\.isPresented) private var isPresented
        @Environment(\.dismiss) private var dismiss
        private let isAvailable: Bool
        /// The action that closes the screen, or `nil` if SwiftUI presented it.
        var close: (@MainActor () -> Void)?

        /// Creates the screen.
        ///
        /// - Parameters:
        ///   - browser: The browser. Create it once and keep it: it remembers changes, and edits to undo.
        ///   - availability: The rule for where the screen may be shown.
        public init(
            _ browser: FlagsBrowser, availability: FlagsBrowserAvailability = .whereOverridesAreAllowed
        ) {
            _state = State(initialValue: FlagsBrowserViewState(browser))
            isAvailable = availability.admits(browser)
        }

        /// The screen, in a navigation stack of its own.
        public var body: some View {
            if isAvailable {
                NavigationStack {
                    FlagsBrowserList(state: state)
                        .toolbar { FlagsBrowserDoneButton(close: close, isPresented: isPresented, dismiss: dismiss) }
                        .navigationDestination(for: FlagsBrowserRoute.self) { route in
                            switch route {
                            case .flag(let id): FlagsBrowserDetails(state: state, id: id)
                            case .changes: FlagsBrowserChanges(state: state)
                            }
                        }
                }
                .flagsBrowserSize()
                .followingFlagsBrowser(state)
            }
        }
    }

    extension View {
        /// Follows the browser while the view is shown, and shows its failures.
        func followingFlagsBrowser(_ state: FlagsBrowserViewState) -> some View {
            modifier(FlagsBrowserFollowing(state: state))
        }
    }

    private struct FlagsBrowserFollowing: ViewModifier {
        @Bindable var state: FlagsBrowserViewState

        func body(content: Content) -> some View {
            content
                .task(id: ObjectIdentifier(state)) { await state.follow() }
                .alert(Text(browser: "Failed"), isPresented: $state.isShowingFailure) {
                    if let question = state.screen.question {
                        Button(browser: question.yes, role: .destructive) { state.agree(to: question) }
                    }
                    Button(browser: "OK", role: .cancel) {}
                } message: {
                    Text(verbatim: state.screen.notice?.text ?? "")
                }
        }
    }

    /// A destination of the list.
    enum FlagsBrowserRoute: Hashable {
        case flag(String)
        case changes
    }

    extension View {
        /// Presents the browser of the loaders around this view: `.flagsBrowser(isPresented: $isBrowsing)`.
        ///
        /// The loaders are those that ``SwiftUICore/View/flags(_:)`` injected.
        ///
        /// - Parameters:
        ///   - isPresented: Whether the browser is shown. It has no effect where the browser is not available.
        ///   - availability: The rule for where the browser may be shown.
        public func flagsBrowser(
            isPresented: Binding<Bool>, availability: FlagsBrowserAvailability = .whereOverridesAreAllowed
        ) -> some View {
            modifier(FlagsBrowserSheet(browser: nil, isPresented: isPresented, availability: availability))
        }

        /// Presents a browser: `.flagsBrowser(browser, isPresented: $isBrowsing)`.
        ///
        /// - Parameters:
        ///   - browser: The browser. Create it once and keep it.
        ///   - isPresented: Whether the browser is shown. It has no effect where the browser is not available.
        ///   - availability: The rule for where the browser may be shown.
        public func flagsBrowser(
            _ browser: FlagsBrowser, isPresented: Binding<Bool>,
            availability: FlagsBrowserAvailability = .whereOverridesAreAllowed
        ) -> some View {
            modifier(FlagsBrowserSheet(browser: browser, isPresented: isPresented, availability: availability))
        }
    }

    /// Presents a browser in a sheet. The sheet is always attached, so that the view keeps its state when the
    /// availability changes.
    private struct FlagsBrowserSheet: ViewModifier {
        let browser: FlagsBrowser?
        let isPresented: Binding<Bool>
        let availability: FlagsBrowserAvailability
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
