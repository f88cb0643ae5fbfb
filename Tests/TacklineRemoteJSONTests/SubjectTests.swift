import Foundation
import Synchronization
import Tackline
import TacklineLoopback
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

private struct OwnerFlags: FlagCollectionProtocol {
    @Flag(default: "nobody") var owner: String
    @Flag(key: .absolute("owner"), default: "nobody", updatePolicy: .session) var pinnedOwner: String
}

@Suite("Users of one URL, told apart by their tokens", .hangLimit) struct SubjectTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The token of the user who is signed in.
    private final class Session: Sendable {
        private let state = Mutex<String?>(nil)

        var user: String? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        init(_ user: String?) { self.user = user }
    }

    /// A server whose documents have one tag for everybody, as a server has that takes the tag from a file's date.
    private static func reply(_ request: LoopbackRequest) -> LoopbackReply {
        if request.headerValue("If-None-Match") != nil { return .response(.notModified(etag: "\"1\"")) }
        let user = request.headerValue("Authorization") ?? "anonymous"
        return .response(.json(#"{"owner": "\#(user)"}"#, etag: "\"1\""))
    }

    private func configuration(_ session: Session) -> RemoteJSONProvider.Configuration {
        .forTests {
            $0.cache = .directory(folder.url)
            $0.authorization = { session.user }
        }
    }

    @Test(
        "never read another's values, send another's tag, or find another's cache",
        arguments: [("hopper", "ben"), ("caf\u{E9}", "cafe\u{301}")])
    func change(first: String, second: String) async throws {
        let session = Session("first")
        let server = try LoopbackServer { Self.reply($0) }
        let provider = RemoteJSONProvider(url: server.url, subject: first, configuration: configuration(session))
        let flags = FlagsLoader(OwnerFlags.self, providers: [provider])
        try await provider.refresh()
        #expect(flags.owner == "first" && flags.pinnedOwner == "first")
        session.user = "second"
        provider.setSubject(second)
        #expect(flags.owner == "nobody" && flags.pinnedOwner == "nobody")
        #expect(try await provider.refresh() == .changed(["owner"]))
        #expect(flags.owner == "second")
        #expect(server.requests.map { $0.headerValue("If-None-Match") } == [nil, nil])

        // The next launches.
        #expect(owner(server.url, second, session) == "second")
        #expect(owner(server.url, first, session) == "first")
        #expect(owner(server.url, "eve", session) == nil)
        #expect(owner(server.url, nil, session) == nil)
    }

    private func owner(_ url: URL, _ subject: String?, _ session: Session) -> EncodedFlagValue? {
        RemoteJSONProvider(url: url, subject: subject, configuration: configuration(session)).value(for: "owner")
    }

    @Test("have their request given up, whose answer nobody gets")
    func late() async throws {
        let (session, gate) = (Session("hopper"), LoopbackGate())
        let server = try LoopbackServer { request in
            guard request.headerValue("Authorization") == "hopper" else { return Self.reply(request) }
            let body = #"{"owner": "hopper"}"#
            let headers = [LoopbackHeader("Content-Length", "\(body.utf8.count)")]
            return .script([.waitUntil(gate), .head(status: 200, headers: headers), .text(body)])
        }
        let provider = RemoteJSONProvider(url: server.url, subject: "hopper", configuration: configuration(session))
        let first = Task { try await provider.refresh() }
        try await server.waitForRequests(count: 1)
        session.user = "ben"
        provider.setSubject("ben")
        await #expect { try await first.value } throws: { ($0 as? FlagError)?.code == .cancelled }
        gate.open()
        try await provider.refresh()
        #expect(provider.value(for: "owner") == "ben")
        #expect(owner(server.url, "hopper", session) == nil)
    }

    @Test("sign out in one call, after which nothing of them is in force, on the disk, or asked for")
    func signOut() async throws {
        let session = Session("hopper")
        let server = try LoopbackServer { Self.reply($0) }
        let provider = RemoteJSONProvider(url: server.url, subject: "hopper", configuration: configuration(session))
        let flags = FlagsLoader(OwnerFlags.self, providers: [provider])
        try await provider.refresh()
        #expect(flags.pinnedOwner == "hopper")
        session.user = nil
        provider.setSubject(nil)
        #expect(flags.owner == "nobody" && flags.pinnedOwner == "nobody")
        #expect(owner(server.url, "hopper", session) == nil)
        try await provider.refresh()
        #expect(flags.owner == "anonymous")
        #expect(server.requests.last?.headerValue("If-None-Match") == nil)
        provider.refresher.unlockCache()
        for name in try folder.names() {
            #expect(!String(decoding: try Data(contentsOf: folder.file(name)), as: UTF8.self).contains("hopper"))
        }
    }

    @Test("are changed in a pause without a request, and asked for after it")
    func suspended() async throws {
        let session = Session("hopper")
        let server = try LoopbackServer { Self.reply($0) }
        let provider = RemoteJSONProvider(url: server.url, subject: "hopper", configuration: configuration(session))
        var outcomes = Elements(provider.refresher.outcomes)
        provider.start()
        defer { provider.stop() }
        #expect(try await outcomes.next() == .success(.changed(["owner"])))
        provider.refresher.suspend()
        session.user = "ben"
        provider.setSubject("ben")
        #expect(provider.value(for: "owner") == nil && provider.state.nextAttempt == nil && server.requests.count == 1)
        provider.refresher.resume()
        #expect(try await outcomes.next() == .success(.changed(["owner"])))
        #expect(provider.value(for: "owner") == "ben" && server.requests.count == 2)
    }
}
