import Foundation
import TacklineCore
import TacklineTestSupport

@testable import TacklineRemoteJSON

/// Holds a machine against its law, by a model of its own of what is allowed.
struct LawCheck {
    enum Step: Hashable {
        case start, stop, suspend, resume, offline, online, refresh, leave, activate, strayTimer, cacheFailure
        case network, unlock
        case advance(Duration, firings: Int)
        case readCache(age: Int?, notBefore: Int?)
        case document, unchanged, rejected, failed(retryAfter: Int?), misconfigured, lateAnswer
        case opened, event, lost(retryAfter: Int?), over, lateNews
        case turn(url: Int?, subject: String??, RemoteAddressChange.FormerValues, cachedAge: Int?)

        static func random(using random: inout SeededGenerator) -> Step {
            func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
            switch random.next() % 40 {
            case 0, 1, 2: return .start
            case 3: return .stop
            case 4: return .suspend
            case 5: return .resume
            case 6: return .offline
            case 7, 8: return .online
            case 9, 10: return .refresh
            case 11: return .leave
            case 12: return .activate
            case 13: return pick([.strayTimer, .cacheFailure, .network, .network, .unlock])
            case 14...17:
                return .readCache(age: pick([nil, 0, 100, 2000, 9000]), notBefore: pick([nil, nil, nil, -5, 50, 700]))
            case 18...20: return .document
            case 21, 22: return .unchanged
            case 23: return .rejected
            case 24: return .failed(retryAfter: nil)
            case 25: return .failed(retryAfter: pick([1, 60, 1000]))
            case 26: return .misconfigured
            case 27: return .lateAnswer
            case 28: return .opened
            case 29: return .event
            case 30: return pick([.lost(retryAfter: nil), .lost(retryAfter: 100), .over])
            case 31: return .lateNews
            case 32:
                return .turn(
                    url: pick([nil, 0, 1, 2]), subject: pick([nil, nil, .some(nil), "ada", "ben"]),
                    pick([.kept, .kept, .dropped, .dropped, .forgotten]), cachedAge: pick([nil, nil, 0, 100, 9000]))
            default:
                let seconds = pick([0, 0.1, 0.5, 1, 2, 5, 30, 100, 300, 1000, 4000, 20_000])
                return .advance(.seconds(seconds), firings: pick([0, 1, 3, 10]))
            }
        }
    }

    /// A step, and the random number that the machine is given at it.
    struct Move: Hashable, CustomStringConvertible {
        var step: Step
        var random: Double

        var description: String { "\(step)" }
    }

    static let kinds = 12

    /// What is wrong with a machine of this kind after these steps, or `nil`.
    static func failure(_ kind: Int, _ moves: [Move]) -> String? {
        var check = LawCheck(kind)
        for (index, move) in moves.enumerated() {
            check.world.random = move.random
            check.perform(move.step)
            if let failure = check.failure { return "after step \(index), \(move): \(failure)" }
        }
        return nil
    }

    private var world: MachineWorld
    private var failure: String?
    private var version = 0
    /// The model: until when a host wants silence, and the backoff forbids what no caller asked for.
    private var silences: [String: Duration] = [:]
    private var backoff: Duration?
    private var failures = 0
    private var refusals = 0
    private var streamNotBefore = Duration.zero
    private var confirmed: [ObjectIdentifier: Duration] = [:]
    /// Keeps documents alive, so that no other gets the identity of one.
    private var all: [RemoteDocument] = []
    private var joined: Set<Int> = []
    private var hasStopped = false
    private var (isRunning, isSuspended, isOffline) = (false, false, false)
    private var isToldStale = false
    private var seen = 0

    private init(_ kind: Int) {
        world = MachineWorld {
            $0.activation = [.immediate, .manual, .nextLaunch][kind % 3]
            $0.pollInterval = kind % 4 == 3 ? .zero : .seconds(300)
            $0.streamURL = kind / 3 % 2 == 0 ? MachineWorld.events : nil
            $0.cacheTimeToLive = .seconds(8000)
            $0.minimumManualRefreshGap = kind / 6 == 0 ? .zero : .seconds(1)
        }
    }

    private mutating func perform(_ step: Step) {
        let number = world.request ?? 0
        switch step {
        case .start: send(.started)
        case .stop: send(.stopped)
        case .suspend: send(.suspended)
        case .resume: send(.resumed)
        case .offline: send(.offline(true))
        case .online: send(.offline(false))
        case .refresh: send(.refreshAsked)
        case .leave: send(.waiterLeft(joined.first ?? 0))
        case .activate: send(.activated)
        case .strayTimer: send(.timer)
        case .network: send(.networkReturned)
        case .unlock: send(.cacheAvailable)
        case .cacheFailure:
            send(.cacheWriteFailed(FlagError(.inputOutput, provider: "remote", reason: "full")))
        case .advance(let duration, let firings): advance(by: duration, firings)
        case .readCache(let age, let notBefore): readCache(age, notBefore)
        case .document: send(.response(number, .document(newDocument(), warning: nil)))
        case .unchanged: send(.response(number, .unchanged))
        case .rejected: send(.response(number, .rejected(reason: "bad", status: 200)))
        case .failed(let wait):
            send(.response(number, .failed(reason: "500", retryAfter: wait.map { .seconds($0) })))
        case .misconfigured: send(.response(number, .misconfigured(status: 404)))
        case .lateAnswer: send(.response(-1, .document(newDocument(), warning: nil)))
        case .opened: send(.stream(world.connection ?? 0, .opened))
        case .event: send(.stream(world.connection ?? 0, .progress(StreamMemory(), hasEvent: true)))
        case .lost(let wait):
            send(.stream(world.connection ?? 0, .lost(reason: "x", retryAfter: wait.map { .seconds($0) })))
        case .over: send(.stream(world.connection ?? 0, .over))
        case .lateNews: send(.stream(-1, .progress(StreamMemory(), hasEvent: true)))
        case .turn(let index, let subject, let former, let age):
            let urls = [MachineWorld.hostA, MachineWorld.sameHost, MachineWorld.hostC]
            var change = RemoteAddressChange(url: index.flatMap { urls[$0] }, subject: subject, former: former)
            let address = change.applied(to: world.machine.address)
            if let age, address != world.machine.address {
                change.cached = (address, cachedDocument(age, of: address.url))
            }
            send(.turned(change))
        }
    }

    private mutating func advance(by duration: Duration, _ firings: Int) {
        let end = world.now + duration
        var rest = firings
        while let instant = world.armed, instant <= end, rest > 0, failure == nil {
            world.now = max(world.now, instant)
            rest -= 1
            send(.timer)
        }
        world.now = end
        if let instant = world.armed, instant <= end { send(.timer) }
    }

    private mutating func readCache(_ age: Int?, _ notBefore: Int?) {
        let wall = world.moment.wall
        let date = wall - Double(age ?? 0)
        send(
            .cacheRead(
                world.machine.address,
                CachedDocument(
                    document: age.map { _ in newDocument() }, fetchedDate: date, confirmedDate: date,
                    notBefore: notBefore.map { wall + Double($0) })))
    }

    private mutating func cachedDocument(_ age: Int, of url: URL) -> CachedDocument {
        version += 1
        let document = MachineWorld.document(version, of: url)
        all.append(document)
        confirmed[ObjectIdentifier(document)] = world.now - .seconds(age)
        let date = world.moment.wall - Double(age)
        return CachedDocument(document: document, fetchedDate: date, confirmedDate: date, notBefore: nil)
    }

    private mutating func newDocument() -> RemoteDocument {
        version += 1
        let document = MachineWorld.document(version, of: world.machine.url)
        all.append(document)
        return document
    }

    // MARK: The law

    private mutating func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition, failure == nil { failure = message() }
    }

    private mutating func send(_ event: RefreshMachine.Event) {
        let before = MachineDigest(world.machine)
        let (request, connection, life) = (world.machine.request, world.connection, world.machine.life)
        let wasReading = world.machine.cache == .reading
        note(event, request, wasReading)
        world.send(event)
        var isServed = false
        if case .stream(_, .progress) = event { isServed = world.machine.schedule.triggeredAt != nil }
        let isSilent = world.effects.isEmpty && before == MachineDigest(world.machine) && !isServed
        expect(!isSilent, "an event was ignored in silence")
        checkEffects(event, request, connection, life)
        checkState()
    }

    /// What the event means for what is allowed afterwards.
    private mutating func note(_ event: RefreshMachine.Event, _ request: RefreshMachine.Request?, _ wasReading: Bool) {
        let now = world.now
        switch event {
        case .started:
            if !isRunning { streamNotBefore = .zero }
            isRunning = true
        case .turned: streamNotBefore = .zero
        case .stopped: isRunning = false
        case .suspended: isSuspended = true
        case .resumed: isSuspended = false
        case .offline(let isOffline): self.isOffline = isOffline
        default: break
        }
        switch event {
        case .started where world.machine.life == .stopped, .resumed, .offline(false): backoff = nil
        case .turned(let change)
        where change.former == .forgotten || change.applied(to: world.machine.address) != world.machine.address:
            (backoff, failures, refusals) = (nil, 0, 0)
        case .suspended, .offline(true), .stopped: if request?.isOwn == true { backoff = nil }
        case .networkReturned where isAwake && failures > 0:
            (backoff, failures) = (min(backoff ?? .zero, now + .milliseconds(500)), 0)
        case .response(let number, let result) where number == request?.number && request?.sentAt != nil:
            note(result, request)
        case .cacheRead(let address, let cached) where wasReading && address == world.machine.address:
            let url = address.url
            guard let cached else { return }
            let age = Duration.seconds(world.moment.wall.timeIntervalSince(cached.confirmedDate))
            if let document = cached.document { confirmed[ObjectIdentifier(document)] = now - age }
            if let date = cached.notBefore, let host = url.host() {
                silences[host] = max(
                    silences[host] ?? .zero, now + .seconds(date.timeIntervalSince(world.moment.wall)))
            }
        case .stream(let number, .lost(_, let wait)) where number == world.connection:
            streamNotBefore = now + max(wait ?? .zero, .milliseconds(500))
        default: break
        }
    }

    private mutating func note(_ result: FetchResult, _ request: RefreshMachine.Request?) {
        let now = world.now
        switch result {
        case .document(let document, _):
            confirmed[ObjectIdentifier(document)] = now
            (backoff, failures, refusals) = (nil, 0, 0)
        case .unchanged:
            if let current = request?.current, world.machine.documents.newest?.document === current {
                confirmed[ObjectIdentifier(current)] = now
            }
            (backoff, failures, refusals) = (nil, 0, 0)
        case .rejected: (backoff, failures, refusals) = (nil, 0, 0)
        case .failed(_, let wait):
            failures += 1
            refusals = 0
            backoff = now + min(.seconds(300), .seconds(2) * (1 << min(failures - 1, 10))) / 2
            if let wait, let host = world.machine.url.host() { silences[host] = now + wait }
        case .misconfigured:
            refusals += 1
            failures = 0
            backoff = now + min(.seconds(4 * 3600), .seconds(900) * (1 << min(refusals - 1, 10)))
        }
    }

    private mutating func checkEffects(
        _ event: RefreshMachine.Event, _ before: RefreshMachine.Request?, _ connection: Int?,
        _ life: RefreshMachine.Life
    ) {
        var request = before?.sentAt == nil ? nil : before?.number
        if case .response(let number, _) = event, number == request { request = nil }
        var open = connection
        if case .stream(let number, let news) = event, number == open {
            switch news {
            case .lost, .over: open = nil
            case .opened, .progress: break
            }
        }
        var hasSwapped = false
        for effect in world.effects {
            switch effect {
            case .request(let number, let url, _):
                expect(request == nil, "a second request beside \(request ?? 0)")
                request = number
                checkTime(of: url)
            case .cancelRequest(let number):
                expect(request == number, "request \(number) was cancelled, which is not on its way")
                request = nil
                noteDeadline(before)
            case .connect(let number, let url, _):
                expect(open == nil, "a second connection")
                open = number
                let isSameHost = url.host() == world.machine.url.host()
                let silence = isSameHost ? url.host().flatMap { silences[$0] } : nil
                expect(!isSameHost || failures == 0, "a connection to a host that fails")
                expect(world.now >= silence ?? .zero, "a connection before the end of the silence")
                expect(isAwake, "a connection while it may not be")
                expect(world.now >= streamNotBefore, "a connection right after the last was lost")
            case .disconnect(let number):
                expect(open == number, "connection \(number) was closed, which is not open")
                open = nil
            case .tell, .swap:
                checkTelling(effect, event, life)
                if case .swap(let swap) = effect {
                    hasSwapped = true
                    if let date = swap.document.flatMap({ confirmed[ObjectIdentifier($0)] }) {
                        let age = world.now - date
                        expect(age < world.machine.rules.timeToLive, "a document of age \(age) was put in force")
                    }
                }
            case .joined(let number): joined.insert(number)
            case .answer(let number, let answer):
                if case .swapped = answer { expect(hasSwapped, "an answer before the swap that it is about") }
                joined.remove(number)
            case .refused(let error):
                if case .started = event { expect(life == .running, "a start was refused: \(error)") }
            case .arm(let instant): expect(instant.map { $0 > world.now } ?? true, "a timer was armed for the past")
            case .readCache, .writeCache, .warn, .ready, .settled, .ended, .ignored: break
            }
        }
        if case .started = event { hasStopped = false }
        if world.machine.request == nil { expect(joined.isEmpty, "somebody waits for nothing") }
    }

    /// A request that was cancelled by the deadline has failed.
    private mutating func noteDeadline(_ request: RefreshMachine.Request?) {
        guard let sentAt = request?.sentAt, sentAt + world.machine.rules.totalDeadline <= world.now,
            case .passing? = world.machine.schedule.trouble
        else { return }
        note(.failed(reason: "late", retryAfter: nil), request)
    }

    private mutating func checkTime(of url: URL) {
        expect(world.now >= url.host().flatMap { silences[$0] } ?? .zero, "a request before the end of the silence")
        let isOwn = world.machine.request?.isOwn == true
        if isOwn {
            expect(isAwake, "a request of its own while it may not")
            let (now, earliest) = (world.now, backoff ?? .zero)
            expect(now >= earliest, "a request at \(now), before the backoff \(earliest)")
        }
        expect(world.machine.cache == .read, "a request before the cache was read")
    }

    private mutating func checkTelling(
        _ effect: RefreshMachine.Effect, _ event: RefreshMachine.Event, _ life: RefreshMachine.Life
    ) {
        var isByHand = false
        switch event {
        case .activated, .turned: isByHand = true
        default: break
        }
        expect(!hasStopped || isByHand || world.machine.isRunning, "\(effect) was told after the stop")
        switch effect {
        case .tell(.stopped): hasStopped = true
        case .tell(.stale): isToldStale = true
        case .tell(.ready), .swap: isToldStale = false
        default: break
        }
    }

    private var isAwake: Bool { isRunning && !isSuspended && !isOffline }

    private mutating func checkState() {
        let machine = world.machine
        expect(isAwake || world.connection == nil, "the stream is open while it may not be")
        expect(machine.isRunning == isRunning, "it \(machine.isRunning ? "runs" : "does not run")")
        expect(machine.documents.active?.document === world.active, "what is in force is not what was swapped in")
        expect(machine.request?.sentAt == nil || machine.request?.number == world.request, "a request got lost")
        expect(machine.connection.number == world.connection, "a connection got lost")
        checkAge()
        // Whatever is due later has a timer.
        if machine.isAwake, machine.cache == .read, machine.request == nil, let due = machine.schedule.due {
            expect(world.armed.map { $0 <= due } ?? false, "nothing will wake it at \(due)")
        }
        if machine.isAwake, let due = machine.connectionDue {
            expect(world.armed.map { $0 <= due } ?? false, "nothing will open the stream at \(due)")
        }
        if machine.cache == .unread { expect(!machine.isRunning && machine.request == nil, "nobody reads the cache") }
    }

    private mutating func checkAge() {
        guard let active = world.active, let confirmed = confirmed[ObjectIdentifier(active)] else { return }
        let (age, rules) = (world.now - confirmed, world.machine.rules)
        if world.machine.isRunning { expect(age < rules.timeToLive, "values of age \(age) are in force") }
        if case .misconfigured? = world.machine.schedule.trouble { return }
        let expected: FlagProviderStatus = age >= rules.staleAfter ? .stale(age: age) : .ready
        let status = world.machine.status(at: world.now)
        expect(status == expected, "the status is \(status), where \(expected) is due")
        expect(expected != .ready || !isToldStale, "it is fresh again, and nobody was told")
    }
}
