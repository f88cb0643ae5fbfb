import Dispatch
import TacklineCore

extension FlagProviderConformance {
    private typealias Write = @Sendable (FlagKeyPath, EncodedFlagValue?) async throws -> Void

    /// Returns a provider with an observer and a closure that writes, or `nil` if its notices can't be checked. The
    /// check is then skipped.
    private func makeObserved(
        _ run: FlagProviderCheckRun
    ) async throws -> (
        provider: any FlagProvider, write: Write, recorder: FlagNoticeRecorder, observer: FlagProviderObserver
    )? {
        let provider = try await make()
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        guard provider.observe(observer) else {
            run.skip(Self.cannotTellChanges)
            return nil
        }
        guard let write = writer(for: provider) else {
            run.skip("the provider cannot be written to. Set `change` if its values change by other means")
            return nil
        }
        return (provider, write, recorder, observer)
    }

    func checkCompleteNotices(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, write, recorder, observer) = try await makeObserved(run) else { return }
        let key: FlagKeyPath = "tackline_notices/flag"
        let values: [EncodedFlagValue?] = [
            1, 2, 1, nil, 3, 4, 5, 6, nil, 1, 1.0, true, "1", 0, 0.0, .double(-0.0), .null, nil, ["a": 1], ["a": 2],
            [.null], [], nil, .double(.nan), .double(.infinity), 7,
        ]
        for value in values {
            let (old, before) = (provider.value(for: key), recorder.notices.count)
            do {
                try await write(key, value)
            } catch {
                // The write was refused, which another check covers.
                continue
            }
            let new = provider.value(for: key)
            if let value, let new, old == new, value != new, !isSame(value, new) {
                run.fail(
                    key, "a write of \(phrase(value)) over \(phrase(old)) changed nothing",
                    "compare values with their types, as EncodedFlagValue does")
            }
            guard new != old else { continue }
            let notices = recorder.notices.dropFirst(before)
            let change = "the change from \(phrase(old)) to \(phrase(new))"
            guard !notices.isEmpty else {
                return run.fail(
                    key, "\(change) was not announced by the time the write returned",
                    "notify observers under the lock under which you change the value, as FlagProviderStore does")
            }
            guard !notices.contains(.reset), !notices.contains(.subjectChanged) else { continue }
            let changes = notices.flatMap(\.changes)
            guard changes.contains(where: { $0.key.isRelated(to: key) })
            else {
                return run.fail(
                    key, "\(change) was announced as one of \(changes.map { "\"\($0.key)\"" }.joined(separator: ", "))",
                    "name the key that changed")
            }
            let own = changes.filter { $0.key == key }
            guard own.count < 2 else {
                return run.fail(key, "\(change) was announced \(own.count) times", "announce each change once")
            }
            if let told = own.first, told != FlagProviderChange(key: key, old: old, new: new) {
                return run.fail(
                    key, "\(change) was announced as one from \(phrase(told.old)) to \(phrase(told.new))",
                    "announce the values before and after the change")
            }
        }
        for change in recorder.changes where change.old == change.new {
            run.fail(
                change.key, "a change from \(phrase(change.old)) to the same value was announced",
                "compare before you announce")
        }
        withExtendedLifetime((provider, observer)) {}
    }

    func checkUnchangedValues(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, write, recorder, observer) = try await makeObserved(run) else { return }
        let key: FlagKeyPath = "tackline_unchanged/flag"
        let values: [EncodedFlagValue?] = [
            nil, "same", 1, 1.0, .null, ["a": 1, "b": [1]], [1, "x"], .double(.nan), .double(-0.0),
        ]
        for value in values {
            do {
                if value != nil { try await write(key, value) }
                let before = recorder.notices.count
                try await write(key, value)
                if recorder.notices.count != before {
                    run.fail(
                        key,
                        value == nil
                            ? "the removal of a value that wasn't there was announced"
                            : "a write of \(phrase(value)), the value that was there, was announced as a change",
                        "compare the values before you announce a change")
                }
            } catch {
                // The write was refused, which another check covers.
                continue
            }
        }
        withExtendedLifetime((provider, observer)) {}
    }

    func checkEveryObserver(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, write, recorder, observer) = try await makeObserved(run) else { return }
        let key: FlagKeyPath = "tackline_observers/flag"
        let second = FlagNoticeRecorder()
        let secondObserver = second.makeObserver()
        if !provider.observe(secondObserver) {
            run.fail(
                key, "observe(_:) returned true for the first observer and false for the second", "take every observer")
        }
        var leaving: FlagProviderObserver? = FlagNoticeRecorder().makeObserver()
        if let leaving { _ = provider.observe(leaving) }
        try await write(key, 1)
        leaving = nil
        try await write(key, 2)
        if recorder.notices.isEmpty {
            run.fail(key, "the first observer got no notice once there was a second one", "keep a list of observers")
        } else if recorder.notices != second.notices {
            run.fail(
                key,
                "one observer got \(recorder.notices.count) notices and another one \(second.notices.count) or others",
                "send every notice to every observer")
        }
        withExtendedLifetime((provider, observer, secondObserver)) {}
    }

    func checkWeakObservers(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        let end = DispatchSemaphore(value: 0)
        var canTellChanges = false
        do {
            let observer = FlagNoticeRecorder().makeObserver()
            observer.onEnd { end.signal() }
            canTellChanges = provider.observe(observer)
            if canTellChanges, let write = writer(for: provider) { try await write("tackline_weak/flag", true) }
        }
        // A provider may be notifying its observers in another thread, and keeps them for as long.
        if !isSignalled(end, within: .seconds(2)) {
            run.fail(
                "tackline_weak/flag", "an observer that nobody else keeps is still alive",
                "hold observers weakly, as FlagProviderStore does")
        }
        if !canTellChanges { run.skip(Self.cannotTellChanges) }
        withExtendedLifetime(provider) {}
    }

    // MARK: Refreshes

    func checkRefreshedKeys(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard let refreshable = provider as? any RefreshableFlagProvider else {
            return run.skip("the provider cannot be refreshed")
        }
        guard let changeSource else {
            return run.skip("the suite does not know how to change the source. Set `changeSource` to check refreshes")
        }
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        let isObserved = provider.observe(observer)
        let steps: [[FlagKeyPath: EncodedFlagValue?]] = [
            ["tackline_refresh/a": 1, "tackline_refresh/b": 2], [:], ["tackline_refresh/a": 1.0],
            ["tackline_refresh/b": nil],
            [:],
        ]
        let keys = Set(held.keys).union(["tackline_refresh/a", "tackline_refresh/b", "tackline_refresh/c"])
        for step in steps {
            if !step.isEmpty { try await changeSource(provider, step) }
            let former = Dictionary(uniqueKeysWithValues: keys.map { ($0, provider.value(for: $0)) })
            let before = recorder.notices.count
            let outcome = try await refreshable.refresh()
            var reported: Set<FlagKeyPath> = []
            if case .changed(let keys) = outcome { reported = keys }
            let notices = recorder.notices.dropFirst(before)
            for key in keys.sorted(by: { $0.text < $1.text }) {
                let (old, new) = (former[key] ?? nil, provider.value(for: key))
                let isNamed = reported.contains { $0.isRelated(to: key) }
                if old != new, !isNamed {
                    run.fail(
                        key,
                        "a refresh changed the value from \(phrase(old)) to \(phrase(new)) and returned \(outcome)",
                        "return the keys whose values changed")
                } else if old == new, reported.contains(key) {
                    run.fail(
                        key, "a refresh that left the value at \(phrase(new)) returned the key among the changed ones",
                        "compare the values before you return their keys")
                } else if old != new, isObserved, notices.isEmpty {
                    run.fail(
                        key, "a refresh changed the value from \(phrase(old)) to \(phrase(new)) without a notice",
                        "announce what a refresh changes")
                }
            }
        }
        withExtendedLifetime(observer) {}
    }
}
