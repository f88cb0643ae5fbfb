import Tackline

// The sources of an app whose default isolation is `MainActor`, as in a new project of Xcode 26. `.ci/steps/isolation` compiles
// and runs them in language modes 5 and 6, with warnings as errors.

enum Theme: String, FlagValue {
    case light, dark
}

struct Limits: Codable, FlagValue, Equatable {
    var attempts: Int
    var names: [String]
}

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout")
    var newCheckout: Bool

    @Flag(default: Theme.light, description: "The colors")
    var theme: Theme

    @Flag(default: Limits(attempts: 3, names: []), description: "Several limits")
    var limits: Limits

    @Flag(default: false, computed: { (flags: AppFlags) in flags.newCheckout && flags.secrets.oneClick })
    var oneClickCheckout: Bool

    @FlagCollection(description: "Not yet announced")
    var secrets: SecretFlags
}

struct SecretFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Buys with one click")
    var oneClick: Bool
}

enum AppFeature: String, FlagFeature {
    case search, debugMenu
}

/// A provider that is a struct.
struct RegionDefaults: FlagProvider {
    let name = "region"

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key == "theme" ? "dark" : nil }
}

/// A provider that keeps values and notifies observers.
final class Settings: WritableFlagProvider {
    private let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
}

/// A type of the main actor that observes flags, as a view controller does.
final class Screen {
    var theme = Theme.light
    var changes: [String] = []
    private var observations: [FlagObservation] = []

    func observe(_ flags: FlagsLoader<AppFlags>) {
        observations = [
            flags.$theme.observeValues { [weak self] theme in self?.theme = theme },
            flags.$newCheckout.observeChanges { [weak self] change in self?.changes.append("\(change.new)") },
            flags.changes.observe { [weak self] change in self?.changes.append("\(change.keyPath)") },
        ]
    }
}

@main
struct App {
    static func main() async throws {
        let settings = Settings()
        let flags = FlagsLoader(AppFlags.self, providers: [settings, RegionDefaults()])
        let features = FlagsLoader(AppFeature.self, providers: [MemoryProvider(values: ["search": true])])
        precondition(flags.theme == .dark && flags.limits.attempts == 3 && features.isEnabled(.search))
        let screen = Screen()
        screen.observe(flags)
        try flags.$newCheckout.setValue(true)
        settings.setValue(true, for: "secrets/one_click")
        precondition(flags.oneClickCheckout)
        // The closures run on the main actor, which this function gives up while it waits.
        while screen.theme != .dark || screen.changes.count < 3 { await Task.yield() }
        print("theme \(screen.theme), changes \(screen.changes.sorted())")
    }
}
