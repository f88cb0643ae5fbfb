import Combine
import Foundation
@preconcurrency import OpenFeature
import Synchronization
import Tackline
import TacklineOpenFeature
import TacklineTargeting
import TacklineTesting
import Testing

@Suite("A loader, as a provider for OpenFeature's client") struct FlagsFeatureProviderTests {
    private let memory = MemoryProvider(values: [
        "new_checkout": true, "page_size": 50, "ratio": 0.25, "theme": "dark", "payment": "invoice", "regions": ["de"],
        "limits": ["perDay": 5, "names": ["x"]], "start": .date(Date(timeIntervalSince1970: 1)),
    ])

    private func loader(_ providers: any FlagProvider...) -> FlagsLoader<ShopFlags> {
        FlagsLoader(ShopFlags.self, providers: providers)
    }

    @Test("gives each type its value, and its source in the metadata")
    func types() async {
        let client = await makeAPI(FlagsFeatureProvider(loader(memory))).getClient()
        #expect(client.getBooleanValue(key: "new_checkout", defaultValue: false))
        #expect(client.getIntegerValue(key: "page_size", defaultValue: 1) == 50)
        #expect(client.getDoubleValue(key: "ratio", defaultValue: 1) == 0.25)
        #expect(client.getDoubleValue(key: "page_size", defaultValue: 1) == 50)
        #expect(client.getStringValue(key: "theme", defaultValue: "") == "dark")
        #expect(client.getStringValue(key: "payment", defaultValue: "") == "invoice")
        #expect(client.getStringValue(key: "start", defaultValue: "") == "1970-01-01T00:00:01Z")
        #expect(client.getObjectValue(key: "regions", defaultValue: .null) == .list([.string("de")]))
        #expect(
            client.getObjectValue(key: "limits", defaultValue: .null)
                == .structure(["perDay": .integer(5), "names": .list([.string("x")])]))
        #expect(client.getObjectValue(key: "new_checkout", defaultValue: .null) == .boolean(true))
        let details = client.getBooleanDetails(key: "new_checkout", defaultValue: false)
        #expect(details.reason == Reason.staticReason.rawValue && details.errorCode == nil)
        #expect(details.flagMetadata["source"] == .string("provider \"MemoryProvider\""))
    }

    @Test("gives the declared default with its reason, and leaves the caller's for an optional flag without a value")
    func defaults() async {
        let client = await makeAPI(FlagsFeatureProvider(loader())).getClient()
        let details = client.getIntegerDetails(key: "page_size", defaultValue: 99)
        #expect(details.value == 20 && details.reason == Reason.defaultReason.rawValue)
        #expect(details.flagMetadata == ["source": .string("default")])
        #expect(client.getStringValue(key: "banner", defaultValue: "mine") == "mine")
        #expect(client.getObjectValue(key: "banner", defaultValue: .string("mine")) == .string("mine"))
        // For the SDK's `MultiProvider`, which takes a default for an answer.
        let layer = await makeAPI(FlagsFeatureProvider(loader(memory), givesDefaults: false)).getClient()
        #expect(layer.getBooleanDetails(key: "search", defaultValue: false).errorCode == .flagNotFound)
        #expect(layer.getIntegerDetails(key: "page_size", defaultValue: 1).value == 50)
    }

    @Test("answers with the caller's default and the error for an unknown key and for another type")
    func errors() async {
        let client = await makeAPI(FlagsFeatureProvider(loader(memory))).getClient()
        let unknown = client.getBooleanDetails(key: "new-checkout", defaultValue: true)
        #expect(unknown.value && unknown.errorCode == .flagNotFound && unknown.reason == Reason.error.rawValue)
        #expect(unknown.errorMessage?.contains("new-checkout") == true)
        for key in ["theme", "page_size", "limits"] {
            #expect(client.getBooleanDetails(key: key, defaultValue: true).errorCode == .typeMismatch)
        }
        #expect(client.getIntegerDetails(key: "ratio", defaultValue: 8).value == 8)
        #expect(client.getIntegerDetails(key: "ratio", defaultValue: 8).errorCode == .typeMismatch)
        #expect(client.getStringDetails(key: "new_checkout", defaultValue: "").errorCode == .typeMismatch)
    }

    @Test(
        "gives variant, reason and metadata of rules, for the SDK's context, which is used when it is set and at each change"
    )
    func rules() async throws {
        let definitions = try FlagDefinitions(
            json: Data(
                """
                {"flags": {"theme": {"state": "ENABLED", "variants": {"day": "light", "night": "dark"},
                 "defaultVariant": "day", "metadata": {"team": "design"},
                 "targeting": {"if": [{"==": [{"var": "plan"}, "pro"]}, "night"]}}}}
                """.utf8))
        let context = CurrentContext()
        let flags = loader(DefinitionsProvider(definitions, context: .current(context)))
        let api = OpenFeatureAPI()
        await api.setProviderAndWait(
            provider: FlagsFeatureProvider(flags, onContext: { context.set($0) }),
            initialContext: ImmutableContext(
                targetingKey: "ada", structure: ImmutableStructure(attributes: ["plan": .string("pro")])))
        let client = api.getClient()
        let details = client.getStringDetails(key: "theme", defaultValue: "")
        #expect(details.value == "dark" && details.variant == "night")
        #expect(details.reason == Reason.targetingMatch.rawValue && details.flagMetadata["team"] == .string("design"))
        #expect(context.context.targetingKey == "ada")
        await api.setEvaluationContextAndWait(evaluationContext: ImmutableContext(targetingKey: "bob"))
        #expect(client.getStringDetails(key: "theme", defaultValue: "").variant == "day")
        #expect(context.context == EvaluationContext(targetingKey: "bob") && api.getProviderStatus() == .ready)
    }

    @Test("sends ready, and the key of each flag that changes")
    func changes() async {
        let api = await makeAPI(FlagsFeatureProvider(loader(memory)))
        var events = Events(api)
        #expect(await events.next() == .ready())
        memory.setValue(51, for: "page_size")
        #expect(await events.next() == .configurationChanged(ProviderEventDetails(flagsChanged: ["page_size"])))
        memory.setValue(51, for: "page_size")
        memory.setValue("green", for: "theme")
        #expect(await events.next() == .configurationChanged(ProviderEventDetails(flagsChanged: ["theme"])))
    }

    @Test("is in error as long as a provider isn't ready, and sends each change of the chain's health, and values stay")
    func health() async {
        let source = ChangingProvider()
        source.set(.notReady)
        let api = await makeAPI(FlagsFeatureProvider(loader(source, memory)))
        var events = Events(api)
        guard case .error = await events.next() else { Issue.record("no error"); return }
        #expect(api.getProviderStatus() == .error)
        source.set(.ready)
        #expect(api.getClient().getIntegerValue(key: "page_size", defaultValue: 0) == 50)
        #expect(await events.next() == .ready() && api.getProviderStatus() == .ready)
        source.set(.stale(age: .seconds(90)))
        #expect(api.getClient().getIntegerValue(key: "page_size", defaultValue: 0) == 50)
        guard case .stale(let stale) = await events.next() else { Issue.record("not stale"); return }
        #expect(stale?.message?.contains("\"source\"") == true && api.getProviderStatus() == .stale)
        source.set(.failed(FlagError(.network, "There is no answer.", provider: "source")))
        #expect(api.getClient().getIntegerValue(key: "page_size", defaultValue: 0) == 50)
        guard case .error(let error) = await events.next() else { Issue.record("no error"); return }
        #expect(error?.message?.contains("no answer") == true && error?.errorCode == .general)
        source.set(.ready)
        _ = api.getClient().getIntegerValue(key: "page_size", defaultValue: 0)
        #expect(await events.next() == .ready())
    }

    @Test("refreshes what isn't ready before the SDK has its provider")
    func refresh() async {
        let source = ChangingProvider()
        source.set(.notReady)
        source.getsReady = true
        let api = await makeAPI(FlagsFeatureProvider(loader(source)))
        #expect(api.getProviderStatus() == .ready)
        #expect(api.getClient().getIntegerValue(key: "page_size", defaultValue: 0) == 77)
    }

    @Test("uses the last of several contexts, cancels the others, and reports an error")
    func contexts() async {
        let (started, starts) = AsyncStream.makeStream(of: String?.self)
        let provider = FlagsFeatureProvider(loader(memory)) { context in
            starts.yield(context.targetingKey)
            if context.targetingKey == "bad" {
                throw FlagError(.rejected, "There is no such user.", provider: "rules")
            }
            // Until it is cancelled.
            if context.targetingKey == "slow" { for await _ in AsyncStream<Void>.makeStream().stream {} }
        }
        let api = await makeAPI(provider)
        var events = Events(api)
        #expect(await events.next() == .ready())
        api.setEvaluationContext(evaluationContext: ImmutableContext(targetingKey: "slow"))
        var contexts = started.makeAsyncIterator()
        #expect(await contexts.next() == "slow" && api.getProviderStatus() == .reconciling)
        await api.setEvaluationContextAndWait(evaluationContext: ImmutableContext(targetingKey: "ada"))
        #expect(await contexts.next() == "ada" && api.getProviderStatus() == .ready)
        for expected in [ProviderEvent.reconciling(), .reconciling(), .contextChanged()] {
            #expect(await events.next() == expected)
        }
        await api.setEvaluationContextAndWait(evaluationContext: ImmutableContext(targetingKey: "bad"))
        #expect(api.getProviderStatus() == .error)
        #expect(await events.next() == .reconciling())
        guard case .error(let error) = await events.next() else { Issue.record("no error"); return }
        #expect(error?.message?.contains("no such user") == true)
    }

    @Test("uses a context although a refresh hangs, and gives values meanwhile")
    func hangingRefresh() async {
        let source = ChangingProvider()
        source.set(.notReady)
        source.hangs = true
        let context = CurrentContext()
        let api = OpenFeatureAPI()
        api.setProvider(provider: FlagsFeatureProvider(loader(source, memory), onContext: { context.set($0) }))
        await source.untilHanging()
        await api.setEvaluationContextAndWait(evaluationContext: ImmutableContext(targetingKey: "ada"))
        #expect(context.context.targetingKey == "ada")
        #expect(api.getClient().getIntegerValue(key: "page_size", defaultValue: 0) == 50)
    }

    @Test("counts an evaluation as a use, and passes a value on to the flag's observers")
    func uses() async {
        let recorder = Recorder()
        let flags = FlagsLoader(
            ShopFlags.self, providers: [memory], observers: [recorder])
        let client = await makeAPI(FlagsFeatureProvider(flags)).getClient()
        #expect(recorder.keys.isEmpty)
        _ = client.getBooleanValue(key: "new_checkout", defaultValue: false)
        #expect(recorder.keys == ["new_checkout"])
    }
}

/// The events of an API, one after the other.
struct Events {
    private let stream: AsyncStream<ProviderEvent>
    private var iterator: AsyncStream<ProviderEvent>.Iterator
    private let subscription: AnyCancellable

    init(_ api: OpenFeatureAPI) {
        let (stream, continuation) = AsyncStream.makeStream(of: ProviderEvent.self)
        self.stream = stream
        iterator = stream.makeAsyncIterator()
        subscription = api.observe().sink { event in
            nonisolated(unsafe) let event = event
            continuation.yield(event)
        }
    }

    mutating func next() async -> ProviderEvent? { await iterator.next(isolation: #isolation) }
}

/// A provider whose health changes.
final class ChangingProvider: RefreshableFlagProvider {
    private let state = Mutex((status: FlagProviderStatus.ready, getsReady: false, hangs: false))
    private let hanging = AsyncStream.makeStream(of: Void.self)

    let name = "source"
    var status: FlagProviderStatus { state.withLock { $0.status } }
    var getsReady: Bool {
        get { state.withLock { $0.getsReady } }
        set { state.withLock { $0.getsReady = newValue } }
    }

    var hangs: Bool {
        get { state.withLock { $0.hangs } }
        set { state.withLock { $0.hangs = newValue } }
    }

    func untilHanging() async { for await _ in hanging.stream { return } }
    func set(_ status: FlagProviderStatus) { state.withLock { $0.status = status } }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key == "page_size" && getsReady ? 77 : nil }
    func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        if hangs {
            hanging.continuation.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
        }
        if getsReady { set(.ready) }
        return .unchanged
    }
    func run() async throws {}
}

private final class Recorder: FlagResolutionObserver {
    private let seen = Mutex<[String]>([])
    var keys: [String] { seen.withLock { $0 } }

    func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) { seen.withLock { $0.append(flag.key.text) } }
}
