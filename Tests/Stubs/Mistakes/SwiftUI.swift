// systems: macos
import Combine
import SwiftUI
import TacklineBrowser
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct PlainFlags { var isOn = false }
struct Price { let amount = 3 }

struct Browsing: View {
    let browser: FlagsBrowser
    let loader: FlagsLoader<AppFlags>
    @State private var isBrowsing = false

    // mistake: cannot convert value 'isBrowsing' of type 'Bool' to expected type 'Binding<Bool>'
    var body: some View { Text("Flags").flagsBrowser(browser, isPresented: isBrowsing) }
    // mistake: cannot convert value of type 'FlagsLoader<AppFlags>' to expected argument type 'FlagsBrowser'
    var other: some View { FlagsBrowserView(loader) }
}

// mistake: main actor-isolated
func screen(_ browser: FlagsBrowser) -> FlagsBrowserView { FlagsBrowserView(browser) }

// mistake: main actor-isolated
func isOn(_ flag: FeatureFlag<Bool>) -> Bool { flag.wrappedValue }

// mistake: main actor-isolated
func makeBinding(_ flags: FlagsLoader<AppFlags>) -> Binding<Bool> { flags.$newCheckout.binding() }

// mistake: cannot convert return expression of type 'AnyPublisher<Bool, Never>'
func follow(_ flags: FlagsLoader<AppFlags>) -> AnyPublisher<Int, Never> { flags.$newCheckout.publisher }

// mistake: cannot convert value of type
@MainActor let traits: PreviewTrait<Preview.ViewTraits> = .flags(AppFlags.self) { $0.set(\.attempts, to: "three") }

struct Conforming: View {
    // mistake: requires that 'PlainFlags' conform to 'FlagCollectionProtocol'
    var body: some View { Text("x").flags(PlainFlags.self) { _ in } }
}

struct Screen: View {
    @FeatureFlag(\AppFlags.newCheckout) private var newCheckout
    @FeatureFlag(\AppFlags.attempts) private var attempts
    // mistake: cannot convert value of type 'String' to expected argument type 'KeyPath
    @FeatureFlag<Bool>("new_checkout") private var named
    // mistake: has no member 'oldCheckout'
    @FeatureFlag(\AppFlags.oldCheckout) private var oldCheckout
    // mistake: incorrect argument label
    @FeatureFlag(\AppFlags.newCheckout, writesTo: "overrides") private var labelled

    // mistake: cannot convert value 'newCheckout' of type 'Bool' to expected type 'Binding<Bool>'
    var body: some View { Toggle("New", isOn: newCheckout) }
    // mistake: cannot convert value of type 'Binding<Int>' to expected argument type 'Binding<Bool>'
    var other: some View { Toggle("Attempts", isOn: $attempts) }
    var linked: some View {
        Text("x").navigationDestination(for: Int.self, if: \AppFlags.newCheckout) { _ in
            // mistake: this expression does not conform to 'View'
            Price()
        } otherwise: { _ in
            Text("y")
        }
    }
}
