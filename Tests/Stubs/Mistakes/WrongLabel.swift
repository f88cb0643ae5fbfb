// error: incorrect argument label
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct Screen: View {
    @FeatureFlag(\AppFlags.newCheckout, writesTo: "overrides") private var newCheckout
    var body: some View { EmptyView() }
}
