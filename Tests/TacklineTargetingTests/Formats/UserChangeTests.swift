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
            url: url, format: .flagd(context: .current(context)), configuration: .forTests(transport))
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

    @Test("ends what rules, files and servers with rules had pinned for the user before; another attribute doesn't")
    func pinned() async throws {
        struct Pinned: FlagCollectionProtocol {
            @Flag(default: "nobody", updatePolicy: .nextLaunch, description: "Whose values these are") var owner: String
        }
        let context = CurrentContext(ada)
        let format = FlagDocumentFormat.flagd(context: .current(context))
        let remote = RemoteJSONProvider(
            url: url, format: format, configuration: .forTests(ScriptedTransport([.json(definitionsText())])))
        try await remote.refresh()
        let rules = DefinitionsProvider(
            try FlagDefinitions(json: definitionsText()), context: .current(context))
        let file = ReadOnlyLocalProvider(file: try folder.write(definitionsText()), format: format)
        let loaders = ([rules, remote, file] as [any FlagProvider]).map { FlagsLoader(Pinned.self, providers: [$0]) }
        for flags in loaders { #expect(flags.owner == "user-1") }
        context.set(bob)
        for flags in loaders { #expect(flags.owner == "user-2") }
        context.update { $0["plan"] = "premium" }
        for flags in loaders { #expect(flags.$owner.explain().pinned != nil && flags.owner == "user-2") }
    }

    @Test("changes the fingerprint of a server's rules, by which a launch guard knows them; another attribute doesn't")
    func fingerprint() async throws {
        let context = CurrentContext(ada)
        let provider = RemoteJSONProvider(
            url: url, subject: "session", format: .flagd(context: .current(context)),
            configuration: .forTests(ScriptedTransport([.json(definitionsText())])))
        try await provider.refresh()
        let first = try #require(provider.fingerprint)
        #expect(provider.fingerprintSubject == ada.targetingKey)
        context.update { $0["plan"] = "premium" }
        #expect(provider.fingerprint == first)
        context.set(bob)
        #expect(provider.fingerprintSubject == bob.targetingKey && provider.fingerprint != first)
        context.set(EvaluationContext())
        #expect(provider.fingerprintSubject == "session")
    }

    @Test(
        "beside fetches, reloads and reads on other tasks never gives the old user's value once it has returned",
        .needsTheMachine)
    func manyChanges() async throws {
        let context = CurrentContext(ada)
        let transport = ScriptedTransport((1...100).map { .json(definitionsText(edition: $0)) })
        let format = FlagDocumentFormat.flagd(context: .current(context))
        let remote = RemoteJSONProvider(url: url, format: format, configuration: .forTests(transport))
        let file = try folder.write(definitionsText())
        let local = ReadOnlyLocalProvider(file: file, format: format)
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
}
