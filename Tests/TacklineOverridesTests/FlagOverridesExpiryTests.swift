import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("An override with an end", .hangLimit)
struct FlagOverridesExpiryTests {
    let time = ManualClock()
    let storage = MemoryProvider()

    private func overrides() -> FlagOverrides {
        FlagOverrides(storage: storage, environment: .nonProduction, now: { [time] in time.date }, clock: time)
    }

    private func set(_ overrides: FlagOverrides, until seconds: Double) throws {
        let entry = FlagOverrides.Entry(key: "new_checkout", value: true, expires: time.date + seconds)
        try overrides.setOverrides([(entry.key, entry)])
    }

    @Test("ends by itself, also for a flag whose value was kept")
    func timer() async throws {
        let overrides = overrides()
        let flags = FlagsLoader(OverriddenFlags.self, environment: .nonProduction, providers: [overrides])
        try overrides.setValue(true, for: flags.$newCheckout, expires: time.date + 100)
        try overrides.setValue(9, for: "max_attempts")
        #expect(flags.newCheckout)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(overrides.observe(observer))
        try await time.waitForSleepers { $0 == [.seconds(100)] }
        time.advance(by: .seconds(99))
        #expect(flags.newCheckout && overrides.overrides.count == 2)
        time.advance(by: .seconds(1))
        #expect(overrides.value(for: "new_checkout") == nil)
        #expect(overrides.overrides.map(\.key.text) == ["max_attempts"])
        for await notice in notices {
            #expect(notice == .changed([FlagProviderChange(key: "new_checkout", old: true, new: nil)]))
            break
        }
        #expect(!flags.newCheckout && flags.maxAttempts == 9)
    }

    @Test("that ended while the program did not run has no effect after a relaunch")
    func relaunch() throws {
        try set(overrides(), until: 100)
        #expect(
            overrides().overrides == [
                FlagOverrides.Entry(key: "new_checkout", value: true, expires: time.date + 100)
            ])
        time.advance(by: .seconds(100))
        let later = overrides()
        #expect(later.overrides.isEmpty && later.value(for: "new_checkout") == nil)
        try later.setValue(1, for: "a")
        #expect(!"\(storage.document ?? FlagDocument())".contains("new_checkout"))
        // One of a flag uncovers that of its group.
        try later.setValue(["a": 1], for: "group")
        try later.setOverrides([("group/a", .init(key: "group/a", value: 2, expires: time.date + 9))])
        time.advance(by: .seconds(9))
        #expect(later.value(for: "group/a") == 1 && later.document?.value(for: "group/a") == 1)
    }

    @Test("is replaced by one without, and by a later end")
    func replacement() async throws {
        let overrides = overrides()
        try set(overrides, until: 100)
        try overrides.setValue(true, for: "new_checkout")
        #expect(overrides.overrides.map(\.expires) == [nil])
        try set(overrides, until: 7200)
        // It looks once an hour, since the time may be set meanwhile.
        try await time.waitForSleepers { $0 == [.seconds(3600)] }
        time.advance(by: .seconds(3600))
        try await time.waitForSleepers { $0 == [.seconds(3600)] }
        #expect(overrides.value(for: "new_checkout") == true)
        time.advance(by: .seconds(3600))
        #expect(overrides.value(for: "new_checkout") == nil)
    }

    @Test("is not shown again while it is removed by another thread")
    func removedMeanwhile() async throws {
        for _ in 0..<200 {
            let time = ManualClock()
            let overrides = FlagOverrides(
                storage: MemoryProvider(), environment: .nonProduction, now: { time.date }, clock: ManualClock())
            try set(overrides, until: 100)
            time.advance(by: .seconds(200))
            await onThreads([
                { overrides.removeExpired() },
                { for _ in 0..<100 { #expect(overrides.value(for: "new_checkout") == nil) } },
            ])
        }
    }
}

extension ManualClock {
    /// The first moment of 2026, and what the clock went forward since.
    fileprivate var date: Date {
        Date(timeIntervalSince1970: 1_767_225_600 + Double(now.offset.components.seconds))
    }
}
