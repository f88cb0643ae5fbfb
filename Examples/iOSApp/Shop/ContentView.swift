import SwiftUI
import Tackline
import TacklineSwiftUI

struct ContentView: View {
    let services: Services
    @FeatureFlag(\AppFlags.newCheckout) private var newCheckout
    @FeatureFlag(\AppFlags.payment.attempts) private var attempts
    @Environment(FlagsLoader<AppFlags>.self) private var flags
    @Environment(ThemeModel.self) private var theme
    @State private var isShowingSettings = false

    var body: some View {
        NavigationStack {
            VStack {
                Text(newCheckout ? "Two steps" : "Five steps").accessibilityIdentifier("checkout")
                Text("Tried \(attempts) times, at most \(flags.limits.items) items")
                if flags.oneClickCheckout { Button("Buy now") {} }
                if flags.features.isEnabled(.search) { Text("Search") }
                Text(theme.theme == .dark ? "Dark" : "Light")
                Button("Settings") { isShowingSettings = true }
            }
            .navigationTitle("Shop")
            .sheet(isPresented: $isShowingSettings) { SettingsView(services: services) }
        }
    }
}

/// The app's own form, with the flags behind its sections where overrides are allowed.
struct SettingsView: View {
    let services: Services
    @FeatureFlag(\AppFlags.newCheckout, writingTo: "overrides") private var newCheckout
    @State private var isBrowsing = false

    var body: some View {
        NavigationStack {
            Form {
                Section("Account") {
                    Button("Log in as Ada") { services.logIn("ada") }
                    Button("Log out") { services.logOut() }
                }
                Section("Checkout") { Toggle("New checkout", isOn: $newCheckout) }
                if services.overrides.isAllowed {
                    Section("Developers") {
                        Button("All flags") { isBrowsing = true }
                            .flagsBrowser(isPresented: $isBrowsing)
                    }
                    FlagsBrowserSections()
                }
            }
        }
    }
}

#Preview("As customers see it", traits: .flags(AppFlags.self) { _ in }) {
    PreviewContent()
}

#Preview("Two steps", traits: .flags(AppFlags.self) { $0.set(\.newCheckout, to: true) }) {
    PreviewContent()
}

#Preview("Everything", traits: .everything) {
    PreviewContent()
}

extension PreviewTrait where T == Preview.ViewTraits {
    static var everything: Self {
        .flags(AppFlags.self) {
            $0.set(\.newCheckout, to: true)
            $0.set(\.theme, to: .dark)
            $0.set(\.limits, to: Limits(items: 100, discounts: [0.1]))
        }
    }
}

/// The content with a model of the preview's own flags.
private struct PreviewContent: View {
    @Environment(FlagsLoader<AppFlags>.self) private var flags

    var body: some View {
        ContentView(services: Services())
            .environment(ThemeModel(flags))
    }
}
