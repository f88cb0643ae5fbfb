import Foundation
import Synchronization
import TacklineBrowser
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides

enum Layout: String, CaseIterable, FlagValue { case list, grid, map }
enum Level: Int, CaseIterable, FlagValue { case low = 1, high = 10 }
enum Codes: String, FlagValue { case first = "a", second = "b" }
struct Limits: Codable, FlagValue, Equatable { var attempts: Int; var seconds: Double }

struct BrowserFlags: FlagCollectionProtocol {
    @Flag(
        default: false,
        description: FlagMetadata(
            description: "The checkout in two steps", order: 1, tags: ["payment", "Kasse"], owner: "Zoë Müller",
            ticket: "SHOP-12"))
    var newCheckout: Bool

    @Flag(default: 3, description: "How often a payment is tried")
    var attempts: UInt8

    @Flag(default: "list", description: FlagMetadata(description: "How results are shown", order: -1))
    var title: String

    @Flag(default: .list, description: "How results are laid out")
    var layout: Layout

    @Flag(default: nil, description: "The nearest shop")
    var shop: Int?

    @Flag(default: Limits(attempts: 3, seconds: 1.5), description: "Limits of the service")
    var limits: Limits

    @FlagCollection(description: "Experiments not yet announced")
    var secrets: Secrets

    struct Secrets: FlagCollectionProtocol {
        @Flag(
            default: 0.5,
            description: FlagMetadata(
                description: "Old ratio", expiryDate: Date(timeIntervalSinceReferenceDate: 1000)))
        var ratio: Double

        @Flag(default: false, description: FlagMetadata(description: "Nobody may touch it", isLocked: true))
        var isSealed: Bool

        @FlagCollection(description: "Deeper still")
        var deep: Deep
    }

    struct Deep: FlagCollectionProtocol {
        @Flag(default: Date(timeIntervalSinceReferenceDate: 0), description: "The day of the launch")
        var launch: Date

        @Flag(default: false, description: FlagMetadata(description: "For developers", isInternal: true))
        var tracing: Bool
    }
}

struct SearchFlags: FlagCollectionProtocol {
    @Flag(default: "fast", description: "The engine")
    var engine: String

    @Flag(default: 1, computedValue: { 7 }, description: "Always seven")
    var seven: Int
}

/// The usual browser of a test: overrides, a remote provider, region defaults.
struct Bench {
    let overrides = FlagOverrides(
        storage: MemoryProvider(), environment: .nonProduction, now: { Date(timeIntervalSinceReferenceDate: 0) })
    let remote = ReadOnlyMemory(name: "remote")
    let region = MemoryProvider(name: "region")
    let loader: FlagsLoader<BrowserFlags>
    let browser: FlagsBrowser

    init(_ configure: (inout FlagsBrowserConfiguration) -> Void = { _ in }) {
        loader = FlagsLoader(
            BrowserFlags.self, description: FlagMetadata(name: "Shop", description: "All about shopping"),
            environment: .nonProduction, providers: [overrides, remote, region], issueReporter: .silent)
        var configuration = FlagsBrowserConfiguration()
        configuration.now = { Date(timeIntervalSinceReferenceDate: 0) }
        configure(&configuration)
        browser = FlagsBrowser(loader, configuration: configuration)
    }

    func flag(_ key: String) -> FlagsBrowserFlag? { browser.snapshot().flags.first { $0.key == key } }
}

/// Values that cannot be written through a browser.
final class ReadOnlyMemory: FlagProvider {
    let name: String
    let memory = MemoryProvider()

    init(name: String) { self.name = name }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
}

/// Counts how often it is asked.
final class CountingProvider: FlagProvider {
    let memory = MemoryProvider()
    private let count = Atomic<Int>(0)

    var questions: Int { count.load(ordering: .relaxed) }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        count.add(1, ordering: .relaxed)
        return memory.value(for: key)
    }
    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
}
