// The sample of the guide "SwiftUI".
import Combine
import Dispatch
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The checkout in two steps")
    var newCheckout: Bool

    @Flag(default: 3, description: "How often a payment is tried")
    var attempts: Int
}

struct SearchFlags: FlagCollectionProtocol {
    @Flag(default: "list", description: "How results are shown")
    var layout: String
}

struct ShopScene: View {
    let app: FlagsLoader<AppFlags>
    let search: FlagsLoader<SearchFlags>

    var body: some View {
        NavigationStack {
            CheckoutScreen()
        }
        .flags(app, search)
    }
}

struct OrdersScreen: View {
    var body: some View {
        CheckoutScreen()
            .navigationDestination(for: Order.self, if: \AppFlags.newCheckout) { order in
                Text(verbatim: "New: \(order.number)")
            } otherwise: { order in
                Text(verbatim: "Old: \(order.number)")
            }
    }
}

struct Order: Hashable {
    let number: Int
}

struct CheckoutScreen: View {
    @FeatureFlag(\AppFlags.newCheckout, writingTo: "overrides") private var newCheckout
    @FeatureFlag("layout", default: "list") private var layout

    var body: some View {
        VStack {
            Text(verbatim: layout)
            if newCheckout { Text("Two steps") } else { Text("Five steps") }
            Toggle("Use the new checkout", isOn: $newCheckout)
            Text("Beta").shown(if: \AppFlags.newCheckout)
            Text("New").shown(if: \AppFlags.newCheckout) { Text("Old") }
        }
    }
}

struct SettingsScreen: View {
    let flags: FlagsLoader<AppFlags>

    var body: some View {
        Toggle("New checkout", isOn: flags.$newCheckout.binding(writingTo: "overrides"))
    }
}

struct CheckoutPreviews: View {
    var body: some View {
        CheckoutScreen().previewFlags(AppFlags.self, .allOn)
        CheckoutScreen().previewFlags(AppFlags.self, .allOff)
        CheckoutScreen().previewFlags(AppFlags.self, .given(["new_checkout": true, "attempts": 5]))
    }
}

@MainActor final class CheckoutController {
    private var observation: FlagObservation?

    func follow(_ flags: FlagsLoader<AppFlags>) {
        observation = flags.$newCheckout.observeValues { @MainActor [weak self] isOn in self?.show(isOn) }
    }

    private func show(_ isOn: Bool) {}
}

@MainActor final class CheckoutModel {
    private var cancellables: Set<AnyCancellable> = []
    private(set) var isNew = false

    init(_ flags: FlagsLoader<AppFlags>) {
        flags.$newCheckout.publisher.sink { [weak self] in self?.isNew = $0 }.store(in: &cancellables)
        flags.$attempts.publisher.receive(on: DispatchQueue.global())
            .sink { @Sendable attempts in print(attempts) }.store(in: &cancellables)
    }
}
