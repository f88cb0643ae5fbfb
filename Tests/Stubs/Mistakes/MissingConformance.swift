// error: requires that 'PlainFlags' conform to 'FlagCollectionProtocol'
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

struct PlainFlags { var isOn = false }
struct Screen: View {
    var body: some View { Text("x").flags(PlainFlags.self) { _ in } }
}
