import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import Testing

/// A situation of one flag, with the value and the source that every kind of reading must find.
struct ResolutionCase: Sendable {
    /// A value that the flag was pinned at before.
    enum Pin: Sendable { case end(Int), computed(Int), `default` }

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
        .init(value: 0, source: .default),
        .init(end: 1, value: 1, source: .provider("end")),
        .init(middle: 2, end: 1, value: 2, source: .provider("middle")),
        .init(middle: "two", end: 1, value: 1, source: .provider("end")),
        .init(middle: "two", end: 1.5, value: 0, source: .default),
        .init(middle: .null, end: 1, value: 1, source: .provider("end")),
        .init(excluded: 9, end: 1, value: 1, source: .provider("end")),
        .init(override: 3, middle: 2, value: 3, source: .provider("override")),
        .init(end: 1, lastOverride: 3, value: 1, source: .provider("end")),
        .init(lastOverride: 3, value: 3, source: .provider("last override")),
        .init(override: "x", end: 1, value: 1, source: .provider("end")),
        .init(excludedOverride: 9, end: 1, value: 1, source: .provider("end")),
        .init(hasClosure: true, middle: 2, value: 2, source: .provider("middle")),
        .init(override: 3, computed: 4, middle: 2, value: 4, source: .computed),
        .init(live: 7, middle: 2, value: 7, source: .provider("live")),
        .init(live: 7, isLocal: true, middle: 2, value: 2, source: .provider("middle")),
        .init(live: 7, isLocal: true, value: 0, source: .default),
    ]

    private static let pinned: [ResolutionCase] = [
        .init(pinned: .end(5), middle: 2, end: 1, value: 5, source: .provider("end")),
        .init(pinned: .end(5), computed: 4, value: 5, source: .provider("end")),
        .init(pinned: .end(5), override: 3, computed: 4, middle: 2, value: 3, source: .provider("override")),
        .init(pinned: .end(5), lastOverride: 3, value: 5, source: .provider("end")),
        .init(pinned: .end(5), override: "x", value: 5, source: .provider("end")),
        .init(pinned: .end(5), excludedOverride: 9, value: 5, source: .provider("end")),
        .init(pinned: .default, middle: 2, end: 1, value: 0, source: .default),
        .init(pinned: .default, override: 3, end: 1, value: 3, source: .provider("override")),
        .init(pinned: .default, end: 1, lastOverride: 3, value: 3, source: .provider("last override")),
        .init(pinned: .computed(5), computed: 4, end: 1, value: 5, source: .computed),
        .init(pinned: .computed(5), override: 3, end: 1, value: 5, source: .computed),
    ]

    private static let scoped: [ResolutionCase] = [
        .init(scoped: 6, pinned: .end(5), override: 3, computed: 4, middle: 2, end: 1, value: 6, source: .scope),
        .init(scoped: 6, computed: 4, value: 6, source: .scope),
        .init(scoped: 6, pinned: .default, value: 6, source: .scope),
        .init(scoped: 6, override: 3, value: 6, source: .scope),
    ]
}

/// A flag in the situation of a case.
struct ResolutionFixture: Sendable {
    /// A flag of the fixture: a property, or a case of an enum.
    enum Subject { case property, feature }

    /// A provider with the values of a store. The flags exclude the type with `Excluded`.
    struct StoredProvider<Kind>: FlagProvider {
        let name: String
        var traits: FlagProviderTraits = []
        let store = FlagProviderStore()
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    }

    enum Asked {}
    enum Excluded {}

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
        static var excluded: [any FlagProvider.Type] { [StoredProvider<Excluded>.self] }

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

    let override = StoredProvider<Asked>(name: "override", traits: .override)
    let excludedOverride = StoredProvider<Excluded>(name: "excluded override", traits: .override)
    let live = StoredProvider<Asked>(name: "live", traits: .live)
    let middle = MemoryProvider(name: "middle")
    let excluded = StoredProvider<Excluded>(name: "excluded")
    let end = MemoryProvider(name: "end")
    let lastOverride = StoredProvider<Asked>(name: "last override", traits: .override)
    let mode = FlagModeSwitch()
    let observer = LastResolutions()
    let loader: FlagsLoader<OrderFlags>
    let handle: FlagHandle<Int>
    let untyped: AnyFlagHandle
    /// Reads the property, or the case of the enum.
    let read: @Sendable () -> Int

    var key: FlagKeyPath { untyped.keyPath }

    /// Returns the provider whose value wins, unless it is pinned.
    func winner(of example: ResolutionCase) -> (any FlagProvider)? {
        guard case .provider(let id) = example.source, example.winningRow == id else { return nil }
        return loader.providers.first { $0.name == id }
    }

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
            read = { loader.features[feature] }
        case (_, false, false): (handle, read) = (loader.$plain, { loader.plain })
        case (_, true, false): (handle, read) = (loader.$pinned, { loader.pinned })
        case (_, false, true): (handle, read) = (loader.$computing, { loader.computing })
        case (_, true, true): (handle, read) = (loader.$both, { loader.both })
        }
        self.loader = loader
        untyped = try #require(handle.keyPath.flatMap { loader.flag(at: $0) })
    }

    /// Calls a closure in the situation of a case.
    func run(_ example: ResolutionCase, _ body: () async throws -> Void) async throws {
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
        try await OrderFlags.$computed.withValue(example.computed) {
            guard let scoped = example.scoped else { return try await body() }
            var scope = FlagScope()
            scope.set(
                scoped, for: FlagKeyPath.Identity(root: ObjectIdentifier(OrderFlags.self), ordinal: untyped.ordinal))
            try await FlagScope.run(scope, operation: body)
        }
    }
}
