import Dispatch
import TacklineCore

import TacklineFoundation

extension ConformanceRun {
    /// Checks the values of a fresh provider, and then the effect of each of many writes.
    func checkValues() async throws {
        let absent: [FlagKeyPath] = [
            "tackline_absent", "tackline_absent/inner", FlagKeyPath(components: ["schlüssel", "🚩", ""]),
            FlagKeyPath(components: []), FlagKeyPath("tackline_absent.inner", separator: "."),
            FlagKeyPath(String(repeating: "tackline_absent/", count: 500)),
        ]
        for key in absent where !suite.held.contains(where: { $0.key == key }) {
            guard let value = provider.value(for: key) else { continue }
            fail(
                .absentKeys, key, "the key was never set and is answered with \(phrase(value))",
                "return nil where there is no value, or later providers are never asked")
        }
        if suite.held.isEmpty {
            results.skip([.heldValues], "no values were given that a fresh provider holds. Pass holding: to check them")
        }
        for (key, value) in suite.held {
            expect(.heldValues, key, value, "in a fresh provider")
            expect(.heldValues, FlagKeyPath(key.text, separator: key.separator), value, "when it is read again")
        }
        if provider.document == nil { results.skip([.document], "the provider has no document") }
        expectEqualDocument(suite.held.map(\.key) + absent.prefix(2))
        await checkWeakObserver()
        let notices: [FlagProviderCheck] = [.completeNotices, .unchangedValues, .everyObserver]
        if !isObserved { results.skip(notices + [.weakObservers], "the provider says that it cannot tell changes") }
        if isWritable || suite.change != nil { return await checkWrites() }
        let reason = "the provider cannot be written to. Set `change` if its values change by other means"
        results.skip(notices + [.flatAndNestedKeys, .everyValueType, .removal], reason)
    }

    private func expect(_ check: FlagProviderCheck, _ key: FlagKeyPath, _ value: EncodedFlagValue?, _ action: String) {
        let answers = [provider.value(for: key), provider.evaluation(for: key).value]
        guard let found = answers.first(where: { !isSame(value, $0) }) else { return }
        fail(
            check, key, "the value should be \(phrase(value)) \(action) and is \(phrase(found))",
            "look keys up as FlagDocument does, as one flat key and then in nested objects, and keep what is written")
    }

    private func expectEqualDocument(_ keys: [FlagKeyPath]) {
        guard let document = provider.document else { return }
        for key in keys {
            let (there, here) = (document.value(for: key), provider.value(for: key))
            guard there != here else { continue }
            fail(
                .document, key, "the value is \(phrase(there)) in the document and \(phrase(here)) in value(for:)",
                "make both from the same values")
        }
    }

    // MARK: Writes

    private typealias Write = (check: FlagProviderCheck, key: FlagKeyPath, value: EncodedFlagValue?)

    /// Writes, each of which is compared with the effect of the same write on a `FlagDocument`.
    private func writes() -> [Write] {
        let sequence: [EncodedFlagValue?] = [
            1, 2, 1, nil, 3, 4, 5, 6, nil, 1, 1.0, true, "1", 0, 0.0, .null, nil, .double(-0.0), ["a": 1], ["a": 2],
            [.null], [], nil, nil, "same", "same", .double(.nan), .double(.nan), .double(.infinity), 7,
        ]
        var writes: [Write] = sequence.map { (.everyValueType, "tackline_notices/flag", $0) }
        for (number, sample) in Self.samples.enumerated() {
            // Again over a value of another type: a write that throws must leave that unchanged, too.
            let (one, two) = (FlagKeyPath("tackline_values\(number)/a"), FlagKeyPath("tackline_values\(number)/b"))
            for (key, value) in [(one, sample), (one, sample), (two, true), (two, sample), (one, nil)] {
                writes.append((.everyValueType, key, value))
            }
        }
        let (kept, removed): (FlagKeyPath, FlagKeyPath) = ("tackline_removal/kept", "tackline_removal/removed")
        for value in [true, ["a": 1], .null, [1], 2.5] as [EncodedFlagValue] {
            writes += [
                (.removal, kept, true), (.removal, removed, value), (.removal, removed, nil), (.removal, kept, false),
                (.removal, removed, nil),
            ]
        }
        writes += [
            ("tackline_flat/inner", true), ("tackline_flat/other/deep", 1), ("tackline_flat/other/deeper", 2),
            ("tackline_flat/inner", nil),
        ].map { (.flatAndNestedKeys, $0, $1) }
        let nested: [(FlagKeyPath, EncodedFlagValue?)] = [
            ("tackline_nested", ["inner": ["deep": true, "null": 0], "other": 1]), ("tackline_nested/inner/deep", 3),
            ("tackline_nested/new", 4), ("tackline_nested/other", nil), ("tackline_nested/inner/deep", .null),
            ("tackline_nested/inner/deep", nil), ("tackline_nested/new", nil),
        ]
        // Elsewhere, an object may be a value of its own that reappears when a value set over it is removed.
        let isPlain = isWritable && provider.wrappedProviders.isEmpty && !provider.traits.contains(.override)
        writes += nested.prefix(isPlain ? 7 : 3).map { (.flatAndNestedKeys, $0, $1) }
        // Their own values, because a source may know the types of its values.
        return writes + (isPlain ? suite.held : []).flatMap { [(.removal, $0.key, $0.value), (.removal, $0.key, nil)] }
    }

    private func checkWrites() async {
        let second = NoticeRecorder()
        let secondObserver = second.makeObserver()
        _ = provider.observe(secondObserver)
        let count = notices.notices.count
        var model = provider.document ?? FlagDocument()
        for (key, value) in suite.held { model.setValue(value, for: key) }
        // What is compared besides the keys that were written.
        var keys: [FlagKeyPath] = [
            FlagKeyPath(components: ["tackline_flat", "inner"]), "tackline_nested/inner/deep", "tackline_nested/other",
            "tackline_nested/inner/absent", "tackline_nested/inner/deep/below", "tackline_nested/inner/null",
            "tackline_nested/inner/DEEP",
        ]
        for key in keys { expect(.absentKeys, key, model.value(for: key), "before it is written") }
        for (check, key, value) in writes() {
            if !keys.contains(key) { keys.append(key) }
            func isCompared(_ other: FlagKeyPath) -> Bool {
                if case .object? = model.value(for: other) { return other == key }
                return other.components.first == key.components.first
            }
            await perform(value, for: key, check, keys.filter(isCompared), &model)
        }
        let (first, other) = (Array(notices.notices.dropFirst(count)), second.notices)
        if isObserved, first != other {
            fail(
                .everyObserver, "tackline_notices/flag",
                "one observer got \(first.count) notices and another one \(other.count) or others",
                "keep a list of observers, and send every notice to each of them")
        }
        withExtendedLifetime(secondObserver) {}
    }

    /// Writes a value and checks the effect on some keys, the document and the notices.
    private func perform(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, _ check: FlagProviderCheck, _ keys: [FlagKeyPath],
        _ model: inout FlagDocument
    ) async {
        let (old, count) = (provider.value(for: key), notices.notices.count)
        let error = await write(value, for: key)
        let new = provider.value(for: key)
        let received = notices.notices.dropFirst(count)
        if let error {
            // A source may know the types of its values.
            if value == true, isWritable || check != .everyValueType {
                fail(check, key, "a write of true threw \(error)", "take a Boolean at least")
            }
            // The source may still hold what the provider has refused.
            if !isWritable { await write(nil, for: key) }
            model.setValue(provider.value(for: key), for: key)
            guard new != old || !received.isEmpty else { return }
            let effect = new == old ? "announced a change" : "left \(phrase(new)) instead of \(phrase(old))"
            fail(
                .everyValueType, key, "a write of \(phrase(value)) threw and \(effect)",
                "change and announce nothing if a write throws")
            return
        }
        let action = value == nil ? "the removal of \"\(key)\"" : "a write of \(phrase(value)) to \"\(key)\""
        model.setValue(isSame(value, new) ? new : value, for: key)
        for other in keys { expect(check, other, model.value(for: other), "after \(action)") }
        expectEqualDocument(keys)
        guard isObserved, received.allSatisfy({ !$0.changes.isEmpty }) else { return }
        if new == old, !received.isEmpty {
            fail(
                .unchangedValues, key, "\(action), which changed nothing, was announced as a change",
                "compare the values before you announce a change")
        } else if new != old {
            expectNotice(of: FlagProviderChange(key: key, old: old, new: new), in: received.flatMap(\.changes))
        }
    }

    private func expectNotice(of change: FlagProviderChange, in changes: [FlagProviderChange]) {
        let text = "the change from \(phrase(change.old)) to \(phrase(change.new))"
        guard !changes.isEmpty else {
            return fail(
                .completeNotices, change.key, "\(text) was not announced by the time the write returned",
                "notify observers under the lock under which you change the value, as FlagProviderStore does")
        }
        let own = changes.filter { $0.key == change.key }
        // A change of a group may stand for those in it. Another value may have changed at the same time.
        if own == [change] || own.isEmpty, changes.allSatisfy({ provider.value(for: $0.key) == $0.new }) { return }
        let found = changes.map { "\"\($0.key)\" from \(phrase($0.old)) to \(phrase($0.new))" }.joined(separator: ", ")
        fail(
            .completeNotices, change.key, "\(text) was announced as \(found)",
            "announce each change once, with its key and the values before and after it")
    }

    /// Samples of each type, including values that formats tend to lose.
    private static var samples: [EncodedFlagValue] {
        [
            true, false, 0, 1, -1, .integer(Int128(Int64.min)), .integer(Int128(UInt64.max)), 9_007_199_254_740_993,
            .integer(.max), 9_007_199_254_740_992.0, 1.0, 0.1, -2.5e300, .double(.leastNonzeroMagnitude), 0.0,
            .double(-0.0), .double(.nan), .double(.infinity), .double(-.infinity),
            "", "true", "1", "a \"quoted\"\nline\t🚩 e\u{301}", .string(String(repeating: "long ", count: 2000)),
            .data(Data()), .data(Data(0...255)),
            .date(Date(timeIntervalSince1970: 1_700_000_000.25)), .date(Date(timeIntervalSince1970: -1_000_000_000)),
            [], [true, 1, 1.0, "one", [2]], [.null, 1, .null], [.double(.nan), .double(-0.0)],
            [:], ["flag": true, "list": [1, 2], "inner": ["text": "x"]], ["null": .null, "a": 1],
            .unparsed("yes"), .null, (0..<EncodedFlagValue.maximumDepth).reduce("deep") { value, _ in .array([value]) },
        ]
    }

    // MARK: Observers and refreshes

    private func checkWeakObserver() async {
        let end = DispatchSemaphore(value: 0)
        do {
            let observer = NoticeRecorder().makeObserver()
            observer.onEnd { end.signal() }
            _ = provider.observe(observer)
            await write(true, for: "tackline_weak/flag")
        }
        // A provider may be notifying its observers in another thread, and keeps them for as long.
        guard isObserved, !isSignalled(end, within: .seconds(2)) else { return }
        fail(
            .weakObservers, "tackline_weak/flag", "an observer that nobody else keeps is still alive",
            "hold observers weakly, as FlagProviderStore does")
    }

    func checkRefreshes() async throws {
        guard let refreshable = provider as? any RefreshableFlagProvider, let changeSource = suite.changeSource else {
            return results.skip(
                [.refreshedKeys], "there are no refreshes. Set `changeSource` to check those that there are")
        }
        let steps: [[FlagKeyPath: EncodedFlagValue?]] = [
            ["tackline_refresh/a": 1, "tackline_refresh/b": 2], [:], ["tackline_refresh/a": 1.0],
            ["tackline_refresh/b": nil], [:],
        ]
        let keys = suite.held.map(\.key) + ["tackline_refresh/a", "tackline_refresh/b"]
        var source: [FlagKeyPath: EncodedFlagValue?] = [:]
        for step in steps {
            if !step.isEmpty { try await changeSource(provider, step) }
            source.merge(step) { $1 }
            let olds = keys.map { provider.value(for: $0) }
            let before = notices.notices.count
            let outcome = try await refreshable.refresh()
            var reported: Set<FlagKeyPath> = []
            if case .changed(let keys) = outcome { reported = keys }
            for (key, old) in zip(keys, olds) {
                let new = provider.value(for: key)
                let change = "a refresh changed the value from \(phrase(old)) to \(phrase(new))"
                if old == new ? reported.contains(key) : !reported.contains(where: { $0.isRelated(to: key) }) {
                    fail(
                        .refreshedKeys, key, "\(change) and returned \(outcome)",
                        "return the keys whose values changed, and no others")
                } else if old != new, isObserved, notices.notices.count == before {
                    fail(.refreshedKeys, key, "\(change) without a notice", "announce what a refresh changes")
                }
            }
            for (key, value) in source { expect(.refreshedKeys, key, value, "after a refresh, as in its source") }
        }
    }
}
