import Foundation
import Synchronization
import TacklineBrowser
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import Testing

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

/// The usual browser of a test: overrides, a remote provider, region defaults, and a time that the test moves.
struct Bench {
    let clock = MovableClock()
    let overrides: FlagOverrides
    let remote = ReadOnlyMemory(name: "remote")
    let region = MemoryProvider(name: "region")
    let loader: FlagsLoader<BrowserFlags>
    let browser: FlagsBrowser

    init(access: FlagsBrowser.Access = .full, destination: String? = nil, showsInternalFlags: Bool = false) {
        let clock = clock
        overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction, now: { clock.now })
        loader = FlagsLoader(
            BrowserFlags.self, description: FlagMetadata(name: "Shop", description: "All about shopping"),
            environment: .nonProduction, providers: [overrides, remote, region], issueReporter: .silent)
        browser = FlagsBrowser(
            roots: [loader.root], access: access, destination: destination, showsInternalFlags: showsInternalFlags,
            now: { clock.now })
    }

    func flag(_ key: String) -> FlagsBrowserFlag? { browser.snapshot().flags.first { $0.key == key } }

    /// Sets a flag of the collection.
    @discardableResult
    func set(
        _ key: String, _ text: String?, in destination: String? = nil, until seconds: Double? = nil,
        by author: String? = nil
    ) async throws -> FlagsBrowserReply {
        let expires = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
        return try await browser.perform(
            .set(flag: "BrowserFlags:\(key)", text: text, destination: destination, expires: expires), by: author)
    }
}

extension FlagsBrowser {
    /// Performs the command that undoes an edit.
    @discardableResult
    func undo(_ reply: FlagsBrowserReply) async throws -> FlagsBrowserReply {
        try await perform(try #require(reply.undo))
    }

    /// Returns the error of a command, or `nil` if there is none.
    func failure(_ command: FlagsBrowserCommand) async -> FlagsBrowserError? {
        do throws(FlagsBrowserError) {
            try await perform(command)
            return nil
        } catch {
            return error
        }
    }
}

/// A moment that a test moves.
final class MovableClock: Sendable {
    private let seconds = Mutex(0.0)
    func move(to seconds: Double) { self.seconds.withLock { $0 = seconds } }
    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }
}

/// Values that cannot be written through a browser.
final class ReadOnlyMemory: FlagProvider {
    let name: String
    let memory = MemoryProvider()

    init(name: String) { self.name = name }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
}

/// A provider of somebody else's that passes everything on to overrides, perhaps under other keys.
struct Wrapper: WritableFlagProvider {
    let base: FlagOverrides
    var prefix = ""
    let name = "wrapper"
    var wrappedProviders: [any FlagProvider] { [base] }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { base.value(for: FlagKeyPath(prefix + key.text)) }
    func observe(_ observer: FlagProviderObserver) -> Bool { prefix.isEmpty && base.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        try base.setValue(value, for: FlagKeyPath(prefix + key.text))
    }
}

/// Counts its writes, and may have no room for any key or for one.
final class CountedProvider: WritableFlagProvider {
    private let memory = MemoryProvider()
    private let state = Mutex((count: 0, isFull: false, refused: FlagKeyPath?.none))
    var count: Int { state.withLock { $0.count } }
    func fill() { state.withLock { $0.isFull = true } }
    func refuse(_ key: FlagKeyPath?) { state.withLock { $0.refused = key } }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        let isRefused = state.withLock { state in
            state.count += 1
            return state.isFull || state.refused == key
        }
        if isRefused { throw FlagError(.inputOutput, provider: name, reason: "no room") }
        memory.setValue(value, for: key)
    }
}
