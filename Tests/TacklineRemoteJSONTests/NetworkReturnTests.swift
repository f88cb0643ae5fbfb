import Foundation
import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

@Suite("When the network returns", .hangLimit) struct NetworkReturnTests {
    /// A machine that has failed for an hour.
    private func world() -> MachineWorld {
        var world = MachineWorld()
        world.random = 1
        world.start()
        fail(&world, for: .seconds(3600))
        return world
    }

    private func fail(_ world: inout MachineWorld, for time: Duration) {
        let end = world.now + time
        while world.now < end {
            if world.request != nil { world.answer(.failed(reason: "there is no network", retryAfter: nil)) }
            world.advance(by: min(world.armed ?? end, end) - world.now)
        }
        if world.request != nil { world.answer(.failed(reason: "there is no network", retryAfter: nil)) }
    }

    @Test("the server is asked within a second, not when the backoff ends")
    func atOnce() {
        var world = world()
        let (now, count) = (world.now, world.requests.count)
        world.send(.networkReturned)
        world.advance(by: .seconds(1))
        #expect(world.requests.dropFirst(count).map(\.at) == [now + .milliseconds(500)])
        world.deliver(1)
        #expect(world.active != nil)
    }

    @Test("and can't be used yet, the next attempts follow within five seconds")
    func notYet() throws {
        var world = world()
        let (now, count) = (world.now, world.requests.count)
        world.send(.networkReturned)
        fail(&world, for: .seconds(5))
        let times = world.requests.dropFirst(count).map { $0.at - now }
        #expect(times == [.milliseconds(500), .milliseconds(2500)])
    }

    @Test("again and again, the server isn't asked more often than every two seconds")
    func flapping() {
        var world = world()
        let (now, count) = (world.now, world.requests.count)
        for _ in 0..<600 {
            world.send(.networkReturned)
            fail(&world, for: .milliseconds(100))
        }
        #expect(world.now == now + .seconds(60))
        #expect(world.requests.count - count <= 30)
    }

    /// A machine that doesn't poll, whose stream was open and has been lost for an hour.
    private func worldOfLostStream(retryAfter: Duration? = nil) -> MachineWorld {
        var world = MachineWorld {
            $0.streamURL = MachineWorld.events
            $0.pollInterval = .zero
        }
        world.random = 1
        world.start()
        world.deliver(1)
        world.advance(by: .zero)
        world.hear(.opened)
        world.advance(by: .seconds(10))
        if world.request != nil { world.answer(.unchanged) }
        lose(&world, for: .seconds(3600), retryAfter)
        return world
    }

    private func lose(_ world: inout MachineWorld, for time: Duration, _ retryAfter: Duration? = nil) {
        let end = world.now + time
        while world.now < end {
            if world.connection != nil {
                world.hear(.lost(reason: "there is no network", retryAfter: retryAfter))
            }
            world.advance(by: min(world.armed ?? end, end) - world.now)
        }
        if world.connection != nil { world.hear(.lost(reason: "there is no network", retryAfter: retryAfter)) }
    }

    // firebase/firebase-ios-sdk#15490
    @Test("a stream that was lost is opened within a second, without polling too, and what it missed is asked for")
    func lostStream() {
        var world = worldOfLostStream()
        let (now, connections, requests) = (world.now, world.connections.count, world.requests.count)
        #expect(world.machine.lacksNetwork)
        world.send(.networkReturned)
        world.advance(by: .seconds(1))
        #expect(world.connections.dropFirst(connections).map(\.at) == [now + .milliseconds(500)])
        world.hear(.opened)
        world.advance(by: .seconds(5))
        #expect(world.requests.count == requests + 1)
        #expect(!world.machine.lacksNetwork)
    }

    @Test("again and again, a lost stream isn't opened more often than every two seconds")
    func flappingStream() {
        var world = worldOfLostStream()
        let (now, count) = (world.now, world.connections.count)
        for _ in 0..<600 {
            world.send(.networkReturned)
            lose(&world, for: .milliseconds(100))
        }
        #expect(world.now == now + .seconds(60))
        #expect((10...30).contains(world.connections.count - count))
    }

    @Test("a stream whose server wants to be left alone is not opened before")
    func silentStream() {
        var world = worldOfLostStream(retryAfter: .seconds(900))
        let count = world.connections.count
        let rest = (world.armed ?? .zero) - world.now
        #expect(rest > .seconds(10))
        world.send(.networkReturned)
        world.advance(by: rest - .seconds(1))
        #expect(world.connections.count == count)
    }

    @Test("nothing is asked for that had not failed, that is switched off, or whose server wants silence")
    func nothing() {
        var healthy = MachineWorld()
        healthy.start()
        healthy.deliver(1)
        healthy.send(.networkReturned)
        healthy.advance(by: .seconds(10))
        #expect(healthy.requests.count == 1)

        var offline = world()
        offline.send(.offline(true))
        let count = offline.requests.count
        offline.send(.networkReturned)
        offline.advance(by: .seconds(10))
        #expect(offline.requests.count == count)

        var silent = MachineWorld()
        silent.start()
        silent.answer(.failed(reason: "status 503", retryAfter: .seconds(600)))
        silent.send(.networkReturned)
        silent.advance(by: .seconds(599))
        #expect(silent.requests.count == 1)
    }

    @Test("a provider in trouble asks, without the time for it having passed")
    func provider() async throws {
        let clock = ManualClock()
        let server = try LoopbackServer(replies: [.script([.close]), good()])
        let provider = RemoteJSONProvider(
            url: server.url,
            configuration: .forTests {
                $0.clock = clock
                $0.transport = TestTransport.make(clock: clock)
                $0.retryTimes.first = .seconds(200)
                $0.randomNumber = { 1 }
            })
        var events = Events(provider)
        provider.start()
        defer { provider.stop() }
        try await events.first { if case .failed = $0 { true } else { false } }
        provider.driver.send(.networkReturned)
        try await clock.waitForSleepers { $0.contains(.milliseconds(500)) }
        clock.advance(by: .milliseconds(500))
        try await events.first { $0 == .ready(.fresh) }
    }
}
