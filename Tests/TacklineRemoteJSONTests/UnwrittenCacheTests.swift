import Foundation
import Tackline
import TacklineLoopback
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

@Suite("A document that can't be written", .hangLimit) struct UnwrittenCacheTests {
    private let folder: TemporaryFolder
    private let blocked: URL
    private let configuration: RemoteJSONProvider.Configuration

    /// A file is where the folder of the cache has to be.
    init() throws {
        let folder = try TemporaryFolder()
        let blocked = folder.url.appending(path: "cache")
        try Data().write(to: blocked)
        configuration = .forTests { $0.cache = .directory(blocked) }
        (self.folder, self.blocked) = (folder, blocked)
    }

    private func kept(_ url: URL) -> EncodedFlagValue? {
        RemoteJSONProvider(url: url, configuration: configuration).value(for: "a")
    }

    @Test("is in force, and is written after the next answer, even one that brings nothing new")
    func nextAnswer() async throws {
        let server = try LoopbackServer(replies: [good(), .response(.notModified(etag: "\"1\""))])
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        var events = Events(provider)
        try await provider.refresh()
        try await events.first { if case .cacheWriteFailed = $0 { true } else { false } }
        #expect(provider.value(for: "a") == 1)
        try FileManager.default.removeItem(at: blocked)
        #expect(kept(server.url) == nil)
        #expect(try await provider.refresh() == .unchanged)
        #expect(kept(server.url) == 1)
    }

    @Test("is written as soon as the device is unlocked")
    func unlocked() async throws {
        let server = try LoopbackServer(replies: [good()])
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        try await provider.refresh()
        try FileManager.default.removeItem(at: blocked)
        provider.refresher.unlockCache()
        #expect(kept(server.url) == 1)
    }
}
