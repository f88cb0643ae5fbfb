// error: cannot convert value of type
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

@MainActor let traits: PreviewTrait<Preview.ViewTraits> = .flags(AppFlags.self) { $0.set(\.attempts, to: "three") }
