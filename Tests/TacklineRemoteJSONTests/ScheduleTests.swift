import Foundation
import Testing

@testable import TacklineRemoteJSON

@Suite("The schedule") struct ScheduleTests {
    @Test("27: Retry-After is clamped to a second and a day, in every form")
    func retryAfter() {
        let cases: [(String, Double)] = [
            ("7", 7.0), ("0", 1), ("-5", 1), ("1000000000", 86400), ("99999999999999999999999999", 86400), (" 12 ", 12),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
            ("Sun Nov  6 08:49:47 1994", 10),
            ("1994-11-06T08:49:47Z", 10), ("1994-11-06T09:49:47+01:00", 10), ("Sun, 06 Nov 1994 08:00:00 GMT", 1),
            ("Sun, 06 Nov 2094 08:00:00 GMT", 86400),
        ]
        for (text, seconds) in cases {
            let now = Date(timeIntervalSince1970: 784_111_777)
            #expect(RetryAfter.parse(text, now: now) == .seconds(seconds), "\(text)")
        }
    }

    @Test("27: a date is taken against that of the answer, whatever the device's clock says")
    func retryAfterByServer() {
        let cases: [Double] = [-365.0 * 86400, -3600.0, 0.0, 3600.0, 365.0 * 86400]
        for lead in cases {
            let now = Date(timeIntervalSince1970: 784_111_777 + lead)
            var headers = HTTPTransportHeaders()
            headers["Date"] = "Sun, 06 Nov 1994 08:49:37 GMT"
            headers["Retry-After"] = "Sun, 06 Nov 1994 08:50:37 GMT"
            #expect(RetryAfter.parse(headers, now: now) == .seconds(60), "\(lead)")
            headers["Retry-After"] = "7"
            #expect(RetryAfter.parse(headers, now: now) == .seconds(7), "\(lead)")
            headers["Date"] = "yesterday"
            headers["Retry-After"] = "Sun, 06 Nov 1994 08:50:37 GMT"
            #expect(RetryAfter.parse(headers, now: now) == .seconds(min(max(60 - lead, 1), 86400)), "\(lead)")
        }
    }

    @Test("27: garbage says nothing")
    func garbage() {
        let cases: [String] = ["", " ", "soon", "1.5", "--5", "7 s", "Sun, 06 Foo 1994 08:49:47 GMT", "٧"]
        for text in cases {
            #expect(RetryAfter.parse(text, now: Date()) == nil, "\(text)")
            #expect(RetryAfter.parse(nil, now: Date()) == nil, "\(text)")
        }
    }

    @Test("waits half of a time that doubles, and a random part of the other half")
    func backoff() {
        let waits = (1...10).map {
            Backoff.delay(afterFailures: $0, base: .seconds(2), limit: .seconds(300), random: 0)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 150, 150].map { .seconds($0) })
        #expect(Backoff.delay(afterFailures: .max, base: .seconds(2), limit: .seconds(300), random: 1) == .seconds(300))
    }

    @Test("asks again with a jitter of a tenth, and never without polling")
    func jitter() {
        var schedule = RefreshSchedule(now: .zero)
        schedule.succeeded(at: .seconds(5), interval: .seconds(100), random: 0)
        #expect(schedule.due == .seconds(95))
        schedule.succeeded(at: .seconds(5), interval: .seconds(100), random: 1)
        #expect(schedule.due == .seconds(115))
        schedule.succeeded(at: .seconds(5), interval: nil, random: 1)
        #expect(schedule.due == nil)
    }

    @Test("asks after a rejected document when it would have asked anyway, and without polling after five minutes")
    func rejected() {
        var schedule = RefreshSchedule(now: .zero)
        schedule.failed(at: .zero, retryAfter: .seconds(50), spread: .zero, random: 1)
        schedule.rejected(at: .seconds(60), interval: .seconds(100), random: 0)
        #expect(schedule.due == .seconds(150))
        #expect(schedule.attempt == 0)
        schedule.rejected(at: .seconds(60), interval: nil, random: 0.5)
        #expect(schedule.due == .seconds(360))
    }

    @Test("doubles a quarter of an hour up to four hours while the configuration is wrong")
    func misconfigured() {
        var schedule = RefreshSchedule(now: .zero)
        let waits = (0..<7).map { _ in
            schedule.misconfigured(status: 404, at: .zero)
            return schedule.due
        }
        #expect(waits == [15, 30, 60, 120, 240, 240, 240].map { .seconds($0 * 60) })
    }

    @Test("lets the server's wish win where it is later, and no trigger comes before it")
    func silence() {
        var schedule = RefreshSchedule(now: .zero)
        schedule.failed(at: .zero, retryAfter: .seconds(50), spread: .zero, random: 1)
        #expect(schedule.due == .seconds(50))
        schedule.trigger(at: .seconds(10))
        #expect(schedule.due == .seconds(50))
        schedule.failed(at: .zero, retryAfter: .seconds(1), spread: .zero, random: 1)
        schedule.began(at: .seconds(10))
        #expect(schedule.due == .seconds(4))
    }
}
