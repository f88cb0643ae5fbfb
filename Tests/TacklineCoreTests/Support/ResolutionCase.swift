import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import Testing

/// A situation of one flag, with the value and the source that every kind of reading must find.
struct ResolutionCase: Sendable, CustomTestStringConvertible {
    /// A value that the flag was pinned at before.
    enum Pin: Sendable { case end(Int), computed(Int), `default` }

    let testDescription: String
    /// The value for the current task.
    var scoped: Int?
    var pinned: Pin?
    /// The value of the override at the start of the chain.
    var override: EncodedFlagValue?
    /// The value of an override of a type that the flag excludes.
    var excludedOverride: EncodedFlagValue?
    var computed: Int?
    /// Whether the flag has a closure although it computes no value.
    var hasClosure = false
    /// The value of a live provider before the one in the middle.
    var live: EncodedFlagValue?
    /// Whether the mode is local.
    var isLocal = false
    /// The value of the provider in the middle.
    var middle: EncodedFlagValue?
    /// The value of a provider of a type that the flag excludes.
    var excluded: EncodedFlagValue?
    /// The value of the provider at the end.
    var end: EncodedFlagValue?
    /// The value of the override behind all other providers.
    var lastOverride: EncodedFlagValue?
    let value: Int
    let source: FlagSource

    /// The name of the winner's row in an explanation.
    var winningRow: String {
        let pinnedSource: FlagSource? =
            switch pinned {
            case .end: .provider("end")
            case .computed: .computed
            case .default: .default
            case nil: nil
            }
        if source == pinnedSource { return "pinned" }
        return if case .provider(let id) = source { id } else { "\(source)" }
    }

    /// Whether only a flag with a closure can be in the situation.
    var needsClosure: Bool {
        if case .computed = pinned { true } else { computed != nil || hasClosure }
    }

    /// Whether a case of an enum, which has neither a closure nor excluded providers, can be in the situation.
    var fitsFeature: Bool { !needsClosure && excluded == nil && excludedOverride == nil }

    /// The table of the resolution order.
    static let all: [ResolutionCase] = unpinned + pinned + scoped

    private static let unpinned: [ResolutionCase] = [
        .init(testDescription: "nothing", value: 0, source: .default),
        .init(testDescription: "the end", end: 1, value: 1, source: .provider("end")),
        .init(testDescription: "the middle before the end", middle: 2, end: 1, value: 2, source: .provider("middle")),
        .init(testDescription: "refused in the middle", middle: "two", end: 1, value: 1, source: .provider("end")),
        .init(testDescription: "refused everywhere", middle: "two", end: 1.5, value: 0, source: .default),
        .init(testDescription: "null in the middle", middle: .null, end: 1, value: 1, source: .provider("end")),
        .init(testDescription: "an excluded provider", excluded: 9, end: 1, value: 1, source: .provider("end")),
        .init(
            testDescription: "an override before the middle", override: 3, middle: 2, value: 3,
            source: .provider("override")),
        .init(
            testDescription: "an override behind the end", end: 1, lastOverride: 3, value: 1, source: .provider("end")),
        .init(
            testDescription: "an override alone behind the end", lastOverride: 3, value: 3,
            source: .provider("last override")),
        .init(testDescription: "a refused override", override: "x", end: 1, value: 1, source: .provider("end")),
        .init(testDescription: "an excluded override", excludedOverride: 9, end: 1, value: 1, source: .provider("end")),
        .init(
            testDescription: "a closure without a value", hasClosure: true, middle: 2, value: 2,
            source: .provider("middle")),
        .init(
            testDescription: "computed before overrides and providers", override: 3, computed: 4, middle: 2, value: 4,
            source: .computed),
        .init(testDescription: "a live provider", live: 7, middle: 2, value: 7, source: .provider("live")),
        .init(
            testDescription: "a live provider in local mode", live: 7, isLocal: true, middle: 2, value: 2,
            source: .provider("middle")),
        .init(
            testDescription: "only a live provider in local mode", live: 7, isLocal: true, value: 0, source: .default),
    ]

    private static let pinned: [ResolutionCase] = [
        .init(
            testDescription: "pinned before the providers", pinned: .end(5), middle: 2, end: 1, value: 5,
            source: .provider("end")),
        .init(
            testDescription: "pinned before a computed value", pinned: .end(5), computed: 4, value: 5,
            source: .provider("end")),
        .init(
            testDescription: "an override before a pinned value", pinned: .end(5), override: 3, computed: 4, middle: 2,
            value: 3, source: .provider("override")),
        .init(
            testDescription: "an override behind the provider of a pinned value", pinned: .end(5), lastOverride: 3,
            value: 5, source: .provider("end")),
        .init(
            testDescription: "a refused override before a pinned value", pinned: .end(5), override: "x", value: 5,
            source: .provider("end")),
        .init(
            testDescription: "an excluded override before a pinned value", pinned: .end(5), excludedOverride: 9,
            value: 5, source: .provider("end")),
        .init(
            testDescription: "a pinned default before the providers", pinned: .default, middle: 2, end: 1, value: 0,
            source: .default),
        .init(
            testDescription: "an override before a pinned default", pinned: .default, override: 3, end: 1, value: 3,
            source: .provider("override")),
        .init(
            testDescription: "an override behind the end before a pinned default", pinned: .default, end: 1,
            lastOverride: 3, value: 3, source: .provider("last override")),
        .init(
            testDescription: "a pinned computed value before the new one", pinned: .computed(5), computed: 4, end: 1,
            value: 5, source: .computed),
        .init(
            testDescription: "a pinned computed value before an override", pinned: .computed(5), override: 3, end: 1,
            value: 5, source: .computed),
    ]

    private static let scoped: [ResolutionCase] = [
        .init(
            testDescription: "the task before everything", scoped: 6, pinned: .end(5), override: 3, computed: 4,
            middle: 2, end: 1, value: 6, source: .scope),
        .init(
            testDescription: "the task before a computed value", scoped: 6, computed: 4, value: 6, source: .scope),
        .init(
            testDescription: "the task before a pinned default", scoped: 6, pinned: .default, value: 6, source: .scope),
        .init(testDescription: "the task before an override", scoped: 6, override: 3, value: 6, source: .scope),
    ]
}

/// A flag in the situation of a case.
struct ResolutionFixture {
    /// A flag of the fixture: a property, or a case of an enum.
    enum Subject { case property, feature }

    /// A provider with the values of a store, whose type the flags exclude.
    struct ExcludedProvider: FlagProvider {
        let store = FlagProviderStore()
        let name = "excluded"
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    }

    struct ExcludedOverride: FlagProvider {
        let traits = FlagProviderTraits.override
        let store = FlagProviderStore()
        let name = "excluded override"
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    }

    struct StoredProvider: FlagProvider {
        let traits: FlagProviderTraits
        let name: String
        let store = FlagProviderStore()
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    }

    /// The last value of each flag that an observer received.
    final class LastResolutions: FlagResolutionObserver {
        private let last = Mutex<[FlagKeyPath: FlagResolution<EncodedFlagValue>]>([:])
        subscript(key: FlagKeyPath) -> FlagResolution<EncodedFlagValue>? { last.withLock { $0[key] } }
        func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) { last.withLock { $0[flag.key] = flag } }
    }

    enum OrderFeature: String, FlagFeature {
        typealias Value = Int
        case plainFeature, pinnedFeature
        var defaultValue: Int { 0 }
        var updatePolicy: FlagUpdatePolicy { self == .pinnedFeature ? .session : .live }
    }

    struct OrderFlags: FlagCollectionProtocol {
        @TaskLocal static var computed: Int?
        static var excluded: [any FlagProvider.Type] { [ExcludedProvider.self, ExcludedOverride.self] }

        @Flag(default: 0, excludedProviders: excluded)
        var plain: Int
        @Flag(default: 0, excludedProviders: excluded, updatePolicy: .session)
        var pinned: Int
        @Flag(default: 0, excludedProviders: excluded, computedValue: { OrderFlags.computed })
        var computing: Int
        @Flag(default: 0, excludedProviders: excluded, updatePolicy: .session, computedValue: { OrderFlags.computed })
        var both: Int
        @FlagCollection(keyConfiguration: .skip)
        var features: FlagFeatureCollection<OrderFeature>
    }

    let override = StoredProvider(traits: .override, name: "override")
    let excludedOverride = ExcludedOverride()
    let live = StoredProvider(traits: .live, name: "live")
    let middle = MemoryProvider(name: "middle")
    let excluded = ExcludedProvider()
    let end = MemoryProvider(name: "end")
    let lastOverride = StoredProvider(traits: .override, name: "last override")
    let mode = FlagModeSwitch()
    let observer = LastResolutions()
    let loader: FlagsLoader<OrderFlags>
    let handle: FlagHandle<Int>
    let untyped: AnyFlagHandle
    /// Reads the property, or the case of the enum.
    let read: () -> Int

    var key: FlagKeyPath { untyped.keyPath }

    init(_ example: ResolutionCase, _ subject: Subject = .property) throws {
        let chain: [any FlagProvider] = [override, excludedOverride, live, middle, excluded, end, lastOverride]
        let loader = FlagsLoader(
            OrderFlags.self, environment: .nonProduction, providers: chain, mode: mode, issueReporter: .silent,
            observers: [observer])
        let isComputed = example.needsClosure
        switch (subject, isPinned: example.pinned != nil, isComputed: isComputed) {
        case (.feature, let isPinned, _):
            let feature: OrderFeature = isPinned ? .pinnedFeature : .plainFeature
            handle = try #require(loader.features.handle(of: feature))
            read = { loader.features.value(of: feature) }
        case (_, false, false): (handle, read) = (loader.$plain, { loader.plain })
        case (_, true, false): (handle, read) = (loader.$pinned, { loader.pinned })
        case (_, false, true): (handle, read) = (loader.$computing, { loader.computing })
        case (_, true, true): (handle, read) = (loader.$both, { loader.both })
        }
        self.loader = loader
        untyped = try #require(handle.keyPath.flatMap { loader.flag(at: $0) })
    }

    /// Calls a closure in the situation of a case.
    func run(_ example: ResolutionCase, _ body: () async -> Void) async throws {
        switch example.pinned {
        case .end(let value):
            end.setValue(.integer(Int128(value)), for: key)
            #expect(read() == value)
        case .computed(let value): OrderFlags.$computed.withValue(value) { #expect(read() == value) }
        case .default: #expect(read() == 0)
        case nil: break
        }
        if example.isLocal { try mode.setMode(.local) }
        lastOverride.store.setValue(example.lastOverride, for: key)
        end.setValue(example.end, for: key)
        excluded.store.setValue(example.excluded, for: key)
        middle.setValue(example.middle, for: key)
        live.store.setValue(example.live, for: key)
        excludedOverride.store.setValue(example.excludedOverride, for: key)
        override.store.setValue(example.override, for: key)
        await OrderFlags.$computed.withValue(example.computed) {
            guard let scoped = example.scoped else { return await body() }
            var scope = FlagScope()
            scope.set(
                scoped, for: FlagKeyPath.Identity(root: ObjectIdentifier(OrderFlags.self), ordinal: untyped.ordinal))
            await FlagScope.run(scope, operation: body)
        }
    }
}
