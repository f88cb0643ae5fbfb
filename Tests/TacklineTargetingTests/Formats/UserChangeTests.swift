import Foundation
import Synchronization
import TacklineCore
import TacklineLocal
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A change of the user", .hangLimit)
struct UserChangeTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = try #require(URL(string: "https://flags.example.com/flags.json"))
    }

    /// What everybody could have seen of a flag, in order.
    private func newValues(_ notices: [FlagProviderNotice], of key: FlagKeyPath) -> [EncodedFlagValue?] {
        notices.flatMap { notice in
            guard case .changed(let changes) = notice else { return [EncodedFlagValue?]() }
            return changes.filter { $0.key == key }.map(\.new)
        }
    }

    @Test("in the middle of a fetch shows the new user's values before and after the answer, and the old one's never")
    func duringFetch() async throws {
        let context = CurrentContext(ada)
        let transport = ScriptedTransport([.json(definitionsText()), .json(definitionsText(edition: 2, staff: ".org"))])
        let provider = RemoteJSONProvider(
            url: url, configuration: .forTests(transport, format: .flagd(context: .current(context))))
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        try await provider.refresh()
        #expect(flags.owner == "user-1" && flags.reservations)

        transport.gate.close()
        async let refresh = provider.refresh()
        try await transport.gate.waitForArrivals(2)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))

        context.set(bob)
        #expect(flags.owner == "user-2" && !flags.reservations && flags.edition == 1)
        context.set(EvaluationContext())
        #expect(flags.owner == "nobody")
        context.set(bob)
        transport.gate.open()
        #expect(try await refresh == .changed(["edition", "reservations"]))
        #expect(flags.owner == "user-2" && flags.reservations && flags.edition == 2)

        let marker = FlagProviderNotice.reset
        observer.valuesMayHaveChanged()
        var told: [FlagProviderNotice] = []
        for await notice in notices {
            if notice == marker { break }
            told.append(notice)
        }
        #expect(newValues(told, of: "owner") == ["user-2", nil, "user-2"])
        #expect(newValues(told, of: "reservations") == [false, true])
    }

    @Test("ends the values that were pinned for the user before, of rules and of files and servers with rules")
    func pinned() async throws {
        struct Pinned: FlagCollectionProtocol {
            @Flag(default: "nobody", updatePolicy: .nextLaunch, description: "Whose values these are") var owner: String
        }
        let context = CurrentContext(ada)
        let format = FlagDocumentFormat.flagd(context: .current(context))
        let remote = RemoteJSONProvider(
            url: url, configuration: .forTests(ScriptedTransport([.json(definitionsText())]), format: format))
        try await remote.refresh()
        let rules = DefinitionsProvider(
            try FlagDefinitions(json: Array(definitionsText().utf8)), context: .current(context))
        let file = ReadOnlyLocalProvider(localURL: try folder.write(definitionsText()), format: format)
        let loaders = ([rules, remote, file] as [any FlagProvider]).map { FlagsLoader(Pinned.self, providers: [$0]) }
        for flags in loaders { #expect(flags.owner == "user-1") }
        context.set(bob)
        for flags in loaders { #expect(flags.owner == "user-2") }
        context.update { $0["plan"] = "premium" }
        for flags in loaders { #expect(flags.$owner.explain().pinned == nil && flags.owner == "user-2") }
    }

    @Test("in the middle of reading a file shows the new user's values before and after")
    func duringReload() async throws {
        let context = CurrentContext(ada)
        let file = try folder.write(definitionsText())
        let provider = ReadOnlyLocalProvider(localURL: file, format: .flagd(context: .current(context)))
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        #expect(flags.owner == "user-1")
        try folder.write(definitionsText(edition: 2, staff: ".org"))
        context.set(bob)
        #expect(flags.owner == "user-2" && !flags.reservations)
        try provider.reload()
        #expect(flags.owner == "user-2" && flags.reservations && flags.edition == 2)
        observer.valuesMayHaveChanged()
        var told: [FlagProviderNotice] = []
        for await notice in notices {
            if notice == .reset { break }
            told.append(notice)
        }
        #expect(newValues(told, of: "owner") == ["user-2"])
    }

    @Test(
        "beside fetches, reloads and reads on other tasks never gives the old user's value once it has returned",
        .needsTheMachine)
    func manyChanges() async throws {
        let context = CurrentContext(ada)
        let transport = ScriptedTransport((1...100).map { .json(definitionsText(edition: $0)) })
        let format = FlagDocumentFormat.flagd(context: .current(context))
        let remote = RemoteJSONProvider(url: url, configuration: .forTests(transport, format: format))
        let file = try folder.write(definitionsText())
        let local = ReadOnlyLocalProvider(localURL: file, format: format)
        let loaders = [
            FlagsLoader(UserFlags.self, providers: [remote]), FlagsLoader(UserFlags.self, providers: [local]),
        ]
        try await remote.refresh()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<60 { _ = try? await remote.refresh() } }
            group.addTask {
                for round in 0..<60 {
                    _ = try? folder.write(definitionsText(edition: round))
                    try? local.reload()
                }
            }
            // Readers who keep the loaders resolving while everything changes.
            for _ in 0..<2 { group.addTask { for _ in 0..<2_000 { for flags in loaders { _ = flags.owner } } } }
            group.addTask {
                for round in 0..<400 {
                    let user = "user-\(round % 50)"
                    context.set(EvaluationContext(targetingKey: user))
                    for flags in loaders {
                        #expect(flags.owner == user)
                        #expect(flags.$owner.resolution().variant == user)
                        #expect(flags.snapshot().value(for: "owner") == .string(user))
                    }
                    if round.isMultiple(of: 16) { await Task.yield() }
                }
            }
        }
    }

    @Test("by another URL in the middle of a fetch takes the old user's values away at once, and drops the late answer")
    func urlOfUser() async throws {
        let transport = ScriptedTransport([
            .json(#"{"owner": "user-1"}"#), .json(#"{"owner": "user-1", "edition": 2}"#),
        ])
        let cache = folder.url
        let configuration = RemoteJSONConfiguration.forTests(transport, format: .values) {
            $0.cache = .directory(cache)
            $0.bootstrap = FlagDocument(["owner": "shipped"])
        }
        let provider = RemoteJSONProvider(
            url: url.appending(queryItems: [URLQueryItem(name: "user", value: "1")]), configuration: configuration)
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        try await provider.refresh()
        #expect(flags.owner == "user-1")
        transport.gate.close()
        let late = Task { try await provider.refresh() }
        try await transport.gate.waitForArrivals(2)
        let second = url.appending(queryItems: [URLQueryItem(name: "user", value: "2")])
        provider.setURL(second, keepingValues: false)
        #expect(flags.owner == "shipped")
        let isReady = await provider.waitUntilReady(timeout: .zero)
        #expect(!isReady)
        transport.gate.open()
        await #expect(throws: FlagError.self) { try await late.value }
        #expect(flags.owner == "shipped" && flags.edition == 0)

        // Nor has the second user's cache anything of the first one's.
        let next = RemoteJSONProvider(
            url: second,
            configuration: .forTests(ScriptedTransport([]), format: .values) { $0.cache = .directory(cache) })
        _ = try? await next.refresh()
        #expect(next.value(for: "owner") == nil)
    }

    @Test("never puts the old user's document into the new one's cache, even if the server asks for silence")
    func cacheOfUser() async throws {
        var throttled = HTTPTransportResponse(status: 429)
        throttled.headers["Retry-After"] = "60"
        let cache = folder.url
        let provider = RemoteJSONProvider(
            url: url,
            configuration: .forTests(
                ScriptedTransport([.json(#"{"owner": "user-1"}"#, etag: "1"), throttled]), format: .values
            ) { $0.cache = .directory(cache) })
        try await provider.refresh()
        let second = url.appending(path: "second")
        provider.setURL(second)
        _ = try? await provider.refresh()
        #expect(provider.value(for: "owner") == "user-1", "kept, as asked")

        let next = RemoteJSONProvider(
            url: second,
            configuration: .forTests(ScriptedTransport([]), format: .values) { $0.cache = .directory(cache) })
        _ = try? await next.refresh()
        #expect(next.value(for: "owner") == nil)
    }

    @Test("reaches a provider between a vendor's slow refresh and its end")
    func besideSlowProvider() async throws {
        let context = CurrentContext(ada)
        let rules = DefinitionsProvider(
            try FlagDefinitions(json: Array(definitionsText().utf8)), context: .current(context))
        let gate = FlagGate(isOpen: false)
        let vendor = ScriptedProvider {
            try await gate.pass()
            return ["edition": 9]
        }
        let flags = FlagsLoader(UserFlags.self, providers: [vendor, rules])
        async let refresh = vendor.refresh()
        try await gate.waitForArrivals(1)
        context.set(bob)
        #expect(flags.owner == "user-2" && flags.edition == 1)
        gate.open()
        _ = try await refresh
        #expect(flags.owner == "user-2" && flags.edition == 9)
    }
}
