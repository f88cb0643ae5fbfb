// error: main actor-isolated
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

func makeBinding(_ flags: FlagsLoader<AppFlags>) -> Binding<Bool> { flags.$newCheckout.binding() }
