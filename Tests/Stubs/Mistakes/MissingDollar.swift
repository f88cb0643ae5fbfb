// error: cannot convert value 'newCheckout' of type 'Bool' to expected type 'Binding<Bool>'
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct Screen: View {
    @FeatureFlag(\AppFlags.newCheckout) private var newCheckout
    var body: some View { Toggle("New", isOn: newCheckout) }
}
