import Synchronization
import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("The provider conformance suite catches a provider that", .hangLimit)
struct FaultyProviderTests {
    @Test("answers absent keys with a value")
    func answersAbsent() async {
        await expectCaught(.absentKeys) { FaultyProvider(.answersAbsentKeys) }
    }

    @Test("does not find what it is said to hold")
    func doesNotHold() async {
        let failures = await FlagProviderConformance(holding: ["a": true]) { FaultyProvider(nil) }.failures()
        #expect(failures.map(\.check) == [.heldValues])
        #expect(failures.first?.message == "\"a\" should be true in a fresh provider and is nothing")
    }

    @Test("keeps flat keys only")
    func flatOnly() async {
        await expectCaught(.flatAndNestedKeys) { FaultyProvider(.looksUpFlatKeysOnly) }
    }

    @Test("turns 1 into true")
    func losesTypes() async {
        await expectCaught(.everyValueType) { FaultyProvider(.turnsOneIntoTrue) }
    }

    @Test("throws and changes the value all the same")
    func changesAndThrows() async {
        await expectCaught(.everyValueType) { FaultyProvider(.changesAndThrows) }
    }

    @Test("ignores removals")
    func ignoresRemoval() async {
        await expectCaught(.removal) { FaultyProvider(.ignoresRemovals) }
    }

    @Test("takes the object of a flag for a group of flags")
    func objectsAreGroups() async {
        await expectCaught(.neighbours) { FaultyProvider(.takesObjectsForGroups) }
    }

    @Test("keeps one of two keys that differ in their normalization")
    func normalization() async {
        await expectCaught(.neighbours) { FaultyProvider(.comparesKeysAsText) }
    }

    @Test("announces nothing")
    func announcesNothing() async {
        await expectCaught(.completeNotices) { FaultyProvider(.announcesNothing) }
    }

    @Test("announces writes that change nothing")
    func announcesUnchanged() async {
        await expectCaught(.unchangedValues) { FaultyProvider(.announcesUnchangedValues) }
    }

    @Test("tells only the newest observer")
    func tellsOne() async {
        await expectCaught(.everyObserver) { FaultyProvider(.tellsTheNewestObserverOnly) }
    }

    @Test("keeps observers alive")
    func keepsObservers() async {
        await expectCaught(.weakObservers) { FaultyProvider(.keepsObserversAlive) }
    }

    @Test("announces changes late, so that the last notice is not the last value")
    func announcesLate() async {
        await expectCaught(.lastNotice) { FaultyProvider(.announcesOneChangeLate) }
        await expectCaught(.orderOfNotices) { FaultyProvider(.announcesOneChangeLate) }
    }

    @Test("lets readers see half of a write")
    func tearsWrites() async {
        await expectCaught(.concurrentReadsAndWrites) { FaultyProvider(.showsHalfOfAWrite) }
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
        await FlagProviderConformance { FaultyProvider(nil) }.expectConformance()
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

    private func expectCaught(
        _ check: FlagProviderCheck, sourceLocation: SourceLocation = #_sourceLocation,
        _ make: @escaping @Sendable () -> FaultyProvider
    ) async {
        let failures = await FlagProviderConformance(making: make).failures()
        #expect(failures.contains { $0.check == check }, "\(failures)", sourceLocation: sourceLocation)
    }
}

/// A provider with a fault that can be chosen; without one it keeps all the rules.
private final class FaultyProvider: WritableFlagProvider {
    enum Fault {
        case answersAbsentKeys, looksUpFlatKeysOnly, turnsOneIntoTrue, changesAndThrows, ignoresRemovals
        case announcesNothing, announcesUnchangedValues, tellsTheNewestObserverOnly, keepsObserversAlive
        case announcesOneChangeLate, showsHalfOfAWrite, takesObjectsForGroups, comparesKeysAsText
    }

    private struct State {
        var document = FlagDocument()
        var observers: [() -> FlagProviderObserver?] = []
        var late: FlagProviderChange?

        mutating func announce(_ change: FlagProviderChange, _ fault: Fault?) {
            switch fault {
            case .announcesNothing: return
            case .announcesOneChangeLate:
                let held = late
                late = change
                if let held { for observer in observers { observer()?.valuesChanged([held]) } }
            case .tellsTheNewestObserverOnly: observers.last?()?.valuesChanged([change])
            default: for observer in observers { observer()?.valuesChanged([change]) }
            }
        }
    }

    private let fault: Fault?
    private let state = Mutex(State())

    init(_ fault: Fault?) { self.fault = fault }

    func withLock(_ body: () -> Void) { state.withLock { _ in body() } }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        let document = state.withLock { $0.document }
        if fault == .looksUpFlatKeysOnly { return document.root[key.text] }
        if let value = document.value(for: key) { return value }
        return fault == .answersAbsentKeys ? .bool(false) : .none
    }

    var document: FlagDocument? { state.withLock { $0.document } }

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

    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        var value = value
        if fault == .ignoresRemovals, value == nil { return }
        if fault == .turnsOneIntoTrue, value == 1 { value = true }
        if fault == .showsHalfOfAWrite, case .array(let elements)? = value {
            set(.array(Array(elements.prefix(1))), for: key)
        }
        set(value, for: key)
        if fault == .changesAndThrows, value == .null {
            throw FlagProviderError(.unsupportedValue, provider: name, reason: "null is not supported")
        }
    }

    private func set(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        var key = key
        // A key that is not a loader's.
        if fault == .takesObjectsForGroups { key = FlagKeyPath(components: key.components) }
        // Of all texts that are equal, that of the first one that was written.
        if fault == .comparesKeysAsText, let known = document?.root.keys.first(where: { $0 == key.text }) {
            key = FlagKeyPath(known)
        }
        state.withLock { state in
            let old = state.document.value(for: key)
            guard old != value || fault == .announcesUnchangedValues else { return }
            state.document.setValue(value, for: key)
            state.announce(FlagProviderChange(key: key, old: old, new: value), fault)
        }
    }
}
