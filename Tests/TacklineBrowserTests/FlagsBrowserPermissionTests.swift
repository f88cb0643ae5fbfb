import Synchronization
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("A browser of flags whose overrides are allowed at run time", .hangLimit)
struct FlagsBrowserPermissionTests {
    /// A switch for the permission.
    private final class Permission: Sendable {
        private let value: Mutex<Bool>
        init(_ value: Bool) { self.value = Mutex(value) }
        var isGiven: Bool {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    private let permission = Permission(false)
    private let memory = MemoryProvider(name: "memory")
    private let set = FlagsBrowserCommand.set(flag: "SearchFlags:engine", to: .text("slow"))

    private func overrides() -> FlagOverrides {
        FlagOverrides(
            storage: MemoryProvider(), environment: .production, isAllowed: { [permission] in permission.isGiven })
    }

    private func loader(
        _ providers: [any FlagProvider], _ environment: DeploymentEnvironment
    ) -> FlagsLoader<SearchFlags> {
        FlagsLoader(SearchFlags.self, environment: environment, providers: providers, issueReporter: .silent)
    }

    private func code(_ browser: FlagsBrowser, _ command: FlagsBrowserCommand) async -> FlagsBrowserError.Code? {
        do throws(FlagsBrowserError) {
            try await browser.perform(command)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("is open in production while they are, and only then")
    func production() async {
        for isWrapped in [false, true] {
            await Self().production(isWrapped: isWrapped)
        }
    }

    private func production(isWrapped: Bool) async {
        let overrides = overrides()
        let provider: any FlagProvider = isWrapped ? Wrapper(base: overrides) : overrides
        let browser = FlagsBrowser(loader([provider, memory], .production))
        #expect(!browser.allowsOverrides && !FlagsBrowserAvailability.whereOverridesAreAllowed.admits(browser))
        #expect(browser.snapshot().isReadOnly && browser.snapshot().flags[0].refusal?.code == .production)
        #expect(await code(browser, set) == .production)
        permission.isGiven = true
        #expect(browser.allowsOverrides && FlagsBrowserAvailability.whereOverridesAreAllowed.admits(browser))
        #expect(!browser.snapshot().isReadOnly && browser.snapshot().flags[0].refusal == nil)
        #expect(await code(browser, set) == nil)
        #expect(overrides.value(for: "engine") == "slow")
        permission.isGiven = false
        #expect(await code(browser, set) == .production)
        #expect(await code(browser, .exportBundle()) == .production)
        #expect(browser.snapshot().flags[0].refusal?.code == .production)
    }

    @Test("writes in production to them and to no other provider")
    func destinations() async {
        permission.isGiven = true
        let browser = FlagsBrowser(loader([overrides(), memory], .production))
        #expect(browser.snapshot().destinations.map(\.id) == ["overrides"])
        let toMemory = FlagsBrowserCommand.set(
            flag: "SearchFlags:engine", to: .text("slow"), destination: "memory")
        #expect(await code(browser, toMemory) == .unknownDestination)
        #expect(memory.value(for: "engine") == nil)
        let open = FlagsBrowser(loader([overrides(), memory], .nonProduction))
        #expect(open.snapshot().destinations.map(\.id) == ["overrides", "memory"])
    }

    @Test("of several loaders in production edits the flags of those that allow it")
    func severalLoaders() async {
        permission.isGiven = true
        let other = FlagsLoader(
            BrowserFlags.self, environment: .production, providers: [memory], issueReporter: .silent)
        let browser = FlagsBrowser(loader([overrides()], .production), other)
        #expect(browser.allowsOverrides)
        #expect(await code(browser, set) == nil)
        #expect(await code(browser, .set(flag: "BrowserFlags:attempts", to: .text("1"))) == .production)
    }

    @Test("is closed outside of production, too, while they are not allowed")
    func nonProduction() async {
        let browser = FlagsBrowser(loader([overrides(), memory], .nonProduction))
        #expect(!browser.allowsOverrides)
        #expect(await code(browser, set) == .production)
        #expect(browser.snapshot().readOnlyReason?.message.contains("isAllowed") == true)
    }

    /// A provider that passes everything on.
    private struct Wrapper: WritableFlagProvider {
        let base: FlagOverrides
        let name = "overrides"
        var wrappedProviders: [any FlagProvider] { [base] }
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { base.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { base.observe(observer) }
        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
            try base.setValue(value, for: key)
        }
    }
}
