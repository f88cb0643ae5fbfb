import Foundation
import SwiftUI
import Tackline
import TacklineRemoteJSON
import TacklineSwiftUI

@main
struct ShopApp: App {
    @State private var services = Services()

    var body: some Scene {
        WindowGroup {
            ContentView(overrides: services.overrides)
                .flags(services.flags)
                .environment(services.theme)
        }
    }
}

/// The providers and the loader, which exist as long as the app.
final class Services {
    let overrides = FlagOverrides(file: .applicationSupportDirectory.appending(path: "overrides.json"))
    let remote: RemoteJSONProvider?
    let flags: FlagsLoader<AppFlags>
    let theme: ThemeModel

    init() {
        remote = URL(string: "https://flags.example.com/shop.json").map { RemoteJSONProvider(url: $0, name: "remote") }
        let region = Locale.current.region?.identifier ?? ""
        let (overrides, remote) = (overrides, remote)
        flags = FlagsLoader(
            AppFlags.self,
            providers: [overrides] + (remote.map { [$0] } ?? []) + [RegionDefaults(region: region)],
            issueReporter: .systemLog)
        // UI tests and schemes of Xcode set flags: `--flag=new_checkout=true`.
        FlagArguments.applyOrExit(to: flags)
        theme = ThemeModel(flags)
        remote?.start()
    }
}
