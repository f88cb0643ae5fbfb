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
final class FaultyProvider: WritableFlagProvider, RefreshableFlagProvider, @unchecked Sendable {
    enum Fault {
        case answersAbsentKeys, looksUpFlatKeysOnly, prefersNestedValues, hidesGroupsBehindFlatKeys
        case turnsOneIntoTrue, turnsIntegersIntoDoubles, turnsDoublesIntoIntegers, losesNull, changesNaN
        case changesNegativeZero, foldsCase, explainsNothing, remembersAbsentKeys
        case changesAndThrows, changesOldValuesAndThrows, announcesAndThrows
        case ignoresRemovals, bringsRemovedValuesBack, resetsFlatKeysOnly, removesNeighbours, overwritesNeighbours
        case givesAnOldDocument, leavesNullOutOfTheDocument
        case announcesNothing, losesEveryThirdChange, comparesNumbers, announcesTwoNotices
        case announcesOtherKeys, announcesEveryKey, announcesWrongValues, announcesUnchangedValues
        case notifiesTheNewestObserverOnly, losesNoticesOfTheSecondObserver, keepsObserversAlive
        case announcesBeforeTheChange, announcesAfterUnlocking, dropsNoticesDuringNotices, announcesOneChangeLate
        case showsHalfOfAWrite, sleepsInReads, hangsInReads, writesSlowlyUnderTheLock
        case announcesUnderARecursiveLock, returnsNoKeys, returnsOtherKeys, returnsAllKeys, refreshesSilently
        case refreshesOnce, keepsWhatTheSourceRemoves
    }

    private let fault: Fault?
    private let delays: FaultyDelays
    /// Recursive, so that values may be read on the thread of a notice.
    private let lock = NSRecursiveLock()
    // Under the lock.
    private var values = FlagDocument(["both/key": "flat", "both": ["key": "nested"]])
    private var oldValues = FlagDocument()
    private var source: [FlagKeyPath: EncodedFlagValue?] = [:]
    private var observers: [() -> FlagProviderObserver?] = []
    private var late: FlagProviderChange?
    private var removed: [FlagKeyPath: EncodedFlagValue] = [:]
    private var changeCount = 0
    private var absent: Set<FlagKeyPath> = []

    private let isAnnouncing = Atomic<Bool>(false)

    init(_ fault: Fault?, delays: FaultyDelays = FaultyDelays()) {
        (self.fault, self.delays) = (fault, delays)
    }

    func withLock(_ body: () -> Void) { lock.withLock(body) }

    // MARK: Reading

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        if fault == .sleepsInReads { delays.wait(0.004) }
        if fault == .hangsInReads, key.text.contains("stuck") { delays.hang() }
        if fault == .writesSlowlyUnderTheLock { delays.noteRead() }
        let document = lock.withLock { values }
        let value = document.value(for: key)
        if value == nil { lock.withLock { _ = absent.insert(key) } }
        switch fault {
        case .looksUpFlatKeysOnly: return document.root[key.text]
        case .prefersNestedValues: return nested(key, in: document) ?? value
        case .hidesGroupsBehindFlatKeys:
            let group = (key.components.first ?? "") + "/"
            let isBehind = key.components.count > 1 && document.root[key.text] == nil
            return isBehind && document.root.keys.contains { $0.hasPrefix(group) } ? .none : value
        case .foldsCase: return document.value(for: FlagKeyPath(key.text.lowercased()))
        case .remembersAbsentKeys: return lock.withLock { absent.contains(key) ? nil : value }
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

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        FlagEvaluation(value: fault == .explainsNothing ? nil : value(for: key))
    }

    var document: FlagDocument? {
        lock.withLock {
            switch fault {
            case .givesAnOldDocument: return oldValues
            case .leavesNullOutOfTheDocument:
                let key: FlagKeyPath = "tackline_notices/flag"
                var document = values
                if document.value(for: key) == .null { document.setValue(nil, for: key) }
                return document
            // Made from other lookups than these.
            case .looksUpFlatKeysOnly, .prefersNestedValues, .hidesGroupsBehindFlatKeys, .answersAbsentKeys: return nil
            default: return values
            }
        }
    }

    func observe(_ observer: FlagProviderObserver) -> Bool {
        let isKept = fault == .keepsObserversAlive
        lock.withLock { observers.append(isKept ? { observer } : { [weak observer] in observer }) }
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
            lock.withLock { announce(FlagProviderChange(key: key, old: nil, new: .null)) }
            throw unsupported
        case .showsHalfOfAWrite:
            if case .array(let elements)? = value { set(.array(Array(elements.prefix(1))), for: key) }
        case .bringsRemovedValuesBack:
            lock.withLock {
                for (key, value) in removed { values.setValue(value, for: key) }
                removed = [:]
                if value == nil { removed[key] = values.value(for: key) }
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
        case (.changesNegativeZero, .double(0)): 0.0
        default: value
        }
    }

    private func set(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        let later = lock.withLock { () -> FlagProviderChange? in
            let old = values.value(for: key)
            absent.remove(key)
            if fault == .comparesNumbers, let old = old.flatMap({ try? Double(encoded: $0) }),
                let new = value.flatMap({ try? Double(encoded: $0) }), old == new
            {
                return nil
            }
            guard old != value || fault == .announcesUnchangedValues else { return nil }
            let change = FlagProviderChange(key: key, old: old, new: value)
            if fault == .announcesBeforeTheChange { return change }
            if fault == .announcesUnderARecursiveLock { announce(change) }
            if fault == .writesSlowlyUnderTheLock { delays.waitForRead() }
            oldValues = values
            commit(change)
            switch fault {
            case .announcesAfterUnlocking, .dropsNoticesDuringNotices: return change
            case .announcesUnderARecursiveLock: break
            default: announce(change)
            }
            return nil
        }
        guard let later else { return }
        if isAnnouncing.exchange(true, ordering: .relaxed), fault == .dropsNoticesDuringNotices { return }
        for observer in lock.withLock({ observers.compactMap { $0() } }) { observer.valuesChanged([later]) }
        isAnnouncing.store(false, ordering: .relaxed)
        if fault == .announcesBeforeTheChange { lock.withLock { commit(later) } }
    }

    private func commit(_ change: FlagProviderChange) {
        switch fault {
        case .resetsFlatKeysOnly where change.new == nil: values.root[change.key.text] = nil
        case .removesNeighbours where change.new == nil:
            for name in values.root.keys where name.hasPrefix((change.key.components.first ?? "") + "/") {
                values.root[name] = nil
            }
        case .overwritesNeighbours:
            if change.key.components.last?.hasPrefix("deep") == true {
                for other in values.root.keys where other.hasSuffix("/deep") { values.root[other] = nil }
            }
            values.setValue(change.new, for: change.key)
        case .prefersNestedValues, .hidesGroupsBehindFlatKeys:
            // Kept flat, beside what is nested.
            values.root[change.key.text] = change.new
        default: values.setValue(change.new, for: change.key)
        }
    }

    private func announce(_ change: FlagProviderChange) {
        var change = change
        changeCount += 1
        switch fault {
        case .announcesNothing: return
        case .losesEveryThirdChange where changeCount.isMultiple(of: 3): return
        case .announcesOneChangeLate:
            let held = late
            late = change
            guard let held else { return }
            change = held
        case .announcesOtherKeys: change.key = "other"
        case .announcesWrongValues: change.old = change.old == nil ? 9 : nil
        default: break
        }
        if fault == .notifiesTheNewestObserverOnly { return observers.last?()?.valuesChanged([change]) ?? () }
        for (number, observer) in observers.enumerated() {
            if fault == .losesNoticesOfTheSecondObserver, number > 0, changeCount > 5 { continue }
            let other = FlagProviderChange(key: "other", old: nil, new: 1)
            observer()?.valuesChanged(fault == .announcesEveryKey ? [change, other] : [change])
            if fault == .announcesTwoNotices { observer()?.valuesChanged([change]) }
        }
    }

    // MARK: Refreshing

    func changeSource(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        lock.withLock { source.merge(values) { $1 } }
    }

    func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        let (source, count) = lock.withLock { (self.source, changeCount) }
        var changed: Set<FlagKeyPath> = []
        if fault == .refreshesOnce, count > 0 { return .unchanged }
        for (key, value) in source where self.value(for: key) != value {
            if fault == .keepsWhatTheSourceRemoves, value == nil { continue }
            changed.insert(key)
            if fault == .refreshesSilently {
                lock.withLock { values.setValue(value, for: key) }
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
