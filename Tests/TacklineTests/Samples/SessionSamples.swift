import Tackline
import Testing

// What the guide "Following changes, and keeping values still" shows, so that it is run.

final class SessionSamples: Sendable {
    struct AppFlags: FlagCollectionProtocol {
        @Flag(default: 3, updatePolicy: .session, description: "Steps of the checkout")
        var checkoutSteps: Int

        @Flag(default: "list", updatePolicy: .nextLaunch, description: "The start screen")
        var startScreen: String

        @Flag(default: false, description: "The banner of the day")
        var showsBanner: Bool
    }

    enum Screen: String, FlagFeature {
        case newSettings, banner

        var updatePolicy: FlagUpdatePolicy { self == .newSettings ? .session : .live }
    }

    let flags: FlagsLoader<AppFlags>

    init(remote: MemoryProvider) {
        flags = FlagsLoader(AppFlags.self, providers: [remote])
    }

    func appDidBecomeActive() {
        flags.beginSession()
    }

    func explaining() {
        print(flags.$checkoutSteps.explain())
    }

    func following() async {
        for await steps in flags.$checkoutSteps.values {
            print("\(steps) steps from here on")
        }
    }
}

@Suite("The guide \"Sessions\"")
struct SessionSampleTests {
    @Test("shows code that does what it says")
    func running() {
        let remote = MemoryProvider(name: "remote", values: ["checkout_steps": 3])
        let app = SessionSamples(remote: remote)
        #expect(app.flags.checkoutSteps == 3 && app.flags.startScreen == "list" && !app.flags.showsBanner)
        remote.setValues(["checkout_steps": 2, "start_screen": "map", "shows_banner": true])
        #expect(app.flags.checkoutSteps == 3 && app.flags.startScreen == "list" && app.flags.showsBanner)
        let text = app.flags.$checkoutSteps.explain().description
        #expect(text.contains("> pinned   3 since ") && text.contains("\n    remote   2\n    default  3"))
        app.explaining()
        app.appDidBecomeActive()
        #expect(app.flags.checkoutSteps == 2 && app.flags.startScreen == "list")
    }
}
