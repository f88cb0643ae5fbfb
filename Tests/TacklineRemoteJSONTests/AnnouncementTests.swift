import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

@Suite("What an event of the stream announces", .hangLimit) struct AnnouncementTests {
    private func world() -> MachineWorld {
        var world = MachineWorld {
            $0.streamURL = MachineWorld.events
            $0.pollInterval = .seconds(100_000)
            $0.staleAfter = .seconds(100_000)
        }
        world.random = 1
        world.start()
        world.deliver(2)
        world.hear(.opened)
        world.advance(by: .seconds(10))
        world.answer(.unchanged)
        return world
    }

    /// Lets time pass, and answers each request the same.
    ///
    /// - Returns: When the requests were sent, from now on.
    private func requests(
        _ world: inout MachineWorld, within time: Duration, _ answer: (inout MachineWorld) -> Void
    ) -> [Duration] {
        let (start, count) = (world.now, world.requests.count)
        while let next = world.armed, next <= start + time {
            world.advance(by: next - world.now)
            if world.request != nil { answer(&world) }
        }
        world.advance(by: start + time - world.now)
        return world.requests.dropFirst(count).map { $0.at - start }
    }

    private func announce(_ world: inout MachineWorld) { world.hear(.progress(StreamMemory(), hasEvent: true)) }

    /// After the debounce, the spread, and each of the waits.
    private let times: [Duration] = [5100, 7100, 15_100, 45_100].map { .milliseconds($0) }

    @Test("is asked for again a few times, in growing steps, where a lagging cache answers 304")
    func notModified() {
        var world = world()
        announce(&world)
        #expect(requests(&world, within: .seconds(1000)) { $0.answer(.unchanged) } == times)
    }

    @Test("is asked for again where a lagging cache answers with an older version, or with what is in force")
    func older() {
        var world = world()
        announce(&world)
        let older = requests(&world, within: .seconds(1000)) {
            $0.answer(.rejected(reason: "older", status: 200, isOlder: true))
        }
        #expect(older == times)
        announce(&world)
        #expect(requests(&world, within: .seconds(1000)) { $0.deliver(2) } == times)
    }

    @Test("is asked for once where the answer has it, and not again where it is refused for another reason")
    func once() {
        var world = world()
        announce(&world)
        #expect(requests(&world, within: .seconds(1000)) { $0.deliver(3) } == [.milliseconds(5100)])
        announce(&world)
        let refused = requests(&world, within: .seconds(1000)) { $0.answer(.rejected(reason: "bad", status: 200)) }
        #expect(refused == [.milliseconds(5100)])
    }

    @Test("ends the repetitions as soon as it is there")
    func found() {
        var world = world()
        announce(&world)
        #expect(requests(&world, within: .seconds(8)) { $0.answer(.unchanged) } == Array(times.prefix(2)))
        #expect(requests(&world, within: .seconds(1000)) { $0.deliver(3) } == [.milliseconds(7100)])
    }

    @Test("multiplies no requests where many events announce nothing new")
    func many() {
        var world = world()
        let start = world.requests.count
        for _ in 0..<100 {
            announce(&world)
            _ = requests(&world, within: .seconds(1)) { $0.answer(.unchanged) }
        }
        // One for each window of the debounce and the spread, and three more.
        #expect(world.requests.count - start <= 24)
    }

    @Test("is nothing where the event only keeps the connection open")
    func keepAlive() throws {
        for text in [
            "event: ping\ndata: {}\n\n", "event: Keep-Alive\ndata: 1\n\n", "data: heartbeat\n\n",
            "data: {\"type\": \"ping\"}\n\n", "data: {\"event\": \"heartbeat\", \"at\": 7}\n\n", ": comment\n\n",
        ] {
            try keepAlive(text: text)
        }
    }

    private func keepAlive(text: String) throws {
        var parser = ServerSentEventParser(maximumEventBytes: 1024)
        let names = RemoteJSONStreamConfiguration().keepAliveNames
        #expect(try parser.consume(Array(text.utf8)).allSatisfy { $0.isCalled(names) })
    }

    @Test("is something whatever else the event says")
    func change() throws {
        for text in [
            "data: x\n\n", "event: put\ndata: ping\n\n", "data: {\"type\": \"put\"}\n\n", "data: {\n\n",
            "data: [1]\n\n",
        ] {
            try change(text: text)
        }
    }

    private func change(text: String) throws {
        var parser = ServerSentEventParser(maximumEventBytes: 1024)
        let names = RemoteJSONStreamConfiguration().keepAliveNames
        let events = try parser.consume(Array(text.utf8))
        #expect(events.count == 1 && !events.contains { $0.isCalled(names) })
    }

    @Test("causes no request for twenty keep-alives")
    func overTheWire() async throws {
        let (clock, lines, opening) = (ManualClock(), Lines(), LoopbackGate())
        let beats = String(repeating: "event: ping\ndata: {}\n\n", count: 20)
        let server = try LoopbackServer { request in
            guard request.path == "/events" else { return good() }
            let head = LoopbackStep.head(status: 200, headers: [LoopbackHeader("Content-Type", "text/event-stream")])
            return .script([.waitUntil(opening), head, .text(beats)])
        }
        let provider = RemoteJSONProvider(
            url: server.url(path: "flags.json"),
            configuration: .forTests {
                $0.clock = clock
                $0.transport = TestTransport.make(clock: clock)
                $0.streamURL = server.url(path: "events")
                $0.pollInterval = .seconds(10_000)
                $0.log = lines.append
            })
        var events = Events(provider)
        provider.start()
        defer { provider.stop() }
        try await events.first { $0 == .ready(.fresh) }
        opening.open()
        // The end of the stream, before which all events were read.
        try await lines.wait(for: "the stream was lost")
        #expect(provider.driver.machine.announcement == nil)
    }
}
