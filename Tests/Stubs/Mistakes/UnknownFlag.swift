// error: has no member 'oldCheckout'
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct Screen: View {
    @FeatureFlag(\AppFlags.oldCheckout) private var oldCheckout
    var body: some View { Text("x") }
}
