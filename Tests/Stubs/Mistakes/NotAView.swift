// error: this expression does not conform to 'View'
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct Price { let amount = 3 }
struct Screen: View {
    var body: some View {
        Text("x").navigationDestination(for: Int.self, if: \AppFlags.newCheckout) { _ in
            Price()
        } otherwise: { _ in
            Text("y")
        }
    }
}
