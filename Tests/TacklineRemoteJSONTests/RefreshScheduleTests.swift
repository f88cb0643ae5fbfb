import Testing

@testable import TacklineRemoteJSON

@Suite("The schedule of requests") struct RefreshScheduleTests {
    private func schedule() -> RefreshSchedule {
        var schedule = RefreshSchedule(now: .zero, interval: .seconds(300))
        schedule.isRunning = true
        return schedule
    }

    @Test("waits twice as long after each failure, up to five minutes, half of it at random")
    func backoff() {
        for (random, share) in [(1.0, 1.0), (0.0, 0.5)] {
            var schedule = self.schedule()
            for seconds in [2.0, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
                schedule.failed(at: .seconds(1000), retryAfter: nil, random: random)
                #expect(schedule.due == .seconds(1000 + seconds * share))
            }
        }
    }

    @Test("waits a quarter of an hour after a refusal, then twice as long, up to four hours")
    func refusal() {
        var schedule = self.schedule()
        for minutes in [15.0, 30, 60, 120, 240, 240] {
            schedule.refused(at: .zero, isFinal: false)
            #expect(schedule.due == .seconds(minutes * 60))
        }
        schedule.refused(at: .zero, isFinal: true)
        #expect(schedule.due == nil)
        schedule.request(at: .zero)
        #expect(schedule.due == .zero)
    }

    @Test("27: after a pause that the server asked for, clients come back over a time as long again and no longer")
    func retryAfter() {
        for (random, due) in [(0.0, 1.0), (0.5, 1.5), (1, 2)] {
            var schedule = self.schedule()
            schedule.failed(at: .zero, retryAfter: .seconds(1), random: random)
            #expect(schedule.silentUntil == .seconds(1))
            #expect(schedule.due == .seconds(max(due, random + 1)))
        }
    }

    @Test("sends nothing for an event while requests fail, and something for the application")
    func triggers() {
        var schedule = self.schedule()
        schedule.failed(at: .zero, retryAfter: nil, random: 1)
        schedule.trigger(at: .seconds(1))
        #expect(schedule.due == .seconds(2))
        schedule.request(at: .milliseconds(500))
        #expect(schedule.due == .milliseconds(500))
        schedule.began()
        schedule.answered(at: .seconds(1), random: 0.5)
        #expect(schedule.due == .seconds(301))
        schedule.trigger(at: .seconds(3))
        #expect(schedule.due == .seconds(3))
    }

    @Test("asks again for an event that comes while an attempt is on its way, whose answer may be older")
    func lateEvent() {
        var schedule = self.schedule()
        schedule.failed(at: .zero, retryAfter: nil, random: 1)
        schedule.began()
        schedule.announced(at: .seconds(3), random: 0)
        schedule.answered(at: .seconds(4), random: 0)
        #expect(schedule.due == .milliseconds(3100))
    }

    @Test("42: when the network returns, a request follows within a second, and the next ones soon")
    func networkReturn() {
        var schedule = self.schedule()
        for _ in 0..<20 { schedule.failed(at: .zero, retryAfter: nil, random: 1) }
        schedule.networkReturned(at: .seconds(10))
        #expect(schedule.due == .seconds(10.5))
        // It can't be used yet.
        schedule.failed(at: .seconds(10.5), retryAfter: nil, random: 1)
        #expect(schedule.due == .seconds(12.5))
    }

    @Test("nothing is asked for when the network returns and nothing had failed, or the server wants silence")
    func needlessReturn() {
        var schedule = self.schedule()
        schedule.began()
        schedule.answered(at: .zero, random: 0.5)
        schedule.networkReturned(at: .seconds(1))
        #expect(schedule.due == .seconds(300))
        schedule.failed(at: .seconds(300), retryAfter: .seconds(600), random: 0)
        schedule.networkReturned(at: .seconds(301))
        #expect(schedule.due == .seconds(900))
    }

    // firebase/firebase-ios-sdk#15490
    @Test("a stream that was lost is opened within a second after the network returns, unless its server wants silence")
    func lostStream() {
        for retryAfter in [nil, Duration.seconds(900)] {
            var schedule = self.schedule()
            schedule.answered(at: .zero, random: 0)
            for _ in 0..<20 { schedule.lost(at: .seconds(10), retry: .seconds(1), retryAfter: retryAfter, random: 1) }
            let due = schedule.connectionDue
            schedule.networkReturned(at: .seconds(20))
            #expect(schedule.connectionDue == (retryAfter == nil ? .milliseconds(20_500) : due))
            schedule.streamEnded()
            schedule.forgetStream(isSame: true)
            #expect(schedule.connectionDue == (retryAfter == nil ? .zero : due))
            schedule.forgetStream()
            #expect(schedule.connectionDue == .zero)
        }
    }

    @Test("after a silence every client of a stream comes back over a time as long as it was away")
    func serverReturn() {
        for (seconds, random, due) in [(600, 0.5, 900), (6000, 1, 6900)] {
            var schedule = self.schedule()
            schedule.lost(at: .zero, retry: .seconds(1), retryAfter: nil, random: 0)
            schedule.failed(at: .zero, retryAfter: nil, random: 0)
            #expect(schedule.connectionDue == nil)
            schedule.answered(at: .seconds(seconds), random: random)
            #expect(schedule.connectionDue == .seconds(due))
        }
    }

    @Test("nothing is due while it is suspended, offline, or not running")
    func pauses() {
        for path in [\RefreshSchedule.isRunning, \.isSuspended, \.isOffline] {
            var schedule = self.schedule()
            #expect(schedule.due == .zero && schedule.connectionDue == .zero)
            schedule[keyPath: path].toggle()
            #expect(schedule.due == nil && schedule.connectionDue == nil)
        }
    }
}
