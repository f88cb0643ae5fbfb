import Foundation
import TacklineCore
import TacklineLoopback
import Testing

@testable import TacklineRemoteJSON

@Suite("A remote provider that is refreshed", .overEachTransport) struct RefreshingTests {
    @Test("gets values, hears that nothing is new by 304, and gets the next ones")
    func refreshes() async throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: #"{"sson": true, "secrets": {"boom": 1}}"#)
        let server = try LoopbackServer(documents: documents)
        let provider = RemoteJSONProvider(url: server.url(path: "flags.json"), configuration: .forTests())

        #expect(provider.status == .notReady)
        #expect(try await provider.refresh() == .changed(["sson", "secrets/boom"]))
        #expect(provider.value(for: "sson") == .bool(true))
        #expect(provider.value(for: "secrets/boom") == .integer(1))
        #expect(provider.status == .ready)

        #expect(try await provider.refresh() == .unchanged)
        #expect(server.requests.last?.headerValue("If-None-Match") != nil)

        documents.setDocument(path: "/flags.json", text: #"{"sson": false, "secrets": {"boom": 1}}"#)
        #expect(try await provider.refresh() == .changed(["sson"]))
        #expect(provider.value(for: "sson") == .bool(false))
    }

    @Test("keeps its values and its tag when a bad document comes")
    func keepsValues() async throws {
        let server = try LoopbackServer(replies: [
            .response(.json(#"{"a": 1}"#, etag: "\"1\"")),
            .response(.json(#"{"a": 2,}"#, etag: "\"2\"")),
            .response(.notModified()),
        ])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(try await provider.refresh() == .changed(["a"]))
        await #expect(throws: FlagError.self) { try await provider.refresh() }
        #expect(provider.value(for: "a") == .integer(1))
        #expect(try await provider.refresh() == .unchanged)
        #expect(server.requests.map { $0.headerValue("If-None-Match") } == [nil, "\"1\"", "\"1\""])
    }

    /// Runs whatever is enqueued at once, in the midst of what enqueues it: the worst that a consumer's thread can do.
    private final class AtOnce: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    @Test("tells an event when its state already says so")
    func tellsWhatIsSo() async throws {
        let server = try LoopbackServer(replies: [status(404)])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        let events = provider.events
        let seen = Task(executorPreference: AtOnce()) { () -> RemoteJSONState.Activity? in
            for await event in events {
                if case .failed = event { return provider.state.activity }
            }
            return nil
        }
        await #expect(throws: FlagError.self) { try await provider.refresh() }
        #expect(await seen.value == .misconfigured(status: 404))
    }
}
