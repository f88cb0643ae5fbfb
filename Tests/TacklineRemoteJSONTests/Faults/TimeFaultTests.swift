import Foundation
import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("Faults of time", .overEachTransport, .hangLimit) struct TimeFaultTests {
    private let clock = ManualClock()
    private let poll = Duration.seconds(270)...Duration.seconds(330)

    private func configuration(_ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in })
        -> RemoteJSONProvider.Configuration
    {
        .forTests {
            $0.clock = clock
            change(&$0)
        }
    }

    @Test("26: a 404 during a deploy keeps the values, is asked again in 15 minutes, and refresh() is allowed at once")
    func notFound() async throws {
        let server = try LoopbackServer(replies: [good(), status(404), status(404), good(2)])
        let provider = RemoteJSONProvider(
            url: server.url, configuration: configuration { $0.staleAfter = .seconds(1e6) })
        provider.start()
        defer { provider.stop() }
        try await clock.waitForSleep(within: poll)
        clock.advance(by: .seconds(330))
        try await clock.waitForSleep(within: .seconds(900)...Duration.seconds(900))
        #expect(provider.state.lastError?.code == "misconfigured")
        #expect(provider.value(for: "a") == .integer(1))
        clock.advance(by: .seconds(900))
        try await clock.waitForSleep(within: .seconds(1800)...Duration.seconds(1800))
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.status == .ready)
        #expect(server.requests.count == 4)
        try await clock.waitForSleep(within: poll)
    }

    @Test("27: Retry-After is obeyed even by refresh(), and survives a restart")
    func retryAfter() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(replies: [good(), status(429, [LoopbackHeader("Retry-After", "700")]), good(2)])
        let configuration = configuration { $0.cache = .directory(folder.url) }
        let first = RemoteJSONProvider(url: server.url, configuration: configuration)
        try await first.refresh()
        await #expect { try await first.refresh() } throws: { ($0 as? FlagError)?.code == .network }
        await #expect { try await first.refresh() } throws: { ($0 as? FlagError)?.code == "throttled" }
        #expect(server.requests.count == 2)

        let second = RemoteJSONProvider(url: server.url, configuration: configuration)
        await #expect { try await second.refresh() } throws: { ($0 as? FlagError)?.code == "throttled" }
        #expect(second.value(for: "a") == .integer(1))
        #expect(server.requests.count == 2)
        // Nor does a sign-out end it, whoever is there at the next launch.
        for subject in ["ada", nil] { second.setSubject(subject) }
        for subject in ["ada", nil] {
            let next = RemoteJSONProvider(url: server.url, subject: subject, configuration: configuration)
            await #expect { try await next.refresh() } throws: { ($0 as? FlagError)?.code == "throttled" }
        }
        clock.advance(by: .seconds(701))
        #expect(try await second.refresh() == .changed(["a"]))
    }

    @Test("27: silence that was asked for before there was any document survives a restart too")
    func retryAfterWithoutDocument() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(replies: [status(503, [LoopbackHeader("Retry-After", "60")])])
        let now = Date()
        let configuration = configuration { ($0.cache, $0.wallClock) = (.directory(folder.url), { now }) }
        #expect(await RemoteJSONProvider(url: server.url, configuration: configuration).failure()?.code == .network)
        let second = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(await second.failure()?.code == "throttled")
        #expect(server.requests.count == 1)
        guard case .failed(let error) = second.status else { Issue.record("\(second.status)"); return }
        #expect(error.code == "throttled")
    }

    @Test("28: when the clock on the wall jumps by a year, polling and values go on", arguments: [-1.0, 1.0])
    func wallClock(years: Double) async throws {
        let wall = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let server = try LoopbackServer(replies: [good(), good(2), good(3)])
        let shift: @Sendable () -> Void = { wall.withLock { $0 += years * 365 * 86400 } }
        let read: @Sendable () -> Date = { wall.withLock { $0 } }
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration { $0.wallClock = read })
        provider.start()
        defer { provider.stop() }
        try await clock.waitForSleep(within: poll)
        shift()
        #expect(provider.value(for: "a") == .integer(1))
        #expect(provider.status == .ready)
        clock.advance(by: .seconds(330))
        try await server.waitForRequests(count: 2)
        try await clock.waitForSleep(within: poll)
        #expect(provider.value(for: "a") == .integer(2))
        #expect(!provider.state.isFromCache)
    }

    @Test("29: an app that comes back after eight hours fetches once, and one that comes back soon does not")
    func background() async throws {
        let server = try LoopbackServer(replies: [good()])
        let provider = RemoteJSONProvider(
            url: server.url, configuration: configuration())
        provider.start()
        defer { provider.stop() }
        try await clock.waitForSleep(within: poll)
        provider.refresher.suspend()
        try await clock.waitForSleep(within: .seconds(331)...Duration.seconds(900))
        clock.advance(by: .seconds(30))
        provider.refresher.resume()
        try await clock.waitForSleep(within: .seconds(240)...Duration.seconds(300))
        #expect(server.requests.count == 1)
        provider.refresher.suspend()
        clock.advance(by: .seconds(8 * 3600))
        provider.refresher.resume()
        try await server.waitForRequests(count: 2)
        try await clock.waitForSleep(within: poll)
        #expect(server.requests.count == 2)
    }

    @Test("values that nobody confirms become stale, and are withdrawn when their time is over")
    func staleness() async throws {
        let server = try LoopbackServer(replies: [good(), status(500)])
        let provider = RemoteJSONProvider(
            url: server.url, bootstrap: FlagDocument(["a": 0]), configuration: configuration())
        provider.start()
        defer { provider.stop() }
        try await clock.waitForSleep(within: poll)
        clock.advance(by: .seconds(900))
        #expect(provider.status == .stale(age: .seconds(900)))
        #expect(provider.value(for: "a") == .integer(1))
        clock.advance(by: .seconds(30 * 24 * 3600 - 900))
        try await wait { provider.value(for: "a") == .integer(0) }
        try await wait { provider.state.revision == nil }
    }

    @Test("a document that expires while the server confirms it is asked for anew, in full")
    func expiredMeanwhile() async throws {
        let gate = LoopbackGate()
        let notModified = LoopbackReply.script([.waitUntil(gate), .head(status: 304)])
        let server = try LoopbackServer(replies: [good(), notModified, good(2)])
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration())
        provider.start()
        defer { provider.stop() }
        try await clock.waitForSleep(within: poll)
        clock.advance(by: .seconds(30 * 24 * 3600 - 1))
        try await server.waitForRequests(count: 2)
        clock.advance(by: .seconds(2))
        try await wait { provider.value(for: "a") == nil }
        gate.open()
        try await wait { provider.value(for: "a") == 2 }
        #expect(server.requests.map { $0.headerValue("If-None-Match") } == [nil, "\"1\"", nil])
    }

    @Test("22: a rejected document is asked for again at the usual time, with the old tag")
    func rejected() async throws {
        let server = try LoopbackServer(replies: [good(), document("<html>"), document("<html>"), good(2)])
        let provider = RemoteJSONProvider(
            url: server.url, configuration: configuration { $0.staleAfter = .seconds(1e6) })
        provider.start()
        defer { provider.stop() }
        for count in 1...3 {
            try await clock.waitForSleep(within: poll)
            #expect(server.requests.count == count)
            #expect(provider.value(for: "a") == .integer(1))
            #expect(provider.status == .ready)
            clock.advance(by: .seconds(330))
            try await server.waitForRequests(count: count + 1)
        }
        try await clock.waitForSleep(within: poll)
        #expect(provider.value(for: "a") == .integer(2))
        #expect(server.requests.dropFirst().allSatisfy { $0.headerValue("If-None-Match") == "\"1\"" })
    }
}
