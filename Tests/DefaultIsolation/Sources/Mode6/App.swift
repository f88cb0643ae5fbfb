import Foundation
import Observation
import Synchronization
import Tackline
import TacklineBrowser
import TacklineTargeting

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
            flags.root.observeChanges { [weak self] change in self?.changes.append("\(change.key)") },
        ]
    }
}

/// A model of the main actor that a view would read.
@Observable final class Model {
    private(set) var isNew = false
    @ObservationIgnored private var observation: FlagObservation?

    init(_ flags: FlagsLoader<AppFlags>) {
        observation = flags.$newCheckout.observeValues { [weak self] isNew in self?.isNew = isNew }
    }
}

/// A type of the main actor whose state is used by closures that are called at once.
final class Cart {
    static let shared = Cart()
    let flags = FlagsLoader(AppFlags.self, providers: [])
    private(set) var count = 0

    func fill(_ context: CurrentContext) async throws {
        flags.updateProviders { chain in
            count += 1
            chain.append(MemoryProvider(values: ["theme": "dark"]))
        }
        context.update { $0["items"] = .integer(Int128(count)) }
        withEvaluationContext(["plan": "pro"]) { count += 1 }
        try await withEvaluationContext(["plan": "pro"]) {
            try await Task.sleep(for: .milliseconds(1))
            count += 1
        }
    }
}

/// A person who signs in. What the closure `isAllowed` reads is safe from any thread.
nonisolated final class Session: Sendable {
    private let signedIn = Atomic<Bool>(false)

    var isEmployee: Bool { signedIn.load(ordering: .relaxed) }
    func signIn() { signedIn.store(true, ordering: .relaxed) }
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
        try await parts(flags)
    }

    /// The parts of an app beside the core, each with its name.
    private static func parts(_ flags: FlagsLoader<AppFlags>) async throws {
        var parts: [String] = []
        let session = Session()
        let overrides = FlagOverrides(
            storage: MemoryProvider(), environment: .production, isAllowed: { session.isEmployee })
        let shop = FlagsLoader(AppFlags.self, environment: .production, providers: [overrides])
        session.signIn()
        precondition(overrides.updatePermission())
        try shop.$newCheckout.setValue(true)
        precondition(shop.newCheckout)
        parts.append("overrides")

        let browser = FlagsBrowser(shop)
        try shop.$theme.setValue(.dark)
        precondition(browser.allowsOverrides && shop.theme == .dark)
        parts.append("browser")

        let model = Model(shop)
        while !model.isNew { await Task.yield() }
        parts.append("model")

        let context = CurrentContext(EvaluationContext(targetingKey: "user-1", attributes: ["plan": "gold"]))
        let rules = DefinitionsProvider(
            try FlagDefinitions(json: Data("{\"flags\": {}}".utf8)), context: .current(context))
        precondition(FlagsLoader(AppFlags.self, providers: [rules]).theme == .light)
        parts.append("rules")

        try await Cart.shared.fill(context)
        precondition(Cart.shared.count == 3 && Cart.shared.flags.theme == .dark)
        precondition(context.context["items"] == 1)
        parts.append("closures")

        print("parts: \(parts.joined(separator: ", "))")
    }
}
