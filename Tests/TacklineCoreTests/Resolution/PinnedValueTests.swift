import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

struct PinnedFlags: FlagCollectionProtocol {
    @Flag(default: 0, description: "Is never pinned")
    var live: Int
    @Flag(default: 0, updatePolicy: .session, description: "Pinned for a session")
    var session: Int
    @Flag(default: 0, updatePolicy: .nextLaunch, description: "Pinned until the next launch")
    var launch: Int
    @Flag(
        default: 0, updatePolicy: .session, computed: { (flags: PinnedFlags) in flags.live * 2 },
        description: "Computed once")
    var doubled: Int
}

@Suite("A flag with a pinned value")
struct PinnedValueTests {
    let memory = MemoryProvider(name: "memory", values: ["live": 1, "session": 1, "launch": 1])
    let overrides = WritableOverrides()
    let flags: FlagsLoader<PinnedFlags>

    /// An override that can be written to.
    final class WritableOverrides: WritableFlagProvider {
        let traits = FlagProviderTraits.override
        let name = "overrides"
        private let store = FlagProviderStore()

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
    }

    init() {
        flags = FlagsLoader(
            PinnedFlags.self, environment: .nonProduction, providers: [overrides, memory])
    }

    private func setAll(_ value: Int) {
        let value = EncodedFlagValue.integer(Int128(value))
        memory.setValues(["live": value, "session": value, "launch": value])
    }

    private var values: [Int] { [flags.live, flags.session, flags.launch, flags.doubled] }

    @Test("keeps the value of its first read, for a session or until the next launch")
    func pinning() {
        #expect(values == [1, 1, 1, 2])
        setAll(2)
        #expect(values == [2, 1, 1, 2])
        setAll(3)
        flags.beginSession()
        #expect(values == [3, 3, 1, 6])
        setAll(4)
        #expect(values == [4, 3, 1, 6])
        #expect(flags.$session.value == 3)
        // A new loader stands for the next launch.
        let relaunched = FlagsLoader(PinnedFlags.self, providers: [memory])
        #expect(relaunched.launch == 4)
    }

    @Test("is not pinned by an inspection")
    func inspecting() throws {
        let flag = try #require(flags.flag(at: "session"))
        #expect(flag.value == 1 && flag.updatePolicy == .session)
        #expect(flags.$session.resolution().value == 1)
        #expect(flags.$session.explain().pinned == nil)
        #expect(flags.snapshot().value(for: "session") == 1)
        setAll(2)
        #expect(flags.session == 2)
        setAll(3)
        #expect(flag.value == 2 && flags.$session.resolution().value == 2)
        #expect(flags.snapshot().value(for: "session") == 2)
        // The value of one provider is not pinned.
        #expect(flags.$session.flagValue(from: memory) == 3)
    }

    @Test("may be pinned at its default, and stays pinned when the chain changes")
    func defaults() {
        flags.providers = []
        #expect(flags.session == 0)
        flags.providers = [memory]
        #expect(flags.session == 0 && flags.live == 1)
        flags.$session.setDefault(7)
        #expect(flags.session == 1)
        flags.$session.setDefault(8)
        #expect(flags.session == 1)
    }

    @Test("takes the value of an override at once, and the pinned value again when that is gone")
    func overriding() throws {
        #expect(flags.session == 1)
        setAll(2)
        overrides.setValue(9, for: "session")
        #expect(flags.session == 9)
        #expect(flags.$session.resolution().value == 9 && flags.$session.resolution().source == .provider("overrides"))
        #expect(flags.$session.explain().source == .provider("overrides"))
        #expect(flags.snapshot().value(for: "session") == 9)
        overrides.setValue(nil, for: "session")
        #expect(flags.session == 1)
        flags.beginSession()
        overrides.setValue(9, for: "session")
        // The override answers the first read of the session, so no value is pinned yet.
        #expect(flags.session == 9)
        setAll(3)
        overrides.setValue(nil, for: "session")
        #expect(flags.session == 3)
    }

    @Test("takes a write through its handle at once if the provider answers for it before or after")
    func writing() throws {
        let low = MemoryProvider(name: "low", values: ["session": 5])
        flags.providers = [memory, low]
        #expect(flags.session == 1)
        try flags.$session.setValue(2, in: memory)
        #expect(flags.session == 2)
        memory.setValue(3, for: "session")
        // A write that doesn't decide the value leaves it pinned.
        try flags.$session.setValue(6, in: low)
        #expect(flags.session == 2)
        try flags.$session.resetValue(in: memory)
        #expect(flags.session == 6)
        try flags.flag(at: "session")?.setValue(7, inProviderNamed: "low")
        #expect(flags.session == 7)
    }

    @Test("is pinned anew when the mode is switched, whatever its policy is")
    func modes() throws {
        struct Live: FlagProvider {
            let traits = FlagProviderTraits.live
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { 8 }
            func observe(_ observer: FlagProviderObserver) -> Bool { true }
        }
        let mode = FlagModeSwitch()
        let flags = FlagsLoader(PinnedFlags.self, providers: [Live(), memory], mode: mode)
        #expect(flags.session == 8 && flags.launch == 8)
        try mode.setMode(.local)
        #expect(flags.session == 1 && flags.launch == 1)
    }

    @Test("gives way to a value of a scope, and pins no value that a closure or a provider computed in a scope")
    func scopes() throws {
        // The provider holds no loader, because the loader holds the provider.
        let live = flags.$live
        let provider = ClosureProvider { $0.text == "session" ? .integer(Int128(live.value)) : nil }
        let reading = FlagsLoader(PinnedFlags.self, providers: [provider, memory])
        #expect(flags.session == 1)
        var scope = FlagScope()
        let root = ObjectIdentifier(PinnedFlags.self)
        scope.set(5, for: .init(root: root, ordinal: try FlagProbe<PinnedFlags>.ordinal(of: \.session)))
        FlagScope.run(scope) { #expect(flags.session == 5 && flags.$session.explain().source == .scope) }
        scope = FlagScope()
        scope.set(50, for: .init(root: root, ordinal: try FlagProbe<PinnedFlags>.ordinal(of: \.live)))
        FlagScope.run(scope) { #expect(flags.doubled == 100 && reading.session == 50) }
        #expect(flags.session == 1 && flags.doubled == 2 && reading.session == 1)
        setAll(2)
        #expect(reading.session == 1 && reading.live == 2)
    }

    @Test("is explained with its pinned and its live value, and before with what the next read does")
    func explaining() {
        let unread = flags.$session.explain()
        #expect(
            unread.reason == "the first usable value in the chain; the next read pins it until a new session begins")
        #expect(flags.session == 1)
        setAll(2)
        let explanation = flags.$session.explain()
        #expect(explanation.reason == "pinned at its first read, until a new session begins")
        #expect(explanation.value == 1 && explanation.source == .provider("memory"))
        #expect(explanation.updatePolicy == .session && explanation.pinned?.pinnedSince != nil)
        #expect(explanation.providers.map(\.value) == [nil, 2])
        #expect(flags.$live.explain().pinned == nil && flags.$live.explain().updatePolicy == .live)
    }
}

@Suite("The changes of flags with pinned values", .hangLimit)
struct PinnedFlagChangesTests {
    let memory = MemoryProvider(name: "memory", values: ["live": 1, "session": 1, "launch": 1])

    @Test("come when a new session begins, and then only for flags that differ")
    func changes() async throws {
        let flags = FlagsLoader(PinnedFlags.self, providers: [memory])
        #expect(flags.session == 1 && flags.launch == 1 && flags.doubled == 2)
        var all = flags.changes.makeAsyncIterator()
        memory.setValues(["session": 2, "launch": 2])
        memory.setValues(["session": 3, "live": 5])
        var found = try await next(1, of: &all).map(\.description)
        flags.beginSession()
        found += try await next(2, of: &all).map(\.description)
        memory.setValues(["live": 6])
        found += try await next(1, of: &all).map(\.description)
        #expect(
            found == [
                "live: 1 → 5 (provider \"memory\")", "session: 1 → 3 (provider \"memory\")",
                "doubled: 2 → 10 (computed)", "live: 5 → 6 (provider \"memory\")",
            ])
    }
}
