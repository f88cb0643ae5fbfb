import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite("Activation", .hangLimit) struct ActivationTests {
    @Test("by hand puts a document in force when it is asked to, and keeps it in the cache only then")
    func manual() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(replies: [good(), .response(.notModified()), good()])
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.activation = .manual
            $0.cache = .directory(folder.url)
        }
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(!provider.activate())
        #expect(try await provider.refresh() == .staged)
        #expect(provider.value(for: "a") == nil)
        #expect(try await provider.refresh() == .unchanged)
        #expect(server.requests.last?.headerValue("If-None-Match") == "\"1\"")

        let before = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(try await before.refresh() == .staged)
        #expect(before.value(for: "a") == nil)

        #expect(provider.activate())
        #expect(!provider.activate())
        #expect(provider.value(for: "a") == .integer(1))
        #expect(provider.status == .ready)

        let after = RemoteJSONProvider(url: server.url, configuration: configuration)
        _ = try? await after.refresh()
        #expect(after.value(for: "a") == .integer(1))
    }

    @Test("at the next launch leaves this one alone")
    func nextLaunch() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(replies: [good(), .response(.notModified())])
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.activation = .nextLaunch
            $0.cache = .directory(folder.url)
        }
        let first = RemoteJSONProvider(url: server.url, bootstrap: FlagDocument(["a": 0]), configuration: configuration)
        #expect(try await first.refresh() == .staged)
        #expect(first.value(for: "a") == .integer(0))
        let second = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(try await second.refresh() == .unchanged)
        #expect(second.value(for: "a") == .integer(1))
    }
}
