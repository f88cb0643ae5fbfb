import Foundation
import Synchronization
import Tackline
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

/// Faults that users of other libraries have reported.
@Suite("Faults reported of other libraries", .hangLimit) struct FieldReportTests {
    /// A network that is lacking until it is connected.
    private final class Network: Sendable {
        private let isConnected = Mutex(false)

        func connect() { isConnected.withLock { $0 = true } }

        var transport: StubTransport {
            StubTransport { [self] _ in
                guard isConnected.withLock({ $0 }) else { throw CocoaError(.fileNoSuchFile) }
                return HTTPTransportResponse(json: #"{"a": 1}"#)
            }
        }
    }

    private let hanging = StubTransport { _ in
        _ = await FlagPromise<Void>().wait()
        throw CancellationError()
    }

    // launchdarkly/ios-client-sdk#146, Flagsmith/flagsmith-js-client#175
    @Test("an app that starts as nobody and then knows its user has what that user had, without a network")
    func userKnownLater() async throws {
        let folder = try TemporaryFolder()
        let network = Network()
        let url = try #require(URL(string: "https://flags.example/f"))
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.cache = .directory(folder.url)
            $0.transport = network.transport
        }
        network.connect()
        try await RemoteJSONProvider(url: url, subject: "ada", configuration: configuration).refresh()
        let next = RemoteJSONProvider(
            url: url,
            configuration: .forTests {
                $0.cache = .directory(folder.url)
                $0.transport = noServer
            })
        #expect(next.value(for: "a") == nil)
        next.setSubject("ada")
        #expect(next.value(for: "a") == 1)
        next.setSubject(nil)
        #expect(next.value(for: "a") == nil)
    }

    // DataDog/dd-sdk-ios#2992, firebase/firebase-ios-sdk#4896
    @Test("a cache that can't be used any more is no reason for a conditional request, though its tag is readable")
    func tagWithoutDocument() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { request in
            request.headerValue("If-None-Match") == nil ? good() : .response(.notModified(etag: "\"1\""))
        }
        var entry = RemoteCacheEntry(body: Data("{".utf8), confirmedAt: Date())
        entry.entityTag = "\"1\""
        try RemoteCache(folder: folder.url, target: RemoteTarget(url: server.url)).save(entry, at: Date())
        let provider = RemoteJSONProvider(
            url: server.url, configuration: .forTests { $0.cache = .directory(folder.url) })
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(server.requests.count == 1)
    }

    // launchdarkly/rust-eventsource-client#135, launchdarkly/dotnet-eventsource#126, htmx-extensions#192
    @Test("a stream that ends at once and wants to be opened again in no time is opened ever more rarely")
    func impatientStream() {
        var (now, connections) = (Duration.zero, 0)
        var stream = StreamSchedule()
        while now < .seconds(600) {
            if stream.due <= now {
                connections += 1
                _ = stream.opened(at: now)
                stream.lost(at: now, retry: .milliseconds(100), retryAfter: nil, random: 0)
            }
            now += .milliseconds(50)
        }
        #expect((8...16).contains(connections), "\(connections)")
    }

    // open-feature/java-sdk-contrib#1675, launchdarkly/js-core#312
    @Test("a launch isn't held up by a server that refuses, nor by a stop or the lack of a network that is known")
    func hopelessWait() async throws {
        let server = try LoopbackServer(replies: [status(401)])
        // No clock moves, so a wait that isn't ended in another way doesn't end.
        for end in ["refusal", "stop", "offline"] {
            let provider = RemoteJSONProvider(
                url: server.url,
                configuration: .forTests { if end != "refusal" { $0.transport = hanging } })
            async let isReady = provider.waitUntilReady()
            provider.start()
            defer { provider.stop() }
            if end == "stop" { provider.stop() }
            if end == "offline" { provider.isOffline = true }
            #expect(await !isReady, "\(end)")
            #expect(await !provider.waitUntilReady(), "\(end)")
        }
    }
}
