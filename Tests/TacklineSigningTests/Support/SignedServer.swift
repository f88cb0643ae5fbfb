import Foundation
import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineSigning
import TacklineTestSupport
import TacklineTesting

/// A server of documents that one owner has signed and an attacker may replace, with the folder of an app's cache.
final class SignedServer: Sendable {
    let owner = TestSigner()
    let second = TestSigner()
    let attacker = TestSigner()
    let folder: TemporaryFolder
    private let server: LoopbackServer
    private let answer = Answer()
    private let wall = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer { [answer] _ in .response(answer.response) }
    }

    /// The current answer of the server.
    private final class Answer: Sendable {
        private let state = Mutex(LoopbackResponse(status: 500))
        var response: LoopbackResponse {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    var now: Date {
        get { wall.withLock { $0 } }
        set { wall.withLock { $0 = newValue } }
    }

    /// Sets the bytes of all later answers.
    func serve(_ body: Data, tag: String? = nil) {
        var headers = [LoopbackHeader("Content-Type", "application/json")]
        if let tag { headers.append(LoopbackHeader("ETag", tag)) }
        answer.response = LoopbackResponse(status: 200, headers: headers, body: Array(body))
    }

    func serve(_ text: String, by signers: [TestSigner]? = nil, tag: String? = nil) throws {
        serve(try TestSigner.envelope(text, by: signers ?? [owner]).json, tag: tag)
    }

    func serve(
        version: Int, _ rest: String = "", by signers: [TestSigner]? = nil, tag: String? = nil
    ) throws {
        try serve(#"{"$version": \#(version), \#(rest)"a": \#(version)}"#, by: signers, tag: tag)
    }

    /// Sets all later answers to "not modified".
    func serveNothingNew() { answer.response = LoopbackResponse(status: 304) }

    /// Returns a provider that trusts the owner, as after a launch of the app.
    func launch(
        bootstrap: FlagDocument = FlagDocument(), _ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in }
    ) -> RemoteJSONProvider {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.trust = TestSigner.trust([owner])
        configuration.cache = .directory(folder.url)
        configuration.clock = ManualClock()
        configuration.wallClock = { self.now }
        change(&configuration)
        return RemoteJSONProvider(url: server.url, bootstrap: bootstrap, configuration: configuration)
    }

    /// Deletes the cache, as the system may do.
    func deleteCache() throws {
        for name in try folder.names() { try FileManager.default.removeItem(at: folder.file(name)) }
    }
}

extension RemoteJSONProvider {
    /// Refreshes, and returns the reason why the answer was rejected, or another error.
    func rejection() async -> String? {
        do {
            try await refresh()
            return nil
        } catch {
            guard let error = error as? FlagError, error.code == .rejected else { return "failed: \(error)" }
            return error.reason
        }
    }

    var a: EncodedFlagValue? { value(for: "a") }
}
