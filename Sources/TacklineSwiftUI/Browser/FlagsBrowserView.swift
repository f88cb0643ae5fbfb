#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import SwiftUI
    public import TacklineBrowser
    public import TacklineComposition

    /// A screen with every flag: what it is, why it has its value, and a control to change it.
    ///
    /// ```swift
    /// FlagsBrowserView(FlagsBrowser(userFlags, searchFlags))
    /// ```
    ///
    /// It shows nothing where its availability does not admit it: by default in the App Store. In a sheet it has a button
    /// that closes it, and a size. For iOS, macOS and visionOS.
    public struct FlagsBrowserView: View {
        @State private var state: FlagsBrowserViewState
        @Environment(\.isPresented) private var isPresented
        @Environment(\.dismiss) private var dismiss
        private let isAvailable: Bool
        /// How whoever presented it closes it; `nil` if that is SwiftUI.
        var close: (@MainActor () -> Void)?

        /// Makes the screen.
        ///
        /// - Parameters:
        ///   - browser: The browser, or a connection to one. Make it once, and keep it: it remembers what changed and what
        ///     can be undone.
        ///   - availability: Where the screen may be shown.
        ///   - environment: Where the program runs.
        public init(
            _ browser: any FlagsBrowserBackend, availability: FlagsBrowserAvailability = .outsideProduction,
            environment: DeploymentEnvironment = .detected
        ) {
            _state = State(initialValue: FlagsBrowserViewState(browser))
            isAvailable = availability.admits(environment)
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
                .task { await state.screen.follow() }
                .alert(Text(browser: "Not done"), isPresented: $state.isShowingFailure) {
                    if state.screen.notice?.canForceUndo == true {
                        Button(browser: "Undo anyway", role: .destructive) { state.begin(.undo(isForced: true)) }
                    }
                    Button(browser: "OK", role: .cancel) {}
                } message: {
                    Text(verbatim: state.screen.notice?.message ?? "")
                }
            }
        }
    }

    /// Where the list leads to.
    enum FlagsBrowserRoute: Hashable {
        case flag(String)
        case changes
    }

    extension View {
        /// Shows the browser over this view, where it is available: `.flagsBrowser(browser, isPresented: $isBrowsing)`.
        ///
        /// - Parameters:
        ///   - browser: The browser. Make it once, and keep it.
        ///   - isPresented: Whether it is shown. It stays without effect where the browser is not available.
        ///   - availability: Where it may be shown.
        ///   - environment: Where the program runs.
        public func flagsBrowser(
            _ browser: any FlagsBrowserBackend, isPresented: Binding<Bool>,
            availability: FlagsBrowserAvailability = .outsideProduction, environment: DeploymentEnvironment = .detected
        ) -> some View {
            modifier(
                FlagsBrowserSheet(
                    browser: browser, isPresented: isPresented, availability: availability, environment: environment))
        }
    }

    /// Shows the browser in a sheet, or leaves the view as it is.
    private struct FlagsBrowserSheet: ViewModifier {
        let browser: any FlagsBrowserBackend
        let isPresented: Binding<Bool>
        let availability: FlagsBrowserAvailability
        let environment: DeploymentEnvironment

        func body(content: Content) -> some View {
            if availability.admits(environment) {
                content.sheet(isPresented: isPresented) {
                    FlagsBrowserView(browser, availability: availability, environment: environment)
                }
            } else {
                content
            }
        }
    }
#endif
