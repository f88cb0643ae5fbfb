import Foundation

@testable import TacklineRemoteJSON

/// Many clients of one origin, in virtual time.
struct Simulation {
    /// What the origin does at a second of the scenario.
    struct Scenario {
        var name: String
        var streams = false
        /// The origin fails in these seconds.
        var outage: Range<Int> = 0..<0
        /// Whether it then names the end of the outage as a date.
        var asksForSilence = false
        /// When there is a new document, which it announces by the stream.
        var deploy: Int?
        var seconds = 2400
    }

    struct Figures {
        var requests: [Int]
        var connections: [Int]
        /// How many clients have the new document at the end of each second.
        var current: [Int]
    }

    /// What decides when a client asks: the schedules of a provider, and nothing else of it.
    private struct Client {
        var schedule = RefreshSchedule(now: .zero, interval: Simulation.pollInterval)
        var isFetching = false
        var isConnecting = false
        var isOpen = false
        /// The time of its next step.
        var armed: Duration?
        var version = 1
    }

    private enum Kind { case start, timer, answer, opened }

    private struct Entry {
        var client: UInt32
        var kind: Kind
        var at: Duration
    }

    private static let pollInterval = Duration.seconds(300)
    private static let latency = Duration.milliseconds(50)
    /// How many parts a second has; what is due within one part is done together.
    private static let parts = 20

    let scenario: Scenario
    private var clients: [Client] = []
    private var buckets: [[Entry]]
    private var random = SplitMix(state: 15)
    private(set) var figures: Figures

    init(_ scenario: Scenario, clients count: Int) {
        self.scenario = scenario
        let seconds = scenario.seconds
        figures = Figures(
            requests: .init(repeating: 0, count: seconds), connections: .init(repeating: 0, count: seconds),
            current: .init(repeating: 0, count: seconds))
        buckets = .init(repeating: [], count: seconds * Self.parts)
        clients = .init(repeating: Client(), count: count)
        // They were started at some time.
        for index in 0..<count {
            let instant = Duration.seconds(Double.random(in: 0..<300, using: &random))
            add(Entry(client: UInt32(index), kind: .start, at: instant))
        }
    }

    private mutating func add(_ entry: Entry) {
        let index = Int((entry.at / .seconds(1)) * Double(Self.parts))
        if index < buckets.count { buckets[index].append(entry) }
    }

    mutating func run() {
        for bucket in buckets.indices {
            if let deploy = scenario.deploy, scenario.streams, bucket == deploy * Self.parts { announce(bucket) }
            if bucket == scenario.outage.lowerBound * Self.parts, !scenario.outage.isEmpty { breakStreams(bucket) }
            var next = 0
            // What is done may add to the same bucket.
            while next < buckets[bucket].count {
                let entry = buckets[bucket][next]
                next += 1
                perform(entry, at: max(entry.at, Duration.seconds(Double(bucket) / Double(Self.parts))))
            }
            buckets[bucket] = []
            if bucket % Self.parts == Self.parts - 1 {
                figures.current[bucket / Self.parts] = clients.count { $0.version == 2 }
            }
        }
    }

    private mutating func announce(_ bucket: Int) {
        let now = Duration.seconds(Double(bucket) / Double(Self.parts))
        for index in clients.indices where clients[index].isOpen {
            clients[index].schedule.announced(at: now, random: draw())
            step(index, at: now)
        }
    }

    private mutating func breakStreams(_ bucket: Int) {
        let now = Duration.seconds(Double(bucket) / Double(Self.parts))
        for index in clients.indices where clients[index].isOpen { lose(index, at: now) }
    }

    private mutating func lose(_ index: Int, at now: Duration) {
        (clients[index].isOpen, clients[index].isConnecting) = (false, false)
        clients[index].schedule.lost(at: now, retry: .seconds(1), retryAfter: silence(at: now), random: draw())
        step(index, at: now)
    }

    private mutating func perform(_ entry: Entry, at now: Duration) {
        let index = Int(entry.client)
        switch entry.kind {
        case .start:
            clients[index].schedule = RefreshSchedule(now: now, interval: Self.pollInterval)
            clients[index].schedule.isRunning = true
        case .timer:
            guard clients[index].armed == entry.at else { return }
            clients[index].armed = nil
        case .answer: answer(index, at: now)
        case .opened:
            guard !scenario.outage.contains(Int(now / .seconds(1))) else { return lose(index, at: now) }
            (clients[index].isOpen, clients[index].isConnecting) = (true, false)
            clients[index].schedule.opened(at: now, random: draw())
        }
        step(index, at: now)
    }

    private mutating func draw() -> Double { Double.random(in: 0...1, using: &random) }

    private func silence(at now: Duration) -> Duration? {
        scenario.asksForSilence ? max(.seconds(1), .seconds(scenario.outage.upperBound) - now) : nil
    }

    private mutating func answer(_ index: Int, at now: Duration) {
        clients[index].isFetching = false
        let second = Int(now / .seconds(1))
        guard !scenario.outage.contains(second) else {
            return clients[index].schedule.failed(at: now, retryAfter: silence(at: now), random: draw())
        }
        clients[index].version = scenario.deploy.map { second >= $0 ? 2 : 1 } ?? 1
        clients[index].schedule.answered(at: now, random: draw())
    }

    /// Sends what is due, as a refresher does, and plans the next step.
    private mutating func step(_ index: Int, at now: Duration) {
        var next: [Duration] = []
        if !clients[index].isFetching, let due = clients[index].schedule.due {
            if due <= now {
                clients[index].schedule.began()
                clients[index].isFetching = true
                figures.requests[Int(now / .seconds(1))] += 1
                add(Entry(client: UInt32(index), kind: .answer, at: now + Self.latency))
            } else {
                next.append(due)
            }
        }
        if scenario.streams, !clients[index].isOpen, !clients[index].isConnecting,
            let due = clients[index].schedule.connectionDue
        {
            if due <= now {
                clients[index].isConnecting = true
                figures.connections[Int(now / .seconds(1))] += 1
                add(Entry(client: UInt32(index), kind: .opened, at: now + Self.latency))
            } else {
                next.append(due)
            }
        }
        clients[index].armed = next.min()
        if let instant = next.min() { add(Entry(client: UInt32(index), kind: .timer, at: instant)) }
    }
}

/// The generator SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
