import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@testable import TacklineLocal

@Suite("The schedule of a local file")
struct LocalFileScheduleTests {
    private var schedule = LocalFileSchedule()

    @Test("writes what was gathered once after its delay")
    mutating func delay() {
        #expect(schedule.handle(.gathered(within: .seconds(3))) == [.start(.write, after: .seconds(3))])
        #expect(schedule.handle(.gathered(within: .seconds(3))) == [])
        #expect(schedule.handle(.timerWentOff(.write)) == [.write])
        #expect(schedule.handle(.wrote(everything: true)) == [])
        #expect(schedule.handle(.gathered(within: .seconds(3))) == [.start(.write, after: .seconds(3))])
    }

    @Test("writes when the app goes to the background, and at once while it is there")
    mutating func background() {
        #expect(schedule.handle(.signal(.didEnterBackground)) == [])
        #expect(schedule.handle(.gathered(within: .seconds(3))) == [.write])
        #expect(schedule.handle(.wrote(everything: true)) == [])
        #expect(schedule.handle(.signal(.willEnterForeground)) == [])
        #expect(schedule.handle(.gathered(within: .seconds(3))) == [.start(.write, after: .seconds(3))])
        #expect(schedule.handle(.signal(.didEnterBackground)) == [.write])
    }

    @Test("tries again when the app is back or the device unlocked, if writing failed")
    func failure() {
        for signal in [FlagAppLifecycle.Signal.willEnterForeground, .protectedDataDidBecomeAvailable] {
            Self().failure(signal: signal)
        }
    }

    private func failure(signal: FlagAppLifecycle.Signal) {
        var schedule = LocalFileSchedule()
        _ = schedule.handle(.gathered(within: .seconds(3)))
        #expect(schedule.handle(.signal(.didEnterBackground)) == [.write])
        #expect(schedule.handle(.wrote(everything: false)) == [])
        #expect(schedule.handle(.signal(signal)) == [.write])
        #expect(schedule.handle(.wrote(everything: true)) == [])
        #expect(schedule.handle(.signal(signal)) == [])
        // The timer of the delay is of no use any more.
        #expect(schedule.handle(.timerWentOff(.write)) == [])
    }

    @Test("writes before the program ends")
    mutating func end() {
        #expect(schedule.handle(.signal(.willTerminate)) == [])
        _ = schedule.handle(.gathered(within: .seconds(3)))
        #expect(schedule.handle(.signal(.willTerminate)) == [.writeBeforeTheEnd])
    }

    @Test("reads a protected file when the device is unlocked, and at growing intervals where nobody tells")
    mutating func protected() {
        var waits: [Duration] = []
        for _ in 0..<9 {
            guard case .start(.read, let wait)? = schedule.handle(.read(isProtected: true)).first else {
                Issue.record("no timer")
                return
            }
            waits.append(wait)
            #expect(schedule.handle(.timerWentOff(.read)) == [.read])
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        // As the provider's own readings do, which arrange nothing further.
        #expect(schedule.handle(.read(isProtected: true)) == [.start(.read, after: .seconds(60))])
        #expect(schedule.handle(.read(isProtected: true)) == [])
        #expect(schedule.handle(.signal(.protectedDataDidBecomeAvailable)) == [.read])
        #expect(schedule.handle(.read(isProtected: false)) == [])
        #expect(schedule.handle(.timerWentOff(.read)) == [])
        #expect(schedule.handle(.signal(.willEnterForeground)) == [])
        #expect(schedule.handle(.read(isProtected: true)) == [.start(.read, after: .seconds(1))])
    }

    @Test("never forgets what was gathered, in any order of 10,000 events")
    mutating func neverForgets() {
        var generator = SeededGenerator(seed: 16)
        var (isGathered, isTimerRunning, isBackground) = (false, false, false)
        for _ in 0..<10_000 {
            var effects: [LocalFileSchedule.Effect] = []
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1:
                effects = schedule.handle(.gathered(within: .seconds(1)))
                isGathered = true
            case 2 where isTimerRunning:
                isTimerRunning = false
                effects = schedule.handle(.timerWentOff(.write))
                if isGathered { #expect(effects == [.write]) }
            case 3:
                effects = schedule.handle(.signal(.didEnterBackground))
                isBackground = true
                if isGathered { #expect(effects == [.write]) }
            case 4:
                effects = schedule.handle(.signal(.willEnterForeground))
                isBackground = false
                if isGathered { #expect(effects == [.write]) }
            default:
                effects = []
            }
            for effect in effects {
                if effect == .start(.write, after: .seconds(1)) { isTimerRunning = true }
                if effect == .write, Bool.random(using: &generator) {
                    isGathered = false
                    #expect(schedule.handle(.wrote(everything: true)) == [])
                } else if effect == .write {
                    #expect(schedule.handle(.wrote(everything: false)) == [])
                }
            }
            #expect(!isBackground || !effects.contains(.start(.write, after: .seconds(1))))
        }
    }
}

@Suite("The life of an app")
struct AppLifecycleTests {
    @Test("is told in extensions too, and by the same signals")
    func names() {
        for system in [FlagAppLifecycle.System.watch, .other] {
            let signals = system.notifications.filter { $0.name == "NSExtensionHostDidEnterBackgroundNotification" }
            #expect(signals.map(\.signal) == [.didEnterBackground])
        }
        for system in FlagAppLifecycle.System.allCases {
            for (name, signal) in system.notifications {
                switch signal {
                case .didEnterBackground: #expect(name.hasSuffix("DidEnterBackgroundNotification"))
                case .willEnterForeground: #expect(name.hasSuffix("WillEnterForegroundNotification"))
                case .willTerminate: #expect(name.hasSuffix("WillTerminateNotification"))
                case .protectedDataDidBecomeAvailable: #expect(name.hasSuffix("ProtectedDataDidBecomeAvailable"))
                }
            }
        }
    }
}
