import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("The provider conformance suite catches a provider that", .hangLimit)
struct FaultyProviderTests {
    /// Each fault, the check that finds it, and the key and a part of the sentence that its author gets.
    private static let faults: [(FaultyProvider.Fault, FlagProviderCheck, String)] = [
        (.answersAbsentKeys, .absentKeys, "\"tackline_absent\": the key was never set and is answered with false"),
        (.looksUpFlatKeysOnly, .flatAndNestedKeys, "\"tackline_nested/inner/deep\": the value should be true"),
        (.prefersNestedValues, .flatAndNestedKeys, "\"tackline_nested/inner/deep\": the value should be 3"),
        (.hidesGroupsBehindFlatKeys, .flatAndNestedKeys, "\"tackline_nested/other\": the value should be 1"),
        (.overwritesNeighbours, .flatAndNestedKeys, "\"tackline_flat/other/deep\": the value should be 1"),
        (.turnsOneIntoTrue, .everyValueType, "to \"tackline_notices/flag\" and is true; look keys up"),
        (.turnsIntegersIntoDoubles, .everyValueType, "and is 0.0"),
        (.turnsDoublesIntoIntegers, .everyValueType, "the value should be 1.0"),
        (.comparesNumbers, .everyValueType, "the value should be 1.0"),
        (.losesNull, .everyValueType, "the value should be null"),
        (.changesNaN, .everyValueType, "the value should be nan"),
        (.foldsCase, .flatAndNestedKeys, "\"tackline_nested/inner/DEEP\": the value should be nothing after"),
        (.explainsNothing, .everyValueType, "the value should be 1 after a write of 1 to \"tackline_notices"),
        (.remembersAbsentKeys, .flatAndNestedKeys, "\"tackline_nested/inner/deep\": the value should be true after"),
        (.changesNegativeZero, .everyValueType, "the value should be -0.0"),
        (.changesAndThrows, .everyValueType, "threw and left null instead of nothing; change and announce"),
        (.changesOldValuesAndThrows, .everyValueType, "threw and left null instead of true"),
        (.announcesAndThrows, .everyValueType, "a write of null threw and announced a change; change and"),
        (.ignoresRemovals, .removal, "\"tackline_removal/removed\": the value should be nothing after the"),
        (.bringsRemovedValuesBack, .removal, "be nothing after a write of false to \"tackline_removal/kept\""),
        (.resetsFlatKeysOnly, .removal, "\"both/key\": the value should be nothing after the removal of"),
        (.removesNeighbours, .removal, "\"tackline_removal/kept\": the value should be true after the removal"),
        (.givesAnOldDocument, .document, "is nothing in the document and 1 in value(for:); make both"),
        (.leavesNullOutOfTheDocument, .document, "is nothing in the document and null in value(for:)"),
        (.announcesNothing, .completeNotices, "the change from nothing to 1 was not announced by the time"),
        (.losesEveryThirdChange, .completeNotices, "was not announced by the time the write returned; notify"),
        (.announcesOneChangeLate, .completeNotices, "from 1 to 2 was announced as \"tackline_notices/flag\" from no"),
        (.notifiesTheNewestObserverOnly, .completeNotices, "was not announced by the time the write returned"),
        (.announcesEveryKey, .completeNotices, "as \"tackline_notices/flag\" from nothing to 1, \"other\" from"),
        (.announcesTwoNotices, .completeNotices, "to 1, \"tackline_notices/flag\" from nothing to 1; announce"),
        (.announcesOtherKeys, .completeNotices, "was announced as \"other\" from nothing to 1; announce each"),
        (.announcesWrongValues, .completeNotices, "as \"tackline_notices/flag\" from 9 to 1; announce each"),
        (.announcesUnchangedValues, .unchangedValues, "which changed nothing, was announced as a change; com"),
        (.losesNoticesOfTheSecondObserver, .everyObserver, "or others; keep a list of observers"),
        (.keepsObserversAlive, .weakObservers, "an observer that nobody else keeps is still alive; hold"),
        (.announcesBeforeTheChange, .concurrentWrites, "or older than the last notice; replace the whole"),
        (.announcesAfterUnlocking, .concurrentWrites, "two notices were sent at the same time; send"),
        (.dropsNoticesDuringNotices, .concurrentWrites, "was announced last; send notices under the lock"),
        (.showsHalfOfAWrite, .concurrentWrites, "which is not a whole value or"),
        (.sleepsInReads, .readsDoNotWait, "each of 20 reads took more than"),
        (.hangsInReads, .readsDoNotWait, "a read hasn't returned after"),
        (.writesSlowlyUnderTheLock, .readsDoNotWait, "half of the reads took more than"),
        (.announcesUnderARecursiveLock, .concurrentWrites, "a read on the thread of a notice gives"),
        (.returnsNoKeys, .refreshedKeys, "from nothing to 1 and returned unchanged; return the keys"),
        (.returnsOtherKeys, .refreshedKeys, "a refresh changed the value from nothing to 1 and returned changed"),
        (.returnsAllKeys, .refreshedKeys, "a refresh changed the value from 1 to 1 and returned changed"),
        (.refreshesSilently, .refreshedKeys, "from nothing to 1 without a notice; announce what"),
        (.refreshesOnce, .refreshedKeys, "the value should be 1.0 after a refresh, as in its source and is 1"),
        (.keepsWhatTheSourceRemoves, .refreshedKeys, "the value should be nothing after a refresh, as in its"),
    ]

    @Test("has one of these faults")
    func faults() async {
        await withTaskGroup(of: Void.self) { group in
            for number in Self.faults.indices { group.addTask { await expectFault(number: number) } }
        }
    }

    private func expectFault(number: Int) async {
        let (fault, check, message) = Self.faults[number]
        let delays = FaultyDelays()
        defer { delays.finish() }
        var suite = FlagProviderConformance(holding: ["both/key": "flat"]) { FaultyProvider(fault, delays: delays) }
        suite.changeSource = { provider, values in (provider as? FaultyProvider)?.changeSource(values) }
        if fault == .sleepsInReads { suite.stuckReadLimit = .seconds(30) }
        suite.isReadInNotices = fault == .announcesUnderARecursiveLock
        var (report, earlier) = (await suite.report(), 0)
        var failures: [String] { report.failures.filter { $0.check == check }.map(\.message) }
        // Some faults show only if two threads meet, which a busy machine may prevent.
        for _ in 1..<10 where !failures.contains(where: { $0.contains(message) }) {
            earlier = delays.count
            report = await suite.report()
        }
        #expect(failures.contains { $0.contains(message) }, "\(fault): \(failures)")
        for failure in failures {
            // One sentence: the key, the fault, and what to do.
            #expect(failure.hasPrefix("\"") && failure.contains("; "), "\(failure)")
            #expect(failure.split(separator: "\n").count == 1 && !failure.hasSuffix("."), "\(failure)")
        }
        guard check == .readsDoNotWait else { return }
        // Nothing else is checked.
        #expect((1...30).contains(delays.count - earlier), "\(fault): \(delays.count)")
        #expect(report.failures.map(\.check) == [check] && report.passed == [.name], "\(fault)")
        #expect(report.skipped.last?.reason == "reads wait, which would hold up this check. Correct that first")
    }

    @Test("has reads that wait for a write that is made to hang")
    func stuckWrite() async {
        var suite = FlagProviderConformance { FaultyProvider(nil) }
        suite.stuckWrite = { provider, whileStuck in (provider as? FaultyProvider)?.withLock(whileStuck) }
        suite.stuckReadLimit = .milliseconds(50)
        #expect(await suite.report().failures.map(\.check) == [.readsDoNotWait])
    }

    @Test("does not hold what it is said to hold, and fails the test for it")
    func doesNotHold() async {
        let suite = FlagProviderConformance(holding: ["a": true]) { FaultyProvider(nil) }
        await withKnownIssue {
            await suite.expectConformance()
        } matching: { issue in
            issue.error.map { "\($0)" }?.contains("heldValues: \"a\": the value should be true") == true
        }
    }

    @Test("gets no Boolean from its source; the source may refuse one only at a key where it has other values")
    func source() async {
        struct Refused: Error {}
        struct Constant: FlagProvider {
            let name = "constant"
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        }
        var suite = FlagProviderConformance { Constant() }
        suite.change = { _, _ in throw Refused() }
        let failures = await suite.report().failures
        #expect(Set(failures.map(\.check)) == [.removal, .flatAndNestedKeys], "\(failures)")
        #expect(failures.allSatisfy { $0.message.hasSuffix("take a Boolean at least") }, "\(failures)")
    }

    @Test("throws while it is made")
    func throwsWhenMade() async {
        struct NoServer: Error {}
        let suite = FlagProviderConformance { () -> FaultyProvider in throw NoServer() }
        let failures = await suite.report().failures
        #expect(failures.count == 1 && failures.first?.message.contains("NoServer()") == true)
    }

    @Test("has none of these faults", arguments: [false, true])
    func control(isReadInNotices: Bool) async throws {
        var suite = FlagProviderConformance { FaultyProvider(nil) }
        suite.changeSource = { provider, values in (provider as? FaultyProvider)?.changeSource(values) }
        suite.isReadInNotices = isReadInNotices
        let report = await suite.report()
        #expect(report.failures == [])
        #expect(report.passed.contains(.refreshedKeys))
        // Loaders don't read in notices, so this fault alone shows itself to none.
        let provider = FaultyProvider(.announcesUnderARecursiveLock)
        let flags = FlagsLoader(AppFlags.self, providers: [provider])
        for limit in UInt8(4)...9 {
            try provider.setValue(.integer(Int128(limit)), for: "limit")
            #expect(flags.limit == limit)
        }
    }
}
