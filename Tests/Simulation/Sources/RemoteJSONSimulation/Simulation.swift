import Foundation
import TacklineCore

@testable import TacklineRemoteJSON

/// Many clients of one origin, in virtual time: each is a ``RefreshMachine``, and nothing else of a provider.
struct Simulation {
    /// What the origin does at a second of the scenario.
    struct Scenario {
        var name: String
        var streams = false
        var spread = Duration.seconds(5)
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

    private struct Client {
        var machine: RefreshMachine
        var armed: Duration?
        var request = 0
        var connection = 0
        var isOpen = false
        var version: Int128 = 1
    }

    private enum Kind { case start, timer, answer, opened }

    private struct Entry {
        var client: UInt32
        var kind: Kind
        var at: Duration
    }

    private static let url = URL(string: "https://flags.example/flags.json") ?? URL(filePath: "/")
    private static let epoch = Date(timeIntervalSince1970: 1_800_000_000)
    private static let latency = Duration.milliseconds(50)
    /// How many parts a second has; what is due within one part is done together.
    private static let parts = 20

    let scenario: Scenario
    private var clients: [Client] = []
    private var buckets: [[Entry]]
    private var random = SplitMix(state: 15)
    private let documents: [RemoteDocument]
    private(set) var figures: Figures

    init(_ scenario: Scenario, clients count: Int) {
        self.scenario = scenario
        let seconds = scenario.seconds
        figures = Figures(
            requests: .init(repeating: 0, count: seconds), connections: .init(repeating: 0, count: seconds),
            current: .init(repeating: 0, count: seconds))
        buckets = .init(repeating: [], count: seconds * Self.parts)
        documents = [1, 2].map { version in
            RemoteDocument(
                content: PreparedFlagDocument { [] }, url: Self.url, body: Data(),
                revision: RemoteJSONRevision(version: version, entityTag: "\"\(version)\"", checksum: UInt64(version)))
        }
        var configuration = RemoteJSONConfiguration()
        configuration.stream.spread = scenario.spread
        if scenario.streams { configuration.streamURL = URL(string: "https://flags.example/events") }
        let rules = RefreshRules(name: "client", configuration)
        let moment = RefreshMachine.Moment(now: .zero, wall: Self.epoch, random: 0)
        let client = Client(machine: RefreshMachine(url: Self.url, rules: rules, at: moment))
        clients = .init(repeating: client, count: count)
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
            send(.stream(clients[index].connection, .progress(StreamMemory(), hasEvent: true)), to: index, at: now)
        }
    }

    private mutating func breakStreams(_ bucket: Int) {
        let now = Duration.seconds(Double(bucket) / Double(Self.parts))
        for index in clients.indices where clients[index].isOpen {
            clients[index].isOpen = false
            send(.stream(clients[index].connection, .lost(reason: "down", retryAfter: nil)), to: index, at: now)
        }
    }

    private mutating func perform(_ entry: Entry, at now: Duration) {
        let index = Int(entry.client)
        switch entry.traits {
        case .start: send(.started, to: index, at: now)
        case .timer:
            guard clients[index].armed == entry.at else { return }
            clients[index].armed = nil
            send(.timer, to: index, at: now)
        case .answer: send(.response(clients[index].request, answer(to: index, at: now)), to: index, at: now)
        case .opened:
            let isDown = scenario.outage.contains(Int(now / .seconds(1)))
            clients[index].isOpen = !isDown
            let news: StreamNews = isDown ? .lost(reason: "down", retryAfter: silence(at: now)) : .opened
            send(.stream(clients[index].connection, news), to: index, at: now)
        }
    }

    private func silence(at now: Duration) -> Duration? {
        scenario.asksForSilence ? max(.seconds(1), .seconds(scenario.outage.upperBound) - now) : nil
    }

    private func answer(to index: Int, at now: Duration) -> FetchResult {
        let second = Int(now / .seconds(1))
        guard !scenario.outage.contains(second) else { return .failed(reason: "down", retryAfter: silence(at: now)) }
        let version = scenario.deploy.map { second >= $0 ? 2 : 1 } ?? 1
        if clients[index].machine.request?.current === documents[version - 1] { return .unchanged }
        return .document(documents[version - 1], warning: nil)
    }

    private mutating func send(_ event: RefreshMachine.Event, to index: Int, at now: Duration) {
        let moment = RefreshMachine.Moment(
            now: now, wall: Self.epoch, random: Double.random(in: 0...1, using: &random))
        for effect in clients[index].machine.handle(event, at: moment) {
            switch effect {
            case .readCache(let address):
                let cached = CachedDocument(
                    document: documents[0], fetchedDate: Self.epoch, confirmedDate: Self.epoch)
                send(.cacheRead(address, cached), to: index, at: now)
            case .request(let number, _, _):
                clients[index].request = number
                figures.requests[Int(now / .seconds(1))] += 1
                add(Entry(client: UInt32(index), kind: .answer, at: now + Self.latency))
            case .connect(let number, _, _):
                clients[index].connection = number
                figures.connections[Int(now / .seconds(1))] += 1
                add(Entry(client: UInt32(index), kind: .opened, at: now + Self.latency))
            case .arm(let instant):
                clients[index].armed = instant
                if let instant { add(Entry(client: UInt32(index), kind: .timer, at: instant)) }
            case .swap(let swap): clients[index].version = swap.document?.revision.version ?? 0
            default: break
            }
        }
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
