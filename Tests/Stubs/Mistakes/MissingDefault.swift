// error: cannot convert value of type 'String' to expected argument type 'KeyPath
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct Screen: View {
    @FeatureFlag<Bool>("new_checkout") private var newCheckout
    var body: some View { EmptyView() }
}
