import TacklineCore

extension FlagProviderConformance {
    /// A provider with what it takes to check its notices; `nil`, with the check skipped, if it has none.
    private func makeObserved(
        _ run: FlagProviderCheckRun
    ) async throws -> (
        provider: any FlagProvider, write: @Sendable (FlagKeyPath, EncodedFlagValue?) async throws -> Void,
        recorder: FlagNoticeRecorder, observer: FlagProviderObserver
    )? {
        let provider = try await make()
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        guard provider.observe(observer) else {
            run.skip("the provider says that it cannot tell changes")
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
        var expected: [FlagProviderChange] = []
        for (old, new) in [(nil, 1), (1, 2), (2, 1), (1, nil), (nil, 3)] as [(EncodedFlagValue?, EncodedFlagValue?)] {
            let before = recorder.notices.count
            try await write(key, new)
            expected.append(FlagProviderChange(key: key, old: old, new: new))
            run.expect(
                recorder.notices.count > before,
                """
                the value changed from \(phrase(old)) to \(phrase(new)) and nothing was announced by the time the write \
                returned. Tell observers under the lock under which you change the value, as FlagProviderStore does
                """
            )
        }
        let seen = recorder.changes.filter { $0.key == key || $0.key.isPrefix(of: key) }
        if !recorder.hasReset, seen.map(\.key) == expected.map(\.key) {
            run.expect(
                seen == expected,
                "the changes were \(list(expected)) and the notices told \(list(seen)), in this order"
            )
        } else if !recorder.hasReset {
            run.expect(
                seen.count >= expected.count,
                "there were \(expected.count) changes of \"\(key)\" and the notices named it \(seen.count) times"
            )
        }
        for change in recorder.changes {
            run.expect(
                change.old != change.new,
                "a notice tells a change of \"\(change.key)\" from \(phrase(change.old)) to the same value"
            )
        }
        withExtendedLifetime((provider, observer)) {}
    }

    func checkUnchangedValues(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, write, recorder, observer) = try await makeObserved(run) else { return }
        let key: FlagKeyPath = "tackline_unchanged/flag"
        try await write(key, nil)
        run.expect(recorder.notices.isEmpty, "removing a value that was not there announced \(recorder.notices)")
        try await write(key, "same")
        let before = recorder.notices.count
        try await write(key, "same")
        run.expect(
            recorder.notices.count == before,
            """
            writing the value that was there already announced \(recorder.notices.dropFirst(before)). Compare before \
            you announce
            """
        )
        withExtendedLifetime((provider, observer)) {}
    }

    func checkEveryObserver(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, write, recorder, observer) = try await makeObserved(run) else { return }
        let second = FlagNoticeRecorder()
        let secondObserver = second.makeObserver()
        run.expect(provider.observe(secondObserver), "the first observer was taken and the second was not")
        var leaving: FlagProviderObserver? = FlagNoticeRecorder().makeObserver()
        if let leaving { _ = provider.observe(leaving) }
        try await write("tackline_observers/flag", 1)
        leaving = nil
        try await write("tackline_observers/flag", 2)
        run.expect(!recorder.notices.isEmpty, "the first observer was told nothing once there was a second one")
        run.expect(
            recorder.notices == second.notices,
            "one observer was told \(recorder.notices), the other \(second.notices). Tell all of them everything"
        )
        withExtendedLifetime((provider, observer, secondObserver)) {}
    }

    func checkWeakObservers(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        weak var remembered: FlagProviderObserver?
        var canTellChanges = false
        do {
            let observer = FlagNoticeRecorder().makeObserver()
            canTellChanges = provider.observe(observer)
            remembered = observer
        }
        run.expect(
            remembered == nil,
            """
            an observer is kept alive by the provider, so loaders that are long gone are still told changes. Hold \
            observers weakly, as FlagProviderStore does
            """
        )
        if !canTellChanges { run.skip("the provider says that it cannot tell changes") }
        withExtendedLifetime(provider) {}
    }

    private func list(_ changes: [FlagProviderChange]) -> String {
        changes.map { "\(phrase($0.old)) → \(phrase($0.new))" }.joined(separator: ", ")
    }
}
