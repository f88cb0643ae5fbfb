import Dispatch
import Foundation
import Synchronization
import TacklineCore
import TacklineTesting

/// The delays of a provider with a fault.
///
/// A machine that is busy makes them longer, and changes nothing else.
final class FaultyDelays: Sendable {
    private let number = Atomic<Int>(0)
    private let reads = Atomic<Int>(0)
    private let end = DispatchSemaphore(value: 0)

    var count: Int { number.load(ordering: .relaxed) }

    func wait(_ seconds: Double) {
        number.add(1, ordering: .relaxed)
        Thread.sleep(forTimeInterval: seconds)
    }

    /// Waits for ``finish()``, or a minute.
    func hang() {
        number.add(1, ordering: .relaxed)
        if end.wait(timeout: .now() + 60) == .success { end.signal() }
    }

    /// Ends the waits of ``hang()``.
    func finish() { end.signal() }

    func noteRead() { reads.add(1, ordering: .relaxed) }

    /// Waits until a read has begun, and then for as long again, so that the read begins in the middle of the write.
    func waitForRead() {
        number.add(1, ordering: .relaxed)
        let (start, earlier) = (ContinuousClock.now, reads.load(ordering: .relaxed))
        for _ in 0..<20 where reads.load(ordering: .relaxed) == earlier { usleep(1000) }
        Thread.sleep(forTimeInterval: max(0.005, (ContinuousClock.now - start) / .seconds(1)))
    }
}

/// A provider with a fault that can be chosen; without one it keeps all the rules.
final class FaultyProvider: WritableFlagProvider, RefreshableFlagProvider {
    enum Fault {
        case answersAbsentKeys, looksUpFlatKeysOnly, prefersNestedValues, hidesGroupsBehindFlatKeys
        case turnsOneIntoTrue, turnsIntegersIntoDoubles, turnsDoublesIntoIntegers, losesNull, changesNaN
        case changesInfinities, changesNegativeZero
        case changesAndThrows, changesOldValuesAndThrows, announcesAndThrows
        case ignoresRemovals, bringsRemovedValuesBack, resetsFlatKeysOnly, removesNeighbours, overwritesNeighbours
        case givesAnOldDocument, leavesNullOutOfTheDocument
        case announcesNothing, losesEveryThirdChange, comparesNumbers, announcesTwice, announcesTwoNotices
        case announcesOtherKeys, announcesWrongValues, announcesUnchangedValues
        case notifiesTheNewestObserverOnly, losesNoticesOfTheSecondObserver, keepsObserversAlive
        case announcesBeforeTheChange, announcesAfterUnlocking, dropsNoticesDuringNotices, announcesOneChangeLate
        case showsHalfOfAWrite, readsHalvesUnderTwoLocks, sleepsInReads, hangsInReads, writesSlowlyUnderTheLock
        case returnsNoKeys, returnsOtherKeys, returnsAllKeys, refreshesSilently
    }

    private struct State {
        var document = FlagDocument()
        var oldDocument = FlagDocument()
        var source: [FlagKeyPath: EncodedFlagValue?] = [:]
        var observers: [() -> FlagProviderObserver?] = []
        var late: FlagProviderChange?
        var removed: [FlagKeyPath: EncodedFlagValue] = [:]
        var changeCount = 0
    }

    private let fault: Fault?
    private let delays: FaultyDelays
    private let state = Mutex(State())
    private let secondHalf = Mutex(FlagDocument())
    private let isAnnouncing = Mutex(false)

    init(_ fault: Fault?, delays: FaultyDelays = FaultyDelays()) {
        (self.fault, self.delays) = (fault, delays)
        state.withLock { $0.document = FlagDocument(["both/key": "flat", "both": ["key": "nested"]]) }
    }

    func withLock(_ body: () -> Void) { state.withLock { _ in body() } }

    // MARK: Reading

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        if fault == .sleepsInReads { delays.wait(0.004) }
        if fault == .hangsInReads, key.text.contains("stuck") { delays.hang() }
        if fault == .writesSlowlyUnderTheLock { delays.noteRead() }
        let document = state.withLock { $0.document }
        let value = document.value(for: key)
        switch fault {
        case .looksUpFlatKeysOnly: return document.root[key.text]
        case .prefersNestedValues: return nested(key, in: document) ?? value
        case .hidesGroupsBehindFlatKeys:
            let group = (key.components.first ?? "") + "/"
            let isBehind = key.components.count > 1 && document.root[key.text] == nil
            return isBehind && document.root.keys.contains { $0.hasPrefix(group) } ? .none : value
        case .readsHalvesUnderTwoLocks:
            guard case .array(let pair)? = value, pair.count == 2 else { return value }
            guard case .array(let other)? = secondHalf.withLock({ $0.value(for: key) }), other.count == 2 else {
                return value
            }
            return [pair[0], other[1]]
        case .answersAbsentKeys: return value ?? .bool(false)
        case .losesNull: return value == .null ? .none : value
        default: return value
        }
    }

    private func nested(_ key: FlagKeyPath, in document: FlagDocument) -> EncodedFlagValue? {
        var value: EncodedFlagValue = .object(document.root)
        for name in key.components {
            guard case .object(let members) = value, let member = members[name] else { return nil }
            value = member
        }
        return value
    }

    var document: FlagDocument? {
        state.withLock { state in
            switch fault {
            case .givesAnOldDocument: state.oldDocument
            case .leavesNullOutOfTheDocument: withoutNull(state.document)
            // Made from other lookups than these.
            case .looksUpFlatKeysOnly, .prefersNestedValues, .hidesGroupsBehindFlatKeys, .answersAbsentKeys: nil
            default: state.document
            }
        }
    }

    private func withoutNull(_ document: FlagDocument) -> FlagDocument {
        var document = document
        let key: FlagKeyPath = "tackline_notices/flag"
        if document.value(for: key) == .null { document.setValue(nil, for: key) }
        return document
    }

    func observe(_ observer: FlagProviderObserver) -> Bool {
        state.withLock { state in
            if fault == .keepsObserversAlive {
                state.observers.append { observer }
            } else {
                state.observers.append { [weak observer] in observer }
            }
        }
        return true
    }

    // MARK: Writing

    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        let unsupported = FlagError(.unsupportedValue, provider: name, reason: "null is not supported")
        switch fault {
        case .ignoresRemovals where value == nil: return
        case .changesOldValuesAndThrows where value == .null:
            if self.value(for: key) != nil { set(value, for: key) }
            throw unsupported
        case .announcesAndThrows where value == .null:
            state.withLock { announce(FlagProviderChange(key: key, old: nil, new: .null), &$0) }
            throw unsupported
        case .showsHalfOfAWrite:
            if case .array(let elements)? = value { set(.array(Array(elements.prefix(1))), for: key) }
        case .readsHalvesUnderTwoLocks: secondHalf.withLock { $0.setValue(value, for: key) }
        case .bringsRemovedValuesBack:
            state.withLock { state in
                for (key, value) in state.removed { state.document.setValue(value, for: key) }
                state.removed = [:]
                if value == nil { state.removed[key] = state.document.value(for: key) }
            }
        default: break
        }
        set(changed(value), for: key)
        if fault == .changesAndThrows, value == .null { throw unsupported }
    }

    private func changed(_ value: EncodedFlagValue?) -> EncodedFlagValue? {
        switch (fault, value) {
        case (.turnsOneIntoTrue, .integer(1)): true
        case (.turnsIntegersIntoDoubles, .integer(let number)): .double(Double(number))
        case (.turnsDoublesIntoIntegers, .double(let number)): Int128(exactly: number).map { .integer($0) } ?? value
        case (.changesNaN, .double(let number)) where number.isNaN: 0.0
        case (.changesInfinities, .double(let number)) where number.isInfinite: .double(.greatestFiniteMagnitude)
        case (.changesNegativeZero, .double(0)): 0.0
        default: value
        }
    }

    private func set(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        let later = state.withLock { state -> FlagProviderChange? in
            let old = state.document.value(for: key)
            if fault == .comparesNumbers, let old = old.flatMap({ try? Double(encoded: $0) }),
                let new = value.flatMap({ try? Double(encoded: $0) }), old == new
            {
                return nil
            }
            guard old != value || fault == .announcesUnchangedValues else { return nil }
            let change = FlagProviderChange(key: key, old: old, new: value)
            if fault == .announcesBeforeTheChange { return change }
            if fault == .writesSlowlyUnderTheLock { delays.waitForRead() }
            state.oldDocument = state.document
            commit(change, &state)
            if fault == .announcesAfterUnlocking || fault == .dropsNoticesDuringNotices { return change }
            announce(change, &state)
            return nil
        }
        guard let later else { return }
        if fault == .dropsNoticesDuringNotices {
            guard
                isAnnouncing.withLock({ isAnnouncing in
                    defer { isAnnouncing = true }
                    return !isAnnouncing
                })
            else { return }
        }
        for observer in state.withLock({ $0.observers.compactMap { $0() } }) { observer.valuesChanged([later]) }
        isAnnouncing.withLock { $0 = false }
        if fault == .announcesBeforeTheChange { state.withLock { commit(later, &$0) } }
    }

    private func commit(_ change: FlagProviderChange, _ state: inout State) {
        switch fault {
        case .resetsFlatKeysOnly where change.new == nil: state.document.root[change.key.text] = nil
        case .removesNeighbours where change.new == nil:
            for name in state.document.root.keys where name.hasPrefix((change.key.components.first ?? "") + "/") {
                state.document.root[name] = nil
            }
        case .overwritesNeighbours:
            if let name = change.key.components.last?.prefix(4), name == "deep" {
                for other in state.document.root.keys where other.hasSuffix("/deep") {
                    state.document.root[other] = nil
                }
            }
            state.document.setValue(change.new, for: change.key)
        case .prefersNestedValues, .hidesGroupsBehindFlatKeys:
            // Kept flat, beside what is nested.
            state.document.root[change.key.text] = change.new
        default: state.document.setValue(change.new, for: change.key)
        }
    }

    private func announce(_ change: FlagProviderChange, _ state: inout State) {
        var change = change
        state.changeCount += 1
        switch fault {
        case .announcesNothing: return
        case .losesEveryThirdChange where state.changeCount.isMultiple(of: 3): return
        case .announcesOneChangeLate:
            let held = state.late
            state.late = change
            guard let held else { return }
            change = held
        case .announcesOtherKeys: change.key = "other"
        case .announcesWrongValues: change.old = change.old == nil ? 9 : nil
        default: break
        }
        if fault == .notifiesTheNewestObserverOnly { return state.observers.last?()?.valuesChanged([change]) ?? () }
        for (number, observer) in state.observers.enumerated() {
            if fault == .losesNoticesOfTheSecondObserver, number > 0, state.changeCount > 5 { continue }
            observer()?.valuesChanged(fault == .announcesTwice ? [change, change] : [change])
            if fault == .announcesTwoNotices { observer()?.valuesChanged([change]) }
        }
    }

    // MARK: Refreshing

    func changeSource(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        state.withLock { $0.source.merge(values) { $1 } }
    }

    func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        let source = state.withLock { $0.source }
        var changed: Set<FlagKeyPath> = []
        for (key, value) in source where self.value(for: key) != value {
            changed.insert(key)
            if fault == .refreshesSilently {
                state.withLock { $0.document.setValue(value, for: key) }
            } else {
                try setValue(value, for: key)
            }
        }
        switch fault {
        case .returnsNoKeys: return .unchanged
        case .returnsOtherKeys: return changed.isEmpty ? .unchanged : .changed(["elsewhere"])
        case .returnsAllKeys: return .changed(Set(source.keys))
        default: return changed.isEmpty ? .unchanged : .changed(changed)
        }
    }

    func run() async throws {}
}
