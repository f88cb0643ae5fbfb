import Synchronization
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("A browser of flags whose overrides are allowed at run time", .hangLimit)
final class FlagsBrowserPermissionTests: Sendable {
    private let isPermitted = Mutex(false)
    private let memory = MemoryProvider(name: "memory")
    private let set = FlagsBrowserCommand.set(flag: "SearchFlags:engine", text: "slow")

    private func overrides() -> FlagOverrides {
        FlagOverrides(
            storage: MemoryProvider(), environment: .production, isAllowed: { [self] in isPermitted.withLock { $0 } })
    }

    private func loader(
        _ providers: [any FlagProvider], _ environment: DeploymentEnvironment
    ) -> FlagsLoader<SearchFlags> {
        FlagsLoader(SearchFlags.self, environment: environment, providers: providers, issueReporter: .silent)
    }

    @Test(
        "is open while they are, and only then, in production and elsewhere",
        arguments: [false, true], [DeploymentEnvironment.production, .nonProduction])
    func permitted(isWrapped: Bool, environment: DeploymentEnvironment) async {
        let overrides = overrides()
        let provider: any FlagProvider = isWrapped ? Wrapper(base: overrides) : overrides
        let browser = FlagsBrowser(loader([provider, memory], environment))
        #expect(!browser.allowsOverrides && !FlagsBrowser.Availability.whereOverridesAreAllowed.admits(browser))
        #expect(browser.snapshot().readOnlyReason?.message.contains("isAllowed") == true)
        #expect(browser.snapshot().flags[0].refusal?.code == .production)
        #expect(await browser.failure(set)?.code == .production)
        isPermitted.withLock { $0 = true }
        #expect(browser.allowsOverrides && FlagsBrowser.Availability.whereOverridesAreAllowed.admits(browser))
        #expect(browser.snapshot().readOnlyReason == nil && browser.snapshot().flags[0].refusal == nil)
        #expect(await browser.failure(set)?.code == nil)
        #expect(overrides.value(for: "engine") == "slow")
        isPermitted.withLock { $0 = false }
        #expect(await browser.failure(set)?.code == .production)
        #expect(await browser.failure(.exportBundle())?.code == .production)
        #expect(browser.snapshot().flags[0].refusal?.code == .production)
    }

    @Test("writes in production to them and to no other provider, and of several loaders to those that have them")
    func destinations() async {
        isPermitted.withLock { $0 = true }
        let browser = FlagsBrowser(loader([overrides(), memory], .production))
        #expect(browser.snapshot().destinations.map(\.id) == ["overrides"])
        let toMemory = FlagsBrowserCommand.set(
            flag: "SearchFlags:engine", text: "slow", destination: "memory")
        #expect(await browser.failure(toMemory)?.code == .unknownDestination)
        #expect(memory.value(for: "engine") == nil)
        let open = FlagsBrowser(loader([overrides(), memory], .nonProduction))
        #expect(open.snapshot().destinations.map(\.id) == ["overrides", "memory"])
        let other = FlagsLoader(
            BrowserFlags.self, environment: .production, providers: [memory], issueReporter: .silent)
        let both = FlagsBrowser(loader([overrides()], .production), other)
        #expect(both.allowsOverrides)
        #expect(await both.failure(set)?.code == nil)
        #expect(await both.failure(.set(flag: "BrowserFlags:attempts", text: "1"))?.code == .production)
    }

    @Test("without such overrides is closed in production, unless somebody asked for it by its name")
    func dangerously() async throws {
        let flags = loader([memory], .production)
        let strict = FlagsBrowser(flags)
        for command in [set, .exportBundle(), .importBundle(bundle: "{}"), .restore(values: [])] {
            #expect(await strict.failure(command)?.code == .production)
        }
        #expect(strict.snapshot().readOnlyReason?.code == .production)
        try await FlagsBrowser(flags, access: .dangerouslyEditingInProduction).perform(set)
        #expect(memory.value(for: "engine") == "slow")
    }

    @Test("is available where the rule says so, and by default where overrides are allowed")
    func availability() {
        func browser(_ environment: DeploymentEnvironment) -> FlagsBrowser { FlagsBrowser(loader([], environment)) }
        let rule = FlagsBrowser.Availability.whereOverridesAreAllowed
        #expect(rule.admits(browser(.nonProduction)) && rule.admits(browser(.simulator)))
        #expect(!rule.admits(browser(.production)))
        #expect(rule.admits(browser(.production.dangerouslyAdmittingOverridesInProduction())))
        #expect(FlagsBrowser.Availability.dangerouslyEverywhere.admits(browser(.production)))
        let staging = browser(.init(name: "staging", isProduction: true))
        #expect(FlagsBrowser.Availability { $0.name == "staging" }.admits(staging) && !rule.admits(staging))
    }
}
