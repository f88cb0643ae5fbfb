import Foundation
import SwiftUI
import Tackline
import TacklineSwiftUI

@main
struct ShopApp: App {
    @State private var services = Services()

    var body: some Scene {
        WindowGroup {
            ContentView(services: services)
                .flags(services.flags)
                .environment(services.theme)
        }
    }
}
