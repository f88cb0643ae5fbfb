import Foundation
import TacklineCore
import TacklineRemoteJSON
import TacklineSigning
import TacklineTestSupport
import TacklineTesting
import Testing

/// Tests for each attack on The Update Framework's list that concerns a single document.
@Suite("A provider of signed documents", .hangLimit) struct RemoteTrustTests {
    private let world: SignedServer

    init() throws {
        world = try SignedServer()
    }

    @Test("puts a signed document in force, without the members that speak about it")
    func signed() async throws {
        try world.serve(version: 1)
        let app = world.launch()
        #expect(try await app.refresh() == .changed(["a"]))
        #expect(app.a == 1)
        #expect(app.document?.root.keys.sorted() == ["a"])
        #expect(app.value(for: "payload") == nil)
    }

    @Test("needs none of it without trust: an envelope is a document like others then, and a plain document is read")
    func withoutTrust() async throws {
        world.serve(Data(#"{"a": 7}"#.utf8))
        let app = world.launch { $0.trust = nil }
        #expect(try await app.refresh() == .changed(["a"]))
        #expect(app.a == 7)
    }

    @Test("rejects what an attacker puts in its place, tells why, and keeps the last good one")
    func arbitraryValues() async throws {
        let app = world.launch()
        try world.serve(version: 1)
        try await app.refresh()
        let good = try TestSigner.envelope(#"{"$version": 2, "a": 2}"#, by: [world.owner])
        var changed = good
        changed.payload = Data(#"{"$version": 2, "a": 9}"#.utf8)
        var stripped = good
        stripped.signatures = []
        var borrowed = try TestSigner.envelope(#"{"$version": 2, "a": 9}"#, by: [world.attacker])
        borrowed.signatures += good.signatures
        var named = try TestSigner.envelope(#"{"$version": 2, "a": 9}"#, by: [world.attacker])
        named.signatures[0].keyID = world.owner.publicKey.id
        let attacks: [(Data, String)] = [
            (Data(#"{"$version": 2, "a": 9}"#.utf8), "is not signed"),
            (changed.json, "none of its 1 signatures counts"),
            (stripped.json, "none of its 0 signatures counts"),
            (borrowed.json, "none of its 2 signatures counts"),
            (named.json, "none of its 1 signatures counts"),
            (try TestSigner.envelope("{\"a\": 9}", by: [world.owner]).json, "has no $version"),
            (try TestSigner.envelope("[9]", by: [world.owner]).json, "object"),
            (try TestSigner.envelope(#"{"$version": 2, "a": 9}"#, by: [world.owner], type: "x/y").json, "signed as"),
        ]
        for (body, reason) in attacks {
            world.serve(body)
            let rejection = await app.rejection()
            #expect(rejection?.contains(reason) == true, "\(rejection ?? "accepted") instead of \(reason)")
            #expect(app.a == 1)
        }
        world.serve(good.json)
        #expect(try await app.refresh() == .changed(["a"]))
    }

    @Test("refuses a replay of an old document, also after a relaunch")
    func rollback() async throws {
        try world.serve(version: 5)
        try await world.launch().refresh()
        try world.serve(version: 4)
        let app = world.launch()
        #expect(await app.rejection()?.contains("4 is older than 5") == true)
        #expect(app.a == 5)
        try world.serve(version: 6)
        #expect(try await app.refresh() == .changed(["a"]))
    }

    @Test(
        "refuses it also when the document in the cache has expired or was too old to be used")
    func rollbackAfterLoss() async throws {
        try world.serve(version: 5, #""$expires": "2027-02-01T00:00:00Z", "#)
        try await world.launch().refresh()
        try world.serve(version: 4)
        world.now += 60 * 24 * 3600
        let late = world.launch()
        #expect(await late.rejection()?.contains("4 is older than 5") == true)
        #expect(late.a == nil)
    }

    @Test("refuses it also when the cache was deleted, if the app was shipped with a floor")
    func rollbackWithoutCache() async throws {
        try world.serve(version: 5)
        try await world.launch().refresh()
        try world.deleteCache()
        try world.serve(version: 4)
        let floor = world.launch { $0.trust?.minimumVersion = 5 }
        #expect(await floor.rejection()?.contains("shipped with") == true)
        // A document in the app also sets a lowest version.
        let shipped = try TestSigner.envelope(#"{"$version": 5, "a": 50}"#, by: [world.owner]).json
        let bundled = world.launch(bootstrap: try TestSigner.trust([world.owner]).document(in: shipped))
        #expect(bundled.a == 50)
        #expect(bundled.value(for: "$version") == nil)
        #expect(await bundled.rejection()?.contains("shipped with") == true)
        #expect(bundled.a == 50)
        // Without these, there is no earlier version to compare with.
        #expect(await world.launch().rejection() == nil)
    }

    @Test("remembers a version only once the next launch has its document")
    func manualActivation() async throws {
        try world.serve(version: 5)
        try await world.launch().refresh()
        try world.serve(version: 6)
        let waiting = world.launch { $0.activation = .manual }
        #expect(try await waiting.refresh() == .staged)
        try world.serve(version: 5)
        #expect(await waiting.rejection()?.contains("5 is older than 6") == true)
        let next = world.launch()
        #expect(await next.rejection() == nil)
        #expect(next.a == 5)
        #expect(waiting.activate())
        try world.serve(version: 5)
        #expect(await world.launch().rejection()?.contains("5 is older than 6") == true)
    }

    @Test(
        "does not stay for ever where somebody keeps it: what has expired is not confirmed, nor used after a relaunch")
    func freeze() async throws {
        try world.serve(version: 1, #""$expires": "2027-02-01T00:00:00Z", "#, tag: "\"1\"")
        let app = world.launch()
        try await app.refresh()
        world.serveNothingNew()
        #expect(try await app.refresh() == .unchanged)
        world.now += 30 * 24 * 3600
        #expect(await app.rejection()?.contains("expired at 2027-02-01") == true)
        #expect(app.a == 1)
        try world.serve(version: 2, #""$expires": "2027-02-01T00:00:00Z", "#)
        #expect(await app.rejection()?.contains("expired at") == true)
        let next = world.launch()
        #expect(await next.rejection()?.contains("expired at") == true)
        #expect(next.a == nil)
        try world.serve(version: 2, by: [world.owner])
        let strict = world.launch { $0.trust?.requiresExpiry = true }
        #expect(await strict.rejection()?.contains("no $expires") == true)
    }

    @Test("outlives the loss of one key where two must sign, and of its owner's where the key is taken out")
    func keyCompromise() async throws {
        let both = TestSigner.trust([world.owner, world.second], required: 2)
        let app = world.launch { $0.trust = both }
        try world.serve(version: 1, by: [world.owner, world.second])
        try await app.refresh()
        try world.serve(version: 2, by: [world.owner])
        #expect(await app.rejection()?.contains("1 of its 1 signatures counts, where 2 of 2") == true)
        // The next version of the app has another key, which must have signed the document in its cache.
        let updated = world.launch { $0.trust = TestSigner.trust([world.attacker, world.second], required: 2) }
        #expect(await updated.waitUntilReady(timeout: .zero) == false)
        #expect(await updated.rejection() != nil)
        #expect(updated.a == nil)
    }

    @Test("recovers from a fast-forward with a stolen key: a document by another trusted key starts over")
    func fastForward() async throws {
        func app(_ keys: [TestSigner]) -> RemoteJSONProvider { world.launch { $0.trust = TestSigner.trust(keys) } }
        let both = [world.owner, world.second]
        try world.serve("{\"$version\": \(Int128.max), \"a\": 9}", by: [world.owner])
        try await app(both).refresh()
        try world.serve(version: 6, by: [world.owner])
        #expect(await app(both).rejection()?.contains("6 is older than \(Int128.max)") == true)
        try world.serve(version: 6, by: [world.second])
        #expect(await app(both).rejection() == nil)
        try world.serve(version: 5, by: [world.second])
        let next = app(both)
        #expect(next.a == 6)
        #expect(await next.rejection()?.contains("5 is older than 6") == true)
        // An app that doesn't trust the stolen key any more forgets its version.
        try world.deleteCache()
        try world.serve("{\"$version\": \(Int128.max), \"a\": 9}", by: [world.owner])
        try await app(both).refresh()
        try world.serve(version: 1, by: [world.second])
        #expect(await app([world.second]).rejection() == nil)
    }

    @Test("refuses an older document after a sign-out, too")
    func signOut() async throws {
        let app = world.launch()
        for (version, isAccepted) in [(9, true), (3, false), (10, true)] {
            app.setSubject("ada")
            try world.serve(version: version)
            #expect(await (app.rejection() == nil) == isAccepted)
            app.setSubject(nil)
        }
    }

    @Test("keeps the envelope in the cache and checks it again when it is read")
    func cache() async throws {
        try world.serve(version: 1)
        try await world.launch().refresh()
        let envelope = try TestSigner.envelope(#"{"$version": 1, "a": 1}"#, by: [world.owner])
        let file = try #require(try world.folder.names().first)
        #expect(try world.folder.text(file).contains(envelope.payload.base64EncodedString()))
        world.serve(Data("gone".utf8))
        let honest = world.launch()
        _ = await honest.rejection()
        #expect(honest.a == 1)
        // An app that requires no signatures has written the cache.
        try world.deleteCache()
        world.serve(Data(#"{"$version": 2, "a": 9}"#.utf8))
        try await world.launch { $0.trust = nil }.refresh()
        world.serve(Data("gone".utf8))
        let careful = world.launch()
        _ = await careful.rejection()
        #expect(careful.a == nil)
    }
}
