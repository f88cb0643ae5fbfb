import Synchronization
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
        (.turnsOneIntoTrue, .everyValueType, "1 was written and true came back"),
        (.turnsIntegersIntoDoubles, .everyValueType, "0 was written and 0.0 came back"),
        (.turnsDoublesIntoIntegers, .everyValueType, "1.0 was written and 1 came back"),
        (.losesNull, .everyValueType, "null was written and nothing came back"),
        (.changesNaN, .everyValueType, "nan was written and 0.0 came back"),
        (.changesInfinities, .everyValueType, "came back; keep the value exactly"),
        (.changesNegativeZero, .everyValueType, "-0.0 was written and 0.0 came back"),
        (
            .changesAndThrows, .everyValueType,
            "a write of null threw and left null instead of nothing; change and announce"
        ),
        (.changesOldValuesAndThrows, .everyValueType, "a write of null threw and left null instead of true"),
        (
            .announcesAndThrows, .everyValueType,
            "a write of null threw and announced a change; change and announce nothing"
        ),
        (
            .ignoresRemovals, .removal,
            "\"tackline_removal/removed\": the value is true instead of nothing after it was removed"
        ),
        (.bringsRemovedValuesBack, .removal, "after it was removed, and another value written; forget"),
        (
            .resetsFlatKeysOnly, .removal,
            "\"both/key\": the value is \"nested\" instead of nothing after a reset; remove"
        ),
        (.removesNeighbours, .removal, "\"tackline_removal/kept\": the value is nothing instead of true"),
        (.overwritesNeighbours, .flatAndNestedKeys, "\"tackline_flat/other/deep\": the value should be 1"),
        (.givesAnOldDocument, .document, "the value is nothing in the document and true in value(for:); make both"),
        (.leavesNullOutOfTheDocument, .document, "the value is nothing in the document and null in value(for:)"),
        (
            .announcesNothing, .completeNotices,
            "the change from nothing to 1 was not announced by the time the write returned"
        ),
        (
            .losesEveryThirdChange, .completeNotices,
            "was not announced by the time the write returned; notify observers"
        ),
        (.comparesNumbers, .completeNotices, "a write of 1.0 over 1 changed nothing; compare values with their types"),
        (
            .announcesTwice, .completeNotices,
            "the change from nothing to 1 was announced 2 times; announce each change once"
        ),
        (.announcesTwoNotices, .completeNotices, "the change from nothing to 1 was announced 2 times; announce each"),
        (.announcesOtherKeys, .completeNotices, "was announced as one of \"other\"; name the key that changed"),
        (.announcesWrongValues, .completeNotices, "was announced as one from"),
        (.announcesUnchangedValues, .unchangedValues, "the value that was there, was announced as a change; compare"),
        (.notifiesTheNewestObserverOnly, .everyObserver, "got no notice once there was a second one; keep a list"),
        (
            .keepsObserversAlive, .weakObservers,
            "an observer that nobody else keeps is still alive; hold observers weakly"
        ),
        (
            .announcesBeforeTheChange, .readableChanges,
            "a read during the notice of the change from nothing to 1 gives nothing"
        ),
        (
            .announcesAfterUnlocking, .orderOfNotices,
            "the notice of a second write was sent while that of the first one was"
        ),
        (.dropsNoticesDuringNotices, .orderOfNotices, "and the last notice says 1"),
        (.announcesOneChangeLate, .lastNotice, "after concurrent writes, and the last notice says"),
        (
            .showsHalfOfAWrite, .concurrentReadsAndWrites,
            "which was never written"
        ),
        (
            .readsHalvesUnderTwoLocks, .concurrentReadsAndWrites,
            "which was never written; replace the whole value under"
        ),
        (.sleepsInReads, .readsDoNotWait, "the quickest of 20 reads took"),
        (.hangsInReads, .readsDoNotWait, "a read hasn't returned after"),
        (.writesSlowlyUnderTheLock, .readsDoNotWait, "no read returned during any of"),
        (
            .returnsNoKeys, .refreshedKeys,
            "a refresh changed the value from nothing to 1 and returned unchanged; return the keys"
        ),
        (.returnsOtherKeys, .refreshedKeys, "a refresh changed the value from nothing to 1 and returned changed"),
        (.returnsAllKeys, .refreshedKeys, "returned the key among the changed ones; compare the values"),
        (
            .refreshesSilently, .refreshedKeys,
            "a refresh changed the value from nothing to 1 without a notice; announce"
        ),
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
        var suite = FlagProviderConformance(holding: ["both/key": "flat"]) {
            FaultyProvider(fault, delays: delays, refusesConcurrentWrites: check != .concurrentReadsAndWrites)
        }
        suite.changeSource = { provider, values in (provider as? FaultyProvider)?.changeSource(values) }
        if fault == .sleepsInReads { suite.stuckReadLimit = .seconds(30) }
        var failures: [FlagProviderConformanceFailure] = []
        // Some faults show only if two threads meet, which a busy machine may prevent.
        for _ in 0..<10 where !failures.contains(where: { $0.message.contains(message) }) {
            failures = await suite.failures().filter { $0.check == check }
        }
        #expect(failures.contains { $0.message.contains(message) }, "\(fault): \(failures.map(\.message))")
        for failure in failures {
            // One sentence: the key, the fault, and what to do.
            #expect(failure.message.hasPrefix("\"") && failure.message.contains("; "), "\(failure)")
            #expect(failure.message.split(separator: "\n").count == 1 && !failure.message.hasSuffix("."), "\(failure)")
        }
    }

    /// Each takes less than a second, because the suite makes few slow calls and no other check.
    @Test("has slow reads or writes that block reads, after a few calls")
    func slowFaults() async {
        for (fault, limit) in [
            (.sleepsInReads, 20), (.hangsInReads, 1), (.writesSlowlyUnderTheLock, 30),
        ] as [(FaultyProvider.Fault, Int)] {
            let delays = FaultyDelays()
            defer { delays.finish() }
            var suite = FlagProviderConformance { FaultyProvider(fault, delays: delays) }
            if fault == .sleepsInReads { suite.stuckReadLimit = .seconds(30) }
            let report = await suite.report()
            #expect(delays.count > 0 && delays.count <= limit, "\(fault): \(delays.count)")
            #expect(report.failures.map(\.check) == [.readsDoNotWait] && report.passed == [.name], "\(fault)")
            #expect(report.skipped.last?.reason == "reads wait, which would hold up this check. Correct that first")
        }
    }

    @Test("notices sent after unlocking, every time")
    func everyTime() async {
        let suite = FlagProviderConformance {
            FaultyProvider(.announcesAfterUnlocking, refusesConcurrentWrites: true)
        }
        for _ in 0..<20 {
            let failures = await suite.failures()
            #expect(failures.contains { $0.check == .orderOfNotices })
        }
    }

    @Test("does not find what it is said to hold")
    func doesNotHold() async {
        let suite = FlagProviderConformance(holding: ["a": true]) {
            FaultyProvider(nil, refusesConcurrentWrites: true)
        }
        let failures = await suite.failures()
        #expect(failures.contains { $0.check == .heldValues })
        #expect(
            failures.first?.message == """
                "a": the value should be true in a fresh provider and is nothing; look keys up as FlagDocument does, as one \
                flat key and then in nested objects
                """)
    }

    @Test("lets readers wait for a stuck write")
    func blocksReaders() async {
        var suite = FlagProviderConformance { FaultyProvider(nil) }
        suite.stuckWrite = { provider, whileStuck in (provider as? FaultyProvider)?.withLock(whileStuck) }
        suite.stuckReadLimit = .milliseconds(50)
        #expect(await suite.failures().map(\.check) == [.readsDoNotWait])
    }

    @Test("none of these faults")
    func control() async {
        var suite = FlagProviderConformance { FaultyProvider(nil) }
        suite.changeSource = { provider, values in (provider as? FaultyProvider)?.changeSource(values) }
        let report = await suite.report()
        #expect(report.failures == [])
        #expect(report.passed.contains(.refreshedKeys))
    }

    @Test("throws while it is made, and says so for each check")
    func throwsWhenMade() async {
        struct NoServer: Error {}
        let suite = FlagProviderConformance { () -> FaultyProvider in throw NoServer() }
        let failures = await suite.failures()
        #expect(failures.contains { $0.check == .name && $0.message.contains("NoServer()") })
        let error = await #expect(throws: FlagProviderConformanceError.self) { try await suite.check() }
        #expect(error?.failures == failures)
    }
}
