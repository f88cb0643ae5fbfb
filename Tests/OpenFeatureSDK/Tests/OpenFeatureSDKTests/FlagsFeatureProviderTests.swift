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
        #expect(client.getValue(key: "page_size", defaultValue: Int64(1)) == 50)
        #expect(client.getValue(key: "ratio", defaultValue: 1.0) == 0.25)
        #expect(client.getValue(key: "page_size", defaultValue: 1.0) == 50)
        #expect(client.getValue(key: "theme", defaultValue: "") == "dark")
        #expect(client.getValue(key: "payment", defaultValue: "") == "invoice")
        #expect(client.getValue(key: "start", defaultValue: "") == "1970-01-01T00:00:01Z")
        #expect(client.getValue(key: "regions", defaultValue: Value.null) == .list([.string("de")]))
        #expect(
            client.getValue(key: "limits", defaultValue: Value.null)
                == .structure(["perDay": .integer(5), "names": .list([.string("x")])]))
        #expect(client.getValue(key: "new_checkout", defaultValue: Value.null) == .boolean(true))
        let details = client.getDetails(key: "new_checkout", defaultValue: false)
        #expect(details.reason == Reason.staticReason.rawValue && details.errorCode == nil)
        #expect(details.flagMetadata["source"] == .string("provider \"MemoryProvider\""))
    }

    @Test("gives the declared default with its reason, and leaves the caller's for an optional flag without a value")
    func defaults() async {
        let client = await makeAPI(FlagsFeatureProvider(loader())).getClient()
        let details = client.getDetails(key: "page_size", defaultValue: Int64(99))
        #expect(details.value == 20 && details.reason == Reason.defaultReason.rawValue)
        #expect(details.flagMetadata == ["source": .string("default")])
        #expect(client.getValue(key: "banner", defaultValue: "mine") == "mine")
        #expect(client.getValue(key: "banner", defaultValue: Value.string("mine")) == .string("mine"))
        // For the SDK's `MultiProvider`, which takes a default for an answer.
        let layer = await makeAPI(FlagsFeatureProvider(loader(memory), givesDefaults: false)).getClient()
        #expect(layer.getDetails(key: "search", defaultValue: false).errorCode == .flagNotFound)
        #expect(layer.getDetails(key: "page_size", defaultValue: Int64(1)).value == 50)
    }

    @Test("answers with the caller's default and the error for an unknown key and for another type")
    func errors() async {
        let client = await makeAPI(FlagsFeatureProvider(loader(memory))).getClient()
        let unknown = client.getDetails(key: "new-checkout", defaultValue: true)
        #expect(unknown.value && unknown.errorCode == .flagNotFound && unknown.reason == Reason.error.rawValue)
        #expect(unknown.errorMessage?.contains("new-checkout") == true)
        for key in ["theme", "page_size", "limits"] {
            #expect(client.getDetails(key: key, defaultValue: true).errorCode == .typeMismatch)
        }
        #expect(client.getDetails(key: "ratio", defaultValue: Int64(8)).value == 8)
        #expect(client.getDetails(key: "ratio", defaultValue: Int64(8)).errorCode == .typeMismatch)
        #expect(client.getDetails(key: "new_checkout", defaultValue: "").errorCode == .typeMismatch)
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
        let details = client.getDetails(key: "theme", defaultValue: "")
        #expect(details.value == "dark" && details.variant == "night")
        #expect(details.reason == Reason.targetingMatch.rawValue && details.flagMetadata["team"] == .string("design"))
        #expect(context.context.targetingKey == "ada")
        await api.setEvaluationContextAndWait(evaluationContext: ImmutableContext(targetingKey: "bob"))
        #expect(client.getDetails(key: "theme", defaultValue: "").variant == "day")
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
        let source = ChangingProvider(.notReady)
        let api = await makeAPI(FlagsFeatureProvider(loader(source, memory)))
        var events = Events(api)
        guard case .error = await events.next() else { Issue.record("no error"); return }
        for (health, status, words) in [
            (FlagProviderStatus.ready, ProviderStatus.ready, nil), (.stale(age: .seconds(90)), .stale, "\"source\""),
            (.failed(FlagError(.network, "There is no answer.", provider: "source")), .error, "no answer"),
            (.ready, .ready, nil),
        ] as [(FlagProviderStatus, ProviderStatus, String?)] {
            source.state.withLock { $0.status = health }
            #expect(api.getClient().getValue(key: "page_size", defaultValue: Int64(0)) == 50)
            let event = await events.next()
            #expect(api.getProviderStatus() == status)
            switch event {
            case .ready where words == nil: break
            case .stale(let details), .error(let details):
                #expect(words.map { details?.message?.contains($0) == true } == true, "\(health)")
            default: Issue.record("\(health): \(String(describing: event))")
            }
        }
    }

    @Test("refreshes what isn't ready before the SDK has its provider")
    func refresh() async {
        let source = ChangingProvider(.notReady, whenRefreshed: .ready)
        let api = await makeAPI(FlagsFeatureProvider(loader(source)))
        #expect(api.getProviderStatus() == .ready)
        #expect(api.getClient().getValue(key: "page_size", defaultValue: Int64(0)) == 77)
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
        let source = ChangingProvider(.notReady)
        source.state.withLock { $0.hangs = true }
        let context = CurrentContext()
        let api = OpenFeatureAPI()
        api.setProvider(provider: FlagsFeatureProvider(loader(source, memory), onContext: { context.set($0) }))
        await source.untilHanging()
        await api.setEvaluationContextAndWait(evaluationContext: ImmutableContext(targetingKey: "ada"))
        #expect(context.context.targetingKey == "ada")
        #expect(api.getClient().getValue(key: "page_size", defaultValue: Int64(0)) == 50)
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
    let name = "source"
    let state: Mutex<(status: FlagProviderStatus, hangs: Bool)>
    private let refreshed: FlagProviderStatus?
    private let hanging = AsyncStream.makeStream(of: Void.self)

    init(_ status: FlagProviderStatus, whenRefreshed refreshed: FlagProviderStatus? = nil) {
        state = Mutex((status: status, hangs: false))
        self.refreshed = refreshed
    }

    var status: FlagProviderStatus { state.withLock { $0.status } }
    func untilHanging() async { for await _ in hanging.stream { return } }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key == "page_size" && refreshed != nil ? 77 : nil }
    func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        if state.withLock({ $0.hangs }) {
            hanging.continuation.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
        }
        if let refreshed { state.withLock { $0.status = refreshed } }
        return .unchanged
    }
    func run() async throws {}
}

private final class Recorder: FlagResolutionObserver {
    private let seen = Mutex<[String]>([])
    var keys: [String] { seen.withLock { $0 } }

    func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) { seen.withLock { $0.append(flag.key.text) } }
}
