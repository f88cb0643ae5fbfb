// error: cannot convert value of type 'Binding<Int>' to expected argument type 'Binding<Bool>'
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct Screen: View {
    @FeatureFlag(\AppFlags.attempts) private var attempts
    var body: some View { Toggle("Attempts", isOn: $attempts) }
}
