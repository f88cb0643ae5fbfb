import Foundation
import TacklineCore
import Testing

@testable import TacklineRemoteJSON

@Suite("The machine behind a remote provider") struct RefreshMachineTests {
    private let memory = StreamMemory()

    @Test("runs when it is started right after a stop, and asks at once")
    func startAfterStop() {
        var world = MachineWorld()
        world.start()
        world.deliver(1)
        for _ in 0..<20 {
            world.send(.stopped)
            world.send(.started)
            #expect(world.machine.isRunning)
            #expect(world.request != nil)
        }
        world.send(.stopped)
        #expect(world.told.last == .stopped)
        #expect(world.machine.life == .stopped)
    }

    @Test("stopped while the cache is read, reads it again at the next start")
    func stopWhileReading() {
        var world = MachineWorld()
        world.send(.started)
        world.send(.stopped)
        world.readCache(cached(1))
        #expect(world.swaps == 0)
        world.send(.started)
        world.readCache(cached(1))
        #expect(world.swaps == 1)
        #expect(world.request != nil)
    }

    @Test("takes no answer after it was suspended, switched offline, stopped or left, and a swap is never untold")
    func lateAnswers() {
        let ends: [(RefreshMachine.Event, Bool)] = [
            (.suspended, true), (.offline(true), true), (.stopped, true), (.waiterLeft(1), false),
        ]
        for (end, runs) in ends {
            for isLate in [true, false] {
                var world = MachineWorld()
                if runs { world.start() } else { world.send(.refreshAsked); world.readCache() }
                let number = world.request ?? 0
                if isLate { world.send(end) }
                world.send(.response(number, .document(MachineWorld.document(1), warning: nil)))
                if !isLate { world.send(end) }
                #expect(world.swaps == (isLate ? 0 : 1), "\(end)")
                #expect(world.changes == world.swaps, "\(end)")
                if case .stopped = end { #expect(world.told.last == .stopped) }
            }
        }
    }

    @Test("tells nothing of a cache write that fails after the stop")
    func lateCacheFailure() {
        var world = MachineWorld()
        world.start()
        world.deliver(1)
        world.send(.stopped)
        world.send(.cacheWriteFailed(FlagError(.inputOutput, provider: "remote", reason: "full")))
        #expect(world.told.last == .stopped)
    }

    @Test("bounds a request by the total deadline, whatever it hangs at")
    func deadline() {
        var world = MachineWorld()
        world.start()
        let number = world.request ?? 0
        world.advance(by: .seconds(30))
        #expect(world.request == nil)
        guard case .failure(let error)? = world.answers.last?.answer else {
            Issue.record("there is no answer")
            return
        }
        #expect(error.message.contains("the answer was not complete within 30 seconds."))
        world.send(.response(number, .unchanged))
        #expect(world.warnings.last == "an answer came to a request that was given up")
    }

    // MARK: When

    @Test("lets no event of the stream come before the backoff allows")
    func eventsObeyBackoff() {
        var world = MachineWorld { $0.streamURL = MachineWorld.events }
        world.random = 1
        world.start()
        world.hear(.opened)
        world.answer(.failed(reason: "status 500", retryAfter: nil))
        for _ in 0..<4000 {
            world.hear(.progress(memory, hasEvent: true))
            world.advance(by: .milliseconds(1))
            if world.request != nil { world.answer(.failed(reason: "status 500", retryAfter: nil)) }
        }
        // At once, and after two seconds.
        #expect(world.requests.map(\.at) == [.zero, .seconds(2)])
    }

    @Test("lets no event whose moment was drawn earlier take time back")
    func overtakenMoment() {
        var world = MachineWorld()
        world.random = 0
        world.start()
        world.now = .seconds(20)
        world.send(.activated)
        // Drawn before the event above, handled after it.
        world.now = .seconds(10)
        world.answer(.failed(reason: "status 500", retryAfter: nil))
        #expect(world.machine.schedule.due == .seconds(21))
        #expect(world.armed == .seconds(21))
    }

    @Test("spreads what an event of the stream, a new connection and the end of a silence cause")
    func jitter() {
        func instants(_ random: Double, _ body: (inout MachineWorld) -> Void) -> [Duration] {
            var world = MachineWorld { $0.streamURL = MachineWorld.events }
            world.start()
            world.deliver(1)
            world.random = random
            body(&world)
            world.advance(by: .seconds(450))
            return world.requests.dropFirst().map(\.at)
        }
        let event: (inout MachineWorld) -> Void = {
            $0.hear(.progress(StreamMemory(), hasEvent: true))
        }
        #expect(instants(0, event).first == .milliseconds(100))
        #expect(instants(1, event).first == .milliseconds(5100))
        #expect(instants(0) { $0.hear(.opened) }.first == .zero)
        #expect(instants(1) { $0.hear(.opened) }.first == .seconds(5))
        let silence: (inout MachineWorld) -> Void = {
            $0.send(.refreshAsked)
            $0.answer(.failed(reason: "status 429", retryAfter: .seconds(60)))
        }
        #expect(instants(0, silence).dropFirst().first == .seconds(60))
        #expect(instants(1, silence).dropFirst().first == .seconds(360))
    }

    @Test(
        "lets nobody connect to a host that fails, and all come back over as long as they were away, or three poll intervals",
        arguments: [(10, 10), (100, 100), (1000, 900)])
    func outage(seconds: Int, over spread: Int) throws {
        for random in [0, 0.5, 1.0] {
            var world = MachineWorld { $0.streamURL = MachineWorld.events }
            world.start()
            world.deliver(1)
            world.hear(.opened)
            world.send(.refreshAsked)
            world.answer(.failed(reason: "down", retryAfter: nil))
            world.hear(.lost(reason: "down", retryAfter: nil))
            let (lost, before) = (world.now, world.connections.count)
            while world.now < lost + .seconds(seconds) {
                let next = try #require(world.armed)
                world.advance(by: min(next, lost + .seconds(seconds)) - world.now)
                if world.request != nil, world.now < lost + .seconds(seconds) {
                    world.answer(.failed(reason: "down", retryAfter: nil))
                }
            }
            #expect(world.connections.count == before)

            if world.request == nil { world.send(.refreshAsked) }
            world.random = random
            let back = world.now
            world.answer(.unchanged)
            for _ in 0..<20 where world.connections.count == before {
                world.advance(by: try #require(world.armed) - world.now)
                if world.request != nil { world.answer(.unchanged) }
            }
            #expect(world.now == back + .seconds(spread) * random)

            // After long the next poll brings what changed meanwhile.
            let asked = world.requests.count
            world.hear(.opened)
            world.advance(by: .seconds(5))
            #expect(world.requests.count == (seconds + spread < 300 ? asked + 1 : asked))
        }
    }

    @Test("obeys a silence that an earlier run was asked for")
    func silenceOfAnEarlierRun() {
        var world = MachineWorld()
        world.random = 0
        world.send(.started)
        world.readCache(
            CachedDocument(
                document: nil, fetchedDate: MachineWorld.epoch, confirmedDate: MachineWorld.epoch,
                notBefore: MachineWorld.epoch + 60))
        #expect(world.request == nil)
        world.send(.refreshAsked)
        world.advance(by: .seconds(59))
        #expect(world.requests.isEmpty)
        world.advance(by: .seconds(1))
        #expect(world.requests.count == 1)
    }

    // MARK: URLs

    @Test("turned to another URL, opens the stream again and keeps the silence of the host")
    func setURL() throws {
        var world = MachineWorld { $0.streamURL = MachineWorld.events }
        world.random = 0
        world.start()
        world.hear(.progress(StreamMemory(lastEventID: "7"), hasEvent: false))
        world.answer(.failed(reason: "status 503", retryAfter: .seconds(600)))
        let first = world.connection

        world.send(.turned(RemoteAddressChange(url: MachineWorld.sameHost, former: .kept)))
        world.readCache()
        #expect(world.connection == nil)
        #expect(world.machine.connection.memory == StreamMemory())
        #expect(world.requests.count == 1)

        world.send(.turned(RemoteAddressChange(url: MachineWorld.hostC, former: .kept)))
        world.readCache()
        #expect(world.requests.count == 2)
        #expect(world.connection != first && world.connection != nil)

        world.send(.turned(RemoteAddressChange(url: MachineWorld.hostA, former: .kept)))
        world.readCache()
        #expect(world.requests.count == 2)
        world.advance(by: .seconds(600))
        #expect(world.requests.map(\.at) == [.zero, .zero, .seconds(600)])
    }

    @Test("turned to another user's URL, withdraws the values at once, even after the stop")
    func withdraws() throws {
        var world = MachineWorld()
        world.start()
        world.deliver(1)
        world.send(.stopped)
        world.send(.turned(RemoteAddressChange(url: MachineWorld.hostC, former: .dropped)))
        #expect(world.active == nil)
        #expect(world.told.last == .changed(keys: ["a"], revision: nil, source: .fresh))
    }

    // MARK: Ages

    @Test("calls a document that waited for ten hours as old as it is")
    func stagedAge() {
        var world = MachineWorld {
            $0.activation = .manual
            $0.pollInterval = .zero
        }
        world.start()
        world.deliver(1)
        world.advance(by: .seconds(36_000))
        world.send(.activated)
        #expect(world.machine.status(at: world.now) == .ready)
        world.advance(by: .seconds(50_400))
        #expect(world.machine.status(at: world.now) == .stale(age: .seconds(86_400)))

        var slow = MachineWorld {
            $0.activation = .manual
            $0.staleAfter = .seconds(900)
            $0.pollInterval = .zero
        }
        slow.start()
        slow.deliver(1)
        slow.advance(by: .seconds(36_000))
        slow.send(.activated)
        #expect(slow.machine.status(at: slow.now) == .stale(age: .seconds(36_000)))
        #expect(slow.told.contains(.activated(MachineWorld.document(1).revision)))
        #expect(!slow.told.contains(.ready(.fresh)))
    }

    @Test("does not call values fresh while a newer document waits, however often the server confirms that")
    func superseded() {
        var world = MachineWorld { $0.activation = .manual }
        world.start()
        world.deliver(1)
        world.send(.activated)
        world.advance(by: .seconds(310))
        world.deliver(2)
        for _ in 0..<3 {
            world.advance(by: .seconds(310))
            world.answer(.unchanged)
        }
        guard case .stale(let age) = world.machine.status(at: world.now) else {
            Issue.record("\(world.machine.status(at: world.now))")
            return
        }
        #expect(age > .seconds(1200))
        world.send(.activated)
        #expect(world.machine.status(at: world.now) == .ready)
        #expect(world.active?.revision.version == 2)
    }

    @Test("keeps confirmations at most hourly, and without the values")
    func confirmations() {
        var world = MachineWorld()
        world.start()
        world.deliver(1)
        for _ in 0..<100 {
            world.advance(by: .seconds(310))
            world.answer(.unchanged)
        }
        let values = world.writes.count { if case .values = $0 { true } else { false } }
        #expect(values == 1)
        #expect((5...10).contains(world.writes.count - values), "\(world.writes.count)")
    }

    private func cached(_ version: Int) -> CachedDocument {
        CachedDocument(
            document: MachineWorld.document(version), fetchedDate: MachineWorld.epoch,
            confirmedDate: MachineWorld.epoch)
    }
}
