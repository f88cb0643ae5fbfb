import Foundation
import TacklineCore

@testable import TacklineRemoteJSON

/// A refresh machine with the world around it: carries its effects out as the driver does, in virtual time, and keeps
/// what was done for a test to look at.
struct MachineWorld {
    static let hostA = URL(string: "https://a.example/flags.json")
    static let sameHost = URL(string: "https://a.example/other.json")
    static let hostC = URL(string: "https://c.example/flags.json")
    static let events = URL(string: "https://a.example/events")

    var machine: RefreshMachine
    var now = Duration.zero
    var random = 0.5
    /// What the last event caused.
    private(set) var effects: [RefreshMachine.Effect] = []
    /// All events so far; what a swap changed is the key `a`.
    private(set) var told: [RemoteJSONEvent] = []
    private(set) var warnings: [String] = []
    private(set) var requests: [(number: Int, at: Duration, current: RemoteDocument?)] = []
    private(set) var connections: [(number: Int, at: Duration)] = []
    private(set) var answers: [(number: Int, answer: RefreshMachine.Answer)] = []
    private(set) var writes: [RefreshMachine.CacheWriting] = []
    /// The request and the connection that were not ended from here.
    private(set) var request: Int?
    private(set) var connection: Int?
    private(set) var armed: Duration?
    /// What the last swap put in force, and how many there were.
    private(set) var active: RemoteDocument?
    private(set) var swaps = 0

    init(_ change: (inout RemoteJSONConfiguration) -> Void = { _ in }) {
        var configuration = RemoteJSONConfiguration()
        configuration.minimumManualRefreshGap = .zero
        change(&configuration)
        machine = RefreshMachine(
            url: Self.hostA ?? URL(filePath: "/"), rules: RefreshRules(name: "remote", configuration),
            at: RefreshMachine.Moment(now: .zero, wall: Self.epoch, random: 0.5))
    }

    static let epoch = Date(timeIntervalSince1970: 1_800_000_000)

    var moment: RefreshMachine.Moment {
        RefreshMachine.Moment(
            now: now, wall: Self.epoch.addingTimeInterval(now / .seconds(1)), random: random)
    }

    /// A document whose values are not looked at.
    static func document(_ version: Int, of url: URL? = hostA) -> RemoteDocument {
        RemoteDocument(
            content: PreparedFlagDocument { [] }, url: url ?? URL(filePath: "/"), body: Data("\(version)".utf8),
            revision: RemoteJSONRevision(
                version: Int128(version), entityTag: "\"\(version)\"", checksum: UInt64(version)))
    }

    mutating func send(_ event: RefreshMachine.Event) {
        if case .timer = event { armed = nil }
        if case .response(let number, _) = event, number == request { request = nil }
        if case .stream(let number, let news) = event, number == connection {
            switch news {
            case .lost, .over: connection = nil
            case .opened, .progress: break
            }
        }
        effects = machine.handle(event, at: moment)
        for effect in effects { carryOut(effect) }
    }

    private mutating func carryOut(_ effect: RefreshMachine.Effect) {
        switch effect {
        case .request(let number, _, let current):
            requests.append((number, now, current))
            request = number
        case .cancelRequest: request = nil
        case .connect(let number, _, _):
            connections.append((number, now))
            connection = number
        case .disconnect: connection = nil
        case .arm(let instant): armed = instant
        case .swap(let swap):
            swaps += 1
            told += swap.first
            if active !== swap.document {
                told.append(.changed(keys: ["a"], revision: swap.document?.revision, source: swap.source))
            } else if swap.tellsUnchanged {
                told.append(.unchanged)
            }
            active = swap.document
        case .writeCache(let writing): writes.append(writing)
        case .tell(let event): told.append(event)
        case .warn(let line), .ignored(let line): warnings.append(line)
        case .answer(let number, let answer): answers.append((number, answer))
        case .readCache, .ready, .settled, .joined, .refused, .ended: break
        }
    }

    // MARK: Short forms

    /// Starts, with nothing in the cache.
    mutating func start() {
        send(.started)
        readCache()
    }

    mutating func readCache(_ cached: CachedDocument? = nil) {
        send(.cacheRead(machine.address, cached))
    }

    /// Answers the request on its way.
    mutating func answer(_ result: FetchResult) {
        send(.response(request ?? 0, result))
    }

    mutating func deliver(_ version: Int) {
        answer(.document(Self.document(version, of: machine.url), warning: nil))
    }

    mutating func hear(_ news: StreamNews) {
        send(.stream(connection ?? 0, news))
    }

    /// Lets time pass, and the timer fire whenever it should.
    mutating func advance(by duration: Duration, firings: Int = .max) {
        let end = now + duration
        var rest = firings
        while let instant = armed, instant <= end, rest > 0 {
            now = max(now, instant)
            rest -= 1
            send(.timer)
        }
        now = end
        if let instant = armed, instant <= now { send(.timer) }
    }

    var changes: Int {
        told.count { if case .changed = $0 { true } else { false } }
    }
}
