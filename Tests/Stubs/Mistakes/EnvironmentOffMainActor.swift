// error: main actor-isolated
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
}

func isOn(_ flag: FeatureFlag<Bool>) -> Bool { flag.wrappedValue }
