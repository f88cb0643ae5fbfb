import Foundation
import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

/// A person who may sign in and out.
private final class Session: Sendable {
    private let isSignedIn: Mutex<Bool>
    let reads = Counter()

    init(_ isSignedIn: Bool) { self.isSignedIn = Mutex(isSignedIn) }

    var isEmployee: Bool {
        get {
            _ = reads.next()
            return isSignedIn.withLock { $0 }
        }
        set { isSignedIn.withLock { $0 = newValue } }
    }
}

@Suite("Overrides that are allowed at run time", .hangLimit)
struct FlagOverridesPermissionTests {
    let storage = MemoryProvider()

    private func overrides(_ session: Session, in environment: DeploymentEnvironment = .production) -> FlagOverrides {
        FlagOverrides(storage: storage, environment: environment, isAllowed: { session.isEmployee })
    }

    private typealias Loader = FlagsLoader<OverriddenFlags>

    private func flags(_ overrides: FlagOverrides, _ log: IssueRecorder = IssueRecorder()) -> Loader {
        Loader(
            OverriddenFlags.self, environment: .production, providers: [overrides], issueReporter: log.reporter)
    }

    @Test("are in a chain for production and have no effect until they are allowed, without an issue")
    func signingIn() throws {
        let session = Session(false)
        try FlagOverrides(storage: storage, environment: .nonProduction).setValue(true, for: "new_checkout")
        let overrides = overrides(session)
        let log = IssueRecorder()
        let flags = flags(overrides, log)
        #expect(flags.providers.count == 1 && !flags.newCheckout && !overrides.isAllowed && overrides.status == .ready)
        session.isEmployee = true
        #expect(!flags.newCheckout)
        #expect(overrides.updatePermission() && overrides.isAllowed)
        #expect(flags.newCheckout)
        try flags.$maxAttempts.setValue(9)
        #expect(flags.maxAttempts == 9 && log.issues.isEmpty)
        // Once they are allowed no longer, they are out of force, and kept.
        session.isEmployee = false
        overrides.updatePermission()
        #expect(!flags.newCheckout && overrides.overrides.isEmpty && overrides.document?.root.isEmpty == true)
        session.isEmployee = true
        overrides.updatePermission()
        #expect(flags.newCheckout && flags.maxAttempts == 9)
    }

    @Test("notice at a write that they are allowed no longer, and refuse it")
    func writing() throws {
        let session = Session(true)
        let overrides = overrides(session)
        let flags = flags(overrides)
        try flags.$newCheckout.setValue(true)
        let kept = storage.document
        session.isEmployee = false
        let attempts: [() throws -> Void] = [
            { try overrides.setValue(true, for: "mood") },
            { _ = try overrides.exportBundle() },
            { try overrides.importBundle(Data(#"{"format":"tackline-overrides","version":1,"overrides":[]}"#.utf8)) },
        ]
        for attempt in attempts {
            let error = #expect(throws: FlagError.self) { try attempt() }
            #expect(error?.code == .overridesRefused)
            #expect(error?.message.contains("isAllowed returned false.") == true)
        }
        #expect(!flags.newCheckout && storage.document == kept)
    }

    @Test("are decided by the closure in every environment, which is called for no read of a flag")
    func reads() throws {
        for environment in [DeploymentEnvironment.production, .nonProduction, .simulator] {
            #expect(overrides(Session(true), in: environment).isAllowed)
            #expect(!overrides(Session(false), in: environment).isAllowed)
        }
        let session = Session(true)
        let overrides = overrides(session)
        let flags = flags(overrides)
        try flags.$newCheckout.setValue(true)
        let count = session.reads.count
        for _ in 0..<10 { #expect(flags.newCheckout && overrides.value(for: "new_checkout") == true) }
        _ = flags.$newCheckout.explain()
        _ = (overrides.status, overrides.overrides)
        #expect(session.reads.count == count)
    }

    @Test("follow what others write to the storage only while they are allowed")
    func following() async throws {
        let session = Session(false)
        let overrides = overrides(session)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(overrides.observe(observer))
        try FlagOverrides(storage: storage, environment: .nonProduction).setValue(true, for: "new_checkout")
        #expect(overrides.value(for: "new_checkout") == nil)
        session.isEmployee = true
        overrides.updatePermission()
        #expect(overrides.value(for: "new_checkout") == true)
        try FlagOverrides(storage: storage, environment: .nonProduction).setValue(7, for: "max_attempts")
        var keys: [String] = []
        for await notice in notices {
            if case .changed(let changes) = notice { keys += changes.map(\.key.text) }
            if keys.count == 2 { break }
        }
        #expect(keys == ["new_checkout", "max_attempts"])
    }

    @Test("go by the answer that was asked for last, when an earlier answer comes later")
    func order() throws {
        let gate = Mutex<(asked: Int, later: (@Sendable () -> Void)?)>((0, nil))
        let overrides = FlagOverrides(storage: storage, environment: .production) {
            let (asked, later) = gate.withLock { state in
                state.asked += 1
                defer { state.later = nil }
                return (state.asked, state.later)
            }
            // The second question is asked and answered while the first is not answered yet.
            later?()
            return asked == 2
        }
        gate.withLock { $0.later = { overrides.updatePermission() } }
        #expect(!overrides.updatePermission())
        gate.withLock { $0.later = nil }
    }
}
