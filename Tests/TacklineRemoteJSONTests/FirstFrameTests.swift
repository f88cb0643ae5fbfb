import Foundation
import Tackline
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

private struct LaunchFlags: FlagCollectionProtocol {
    @Flag(default: 0) var live: Int
    @Flag(default: 0, updatePolicy: .session) var pinned: Int
}

@Suite("The first frame of a launch", .hangLimit) struct FirstFrameTests {
    private let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    /// One launch, of an app whose document is `{"live": 8, "pinned": 8}` on a server that answers when the gate opens,
    /// or that is not there at all.
    private struct Launch {
        let provider: RemoteJSONProvider
        let flags: FlagsLoader<LaunchFlags>
        let gate: LoopbackGate
        let clock: ManualClock
        let server: LoopbackServer

        /// Waits as long as the provider does by default.
        func waitUntilReady() async throws -> Bool {
            try await withThrowingTaskGroup(of: Bool?.self) { [provider, clock] group in
                group.addTask { await provider.waitUntilReady() }
                // A refusal ends the wait at any time, and a retry may sleep for as long as the wait.
                group.addTask {
                    while !Task.isCancelled {
                        try await clock.waitForSleepers { $0.contains(.seconds(5)) }
                        clock.advance(by: .seconds(5))
                    }
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next().flatMap { $0 } ?? false
            }
        }
    }

    private func launch(
        _ cache: LaunchCache, _ network: LaunchNetwork = .good, activation: RemoteJSONProvider.Activation = .immediate,
        _ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in }
    ) throws -> Launch {
        let (gate, clock) = (LoopbackGate(), ManualClock())
        let body = #"{"live": 8, "pinned": 8}"#
        let headers = [
            LoopbackHeader("Content-Type", "application/json"), LoopbackHeader("ETag", "\"8\""),
            LoopbackHeader("Content-Length", "\(body.utf8.count)"),
        ]
        let server = try LoopbackServer { _ in
            switch network {
            case .failing: status(503)
            case .refusing: status(401)
            default: .script([.waitUntil(gate), .head(status: 200, headers: headers), .text(body)])
            }
        }
        try cache.write(to: folder.url, for: server.url, subject: "ada", at: now)
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.cache = .directory(folder.url)
            $0.clock = clock
            $0.wallClock = { [now] in now }
            $0.staleAfter = .seconds(3600)
            $0.activation = activation
            if network == .none { $0.transport = noServer }
            change(&$0)
        }
        let provider = RemoteJSONProvider(url: server.url, subject: "ada", configuration: configuration)
        let flags = FlagsLoader(LaunchFlags.self, providers: [provider])
        return Launch(provider: provider, flags: flags, gate: gate, clock: clock, server: server)
    }

    @Test("shows what the last launch knew, read as soon as the loader is made")
    func atOnce() throws {
        for cache in LaunchCache.allCases {
            let launch = try launch(cache)
            let expected = cache.isUsable ? 7 : 0
            #expect(launch.flags.live == expected, "\(cache)")
            #expect(launch.flags.pinned == expected, "\(cache)")
            #expect(launch.provider.state.isFromCache == cache.isUsable, "\(cache)")
            #expect(
                launch.provider.status
                    == (cache == .good ? .ready : cache == .old ? .stale(age: .seconds(3 * 3600)) : .notReady),
                "\(cache)")
            let explanation = launch.flags.$live.explain().description
            #expect(
                explanation.contains("from the cache of 17 minutes ago") == (cache == .good)
                    && explanation.contains("from the cache of 3 hours ago") == (cache == .old), "\(explanation)")
            #expect(launch.server.requests.isEmpty, "\(cache)")
        }
    }

    @Test("shows the same right after the start, and then what the server says, but for what is pinned")
    func afterStart() async throws {
        for cache in LaunchCache.allCases {
            let launch = try launch(cache)
            var outcomes = Elements(launch.provider.refresher.outcomes)
            launch.provider.start()
            defer { launch.provider.stop() }
            let expected = cache.isUsable ? 7 : 0
            #expect(launch.flags.live == expected, "\(cache)")
            #expect(launch.flags.pinned == expected, "\(cache)")
            launch.gate.open()
            #expect(await launch.provider.waitUntilReady(), "\(cache)")
            #expect(try await outcomes.next() == .success(.changed(["live", "pinned"])))
            #expect(launch.flags.live == 8, "\(cache)")
            #expect(launch.flags.pinned == expected, "\(cache)")
            #expect(launch.provider.status == .ready, "\(cache)")
            #expect(!launch.provider.state.isFromCache, "\(cache)")
            #expect(!launch.flags.$live.explain().description.contains("from the cache"), "\(cache)")
            // What cannot be used is no condition either.
            let tag = try #require(launch.server.requests.first).headerValue("If-None-Match")
            #expect(tag == (cache.isUsable ? "\"7\"" : nil), "\(cache)")
        }
    }

    @Test("shows what the last launch knew after every wait, where the server gives nothing")
    func withoutServer() async throws {
        for cache in LaunchCache.allCases {
            for network in [LaunchNetwork.slow, .failing, .refusing, .none] {
                let launch = try launch(cache, network)
                launch.provider.start()
                defer { launch.provider.stop() }
                #expect(try await launch.waitUntilReady() == cache.isUsable, "\(cache)")
                let expected = cache.isUsable ? 7 : 0
                #expect(launch.flags.live == expected, "\(cache)")
                #expect(launch.flags.pinned == expected, "\(cache)")
                let explanation = launch.flags.$live.explain().description
                #expect(explanation.contains("from the cache of ") == cache.isUsable, "\(explanation)")
                switch launch.provider.status {
                case .ready: #expect(cache == .good, "\(cache)")
                case .stale: #expect(cache == .old, "\(cache)")
                case .notReady: #expect(!cache.isUsable, "\(cache)")
                case .failed: #expect(!cache.isUsable || network == .refusing, "\(cache)")
                }
            }
        }
    }

    @Test("is not held up by a document that waits for its activation")
    func waitForStaged() async throws {
        for cache in LaunchCache.allCases {
            for activation in [RemoteJSONProvider.Activation.nextLaunch, .manual] {
                let launch = try launch(cache, activation: activation)
                var outcomes = Elements(launch.provider.refresher.outcomes)
                async let isReady = launch.provider.waitUntilReady()
                launch.provider.start()
                defer { launch.provider.stop() }
                launch.gate.open()
                // The clock stands still, so nothing but the document ends the wait.
                #expect(await isReady == cache.isUsable, "\(cache)")
                #expect(try await outcomes.next() == .success(.staged))
                #expect(await launch.provider.waitUntilReady() == cache.isUsable, "\(cache)")
                #expect(launch.flags.live == (cache.isUsable ? 7 : 0), "\(cache)")
                guard activation == .manual else { continue }
                #expect(launch.provider.activate(), "\(cache)")
                #expect(await launch.provider.waitUntilReady(), "\(cache)")
                #expect(launch.flags.live == 8, "\(cache)")
            }
        }
    }
}

/// What a launch finds behind its network.
enum LaunchNetwork: CaseIterable {
    /// A server that answers when it is let to.
    case good
    /// A server that doesn't answer.
    case slow
    /// A server that answers 503.
    case failing
    /// A server that answers 401.
    case refusing
    /// No network.
    case none
}

/// A network without anybody.
let noServer = StubTransport { _ in throw CocoaError(.fileNoSuchFile) }
