import Foundation
import Synchronization
import TacklineCore
import TacklineTestSupport
import Testing

@testable import TacklineUserDefaults

@Suite("A suite of user defaults")
struct DefaultsSuiteTests {
    @Test("that is an App Group without entitlement keeps nothing, and says so")
    func missingEntitlement() throws {
        let suite = "group.tackline-\(UUID().uuidString)"
        let provider = UserDefaultsProvider(name: "shared", suiteName: suite, prefix: "", hasContainer: { _ in false })
        let message = """
            this process may not use the App Group "\(suite)", so no other process would see its values. \
            Give the App Groups capability
            """
        guard case .failed(let failure) = provider.status else {
            Issue.record("\(provider.status)")
            return
        }
        #expect(failure.description.contains(message), "\(failure)")
        do {
            try provider.setValue(true, for: "x")
            Issue.record("written")
        } catch {
            #expect(error.description.contains(message), "\(error)")
        }
        #expect(provider.value(at: "x") == nil)
        #expect(UserDefaults(suiteName: suite)?.object(forKey: "x") == nil)
    }

    @Test("is asked for a container only if it has the name of an App Group")
    func otherSuites() {
        let problems = [nil, "com.example.settings", "group.example"].map { name in
            DefaultsSuite.problem(with: name, exists: true, hasContainer: { $0 == "group.example" })
        }
        #expect(problems.allSatisfy { $0 == nil })
        #expect(DefaultsSuite.problem(with: "group.other", exists: true, hasContainer: { _ in false }) != nil)
    }
}

@Suite("Notices of changed user defaults")
struct DefaultsGatheringTests {
    /// Runs what was put off when the test says so.
    private final class Timers: Sendable {
        private let waiting = Mutex<[@Sendable () -> Void]>([])
        var count: Int { waiting.withLock { $0.count } }

        func add(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
            #expect(delay == DefaultsGathering.interval)
            waiting.withLock { $0.append(action) }
        }

        func pass() {
            let due = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for action in due { action() }
        }
    }

    @Test("lead to one look for many, and to another one for what comes during it")
    func gathers() {
        let timers = Timers()
        let looks = Mutex(0)
        let itself = Mutex<DefaultsGathering?>(nil)
        let gathering = DefaultsGathering(timer: { timers.add($0, $1) }) {
            let count = looks.withLock { looks in
                looks += 1
                return looks
            }
            if count == 1 { itself.withLock { $0 }?.add() }
        }
        itself.withLock { $0 = gathering }
        for _ in 0..<1000 { gathering.add() }
        #expect(timers.count == 1)
        #expect(looks.withLock { $0 } == 0)
        timers.pass()
        #expect(looks.withLock { $0 } == 1)
        timers.pass()
        #expect(looks.withLock { $0 } == 2)
        timers.pass()
        #expect(looks.withLock { $0 } == 2)
        itself.withLock { $0 = nil }
    }
}
