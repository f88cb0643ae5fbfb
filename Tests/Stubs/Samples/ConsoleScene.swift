// The sample of the guide "The web console" for phones.
#if Web
    import SwiftUI
    import TacklineCore
    import TacklineWeb

    struct ConsoleScene: View {
        let console: FlagsConsole
        @Environment(\.scenePhase) private var scenePhase

        var body: some View {
            Text("Shop").task(id: scenePhase) {
                guard scenePhase == .active else { return }
                do {
                    try await console.run { url in print("Flags: \(url)") }
                } catch {
                    print(error)
                }
            }
        }
    }
#endif
