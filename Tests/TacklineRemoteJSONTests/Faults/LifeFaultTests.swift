import Foundation
import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

@Suite("Faults in the life of a provider", .overEachTransport, .hangLimit) struct LifeFaultTests {
    private let head = LoopbackStep.head(status: 200, headers: [LoopbackHeader("Content-Type", "application/json")])

    @Test("34: what comes after the stop is dropped")
    func stop() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(replies: [.script([.waitUntil(gate), head, .text(#"{"a": 2}"#)])])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        var outcomes = Elements(provider.refresher.outcomes)
        let task = Task { try await provider.run() }
        try await server.waitForRequests(count: 1)
        async let late = provider.result()
        try await provider.waitForFetchWaiters(count: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        #expect(await late == .failure("cancelled"))
        #expect(provider.document?.root.isEmpty == true)
        #expect(await provider.result() == .failure("stopped"))
        // The next run begins with an outcome of its own; nothing stands between.
        provider.start()
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        provider.stop()
    }

    private func reply(_ body: String, after gate: LoopbackGate) -> LoopbackReply {
        let headers = [LoopbackHeader("Content-Length", "\(body.utf8.count)"), LoopbackHeader("Connection", "close")]
        return .script([.waitUntil(gate), .head(status: 200, headers: headers), .text(body)])
    }

    @Test("35: two thousand concurrent calls of refresh() are one request, and one more for later calls")
    func manyRefreshes() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(replies: [reply(#"{"a": 5}"#, after: gate)])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        let outcomes = try await withThrowingTaskGroup(of: FlagRefreshOutcome?.self) { group in
            for _ in 0..<2_000 { group.addTask { try? await provider.refresh() } }
            try await provider.waitForFetchWaiters(count: 2_000)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 2_000)
        #expect(outcomes.allSatisfy { $0 == .changed(["a"]) || $0 == .unchanged })
        #expect(outcomes.contains(.changed(["a"])))
        #expect(server.requests.count <= 2)
    }

    @Test("35: a refresh that begins while a request is on its way gets what the server has after it began")
    func refreshAfterSending() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(replies: [reply(#"{"a": 1}"#, after: gate), good(2)])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        async let first = provider.result()
        try await server.waitForRequests(count: 1)
        // The server has another document from now on.
        async let second = provider.result()
        async let third = provider.result()
        try await provider.waitForFetchWaiters(count: 3)
        gate.open()
        #expect(await first == .success(.changed(["a"])))
        #expect(await second == .success(.changed(["a"])))
        #expect(await third == .success(.changed(["a"])))
        #expect(provider.value(for: "a") == 2)
        #expect(server.requests.count == 2)
    }

    @Test("a caller who is cancelled leaves the request to the others, and the last one takes it along")
    func cancelledCaller() async throws {
        let end = LoopbackGate()
        let server = try LoopbackServer(replies: [.script([.waitForClientToClose, .open(end)])])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        let first = Task { await provider.result() }
        let second = Task { await provider.result() }
        try await provider.waitForFetchWaiters(count: 2)
        // Before that there is no connection whose end the server could see.
        try await server.waitForRequests(count: 1)
        first.cancel()
        #expect(await first.value == .failure("cancelled"))
        #expect(provider.state.isFetching)
        second.cancel()
        #expect(await second.value == .failure("cancelled"))
        #expect(!provider.state.isFetching)
        try await end.wait()
        #expect(end.isOpen)
    }

    @Test("offline there are no requests, and online there is one at once, whose values don't wait for the disk")
    func offline() async throws {
        let server = try LoopbackServer(replies: [good()])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        provider.isOffline = true
        provider.start()
        defer { provider.stop() }
        #expect(await provider.result() == .failure("offline"))
        #expect(provider.isOffline && provider.state.nextAttempt == nil)
        #expect(server.requests.isEmpty)
        let isWritten = DispatchSemaphore(value: 0)
        _ = startThread { provider.refresher.writing.withLock { _ in isWritten.wait() } }
        provider.isOffline = false
        #expect(await provider.waitUntilReady())
        isWritten.signal()
        #expect(server.requests.count == 1)
    }

    @Test("a provider that is dropped ends what start() began")
    func dropped() async throws {
        let end = LoopbackGate()
        let server = try LoopbackServer(replies: [.script([.waitForClientToClose, .open(end)])])
        var provider: RemoteJSONProvider? = RemoteJSONProvider(url: server.url, configuration: .forTests())
        provider?.start()
        try await server.waitForRequests(count: 1)
        provider = nil
        try await end.wait()
        #expect(end.isOpen)
    }

    @Test("started right after a stop, it runs, time after time")
    func startAfterStop() async throws {
        let server = try LoopbackServer(replies: [good()])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        var outcomes = Elements(provider.refresher.outcomes)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await provider.run()
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(server.requests.isEmpty)
        provider.start()
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        await #expect { try await provider.run() } throws: { ($0 as? FlagError)?.code == "already-running" }
        for _ in 0..<20 {
            provider.stop()
            provider.start()
            #expect(try await outcomes.next() == .success(.unchanged))
        }
        provider.stop()
    }

    @Test("a log that stops the provider gets no line after that of the stop")
    func stoppedByItsLog() async throws {
        let server = try LoopbackServer(replies: [good()])
        for _ in 0..<20 {
            let lines = Lines()
            let stopping = Mutex<(@Sendable () -> Void)?>(nil)
            let configuration = RemoteJSONProvider.Configuration.forTests {
                $0.log = { line in
                    lines.append(line)
                    if line.contains("changed") { stopping.withLock { $0 }?() }
                }
            }
            let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
            stopping.withLock { $0 = { provider.stop() } }
            provider.start()
            try await lines.wait(for: "stopped")
            stopping.withLock { $0 = nil }
            #expect(lines.all.last?.hasSuffix("stopped") == true, "\(lines.all)")
        }
    }

    // open-feature/java-sdk-contrib#1675, launchdarkly/js-core#312
    @Test("a launch isn't held up by a server that refuses, nor by a stop or the lack of a network that is known")
    func hopelessWait() async throws {
        let server = try LoopbackServer(replies: [status(401)])
        let hanging = StubTransport { _ in
            _ = await FlagPromise<Void>().wait()
            throw CancellationError()
        }
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
