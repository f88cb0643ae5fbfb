import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

/// Wrapped properties are variables, so the classes state their conformance. Their properties are never set.
private class BaseFlags: FlagCollectionProtocol, @unchecked Sendable {
    @Flag(default: 1) var inherited: Int
    @FlagCollection var group: GroupFlags

    required init() {}
}

private final class DerivedFlags: BaseFlags, @unchecked Sendable {
    @Flag(default: 2) var own: Int
}

private struct GroupFlags: FlagCollectionProtocol {
    @Flag(default: 3) var inner: Int
}

private struct CopyingFlags: FlagCollectionProtocol {
    static let shared = Flag(default: 4)
    static let sharedGroup = FlagCollection<GroupFlags>()

    @Flag var copied: Int
    @FlagCollection var copiedGroup: GroupFlags
    @Flag(default: 5) var own: Int

    init() {
        _copied = CopyingFlags.shared
        _copiedGroup = CopyingFlags.sharedGroup
    }
}

private struct EarlyFlags: FlagCollectionProtocol {
    final class Count: Sendable { let value = Atomic<Int>(0) }
    @TaskLocal static var count = Count()

    @Flag(default: 7) var number: Int
    var numberInInit = 0

    init() {
        EarlyFlags.count.value.add(1, ordering: .relaxed)
        numberInInit = number
    }
}

@Suite("A loader that reads a collection")
struct CollectionReadingTests {
    @Test("finds the flags and collections that a class inherits")
    func inheritance() throws {
        let memory = MemoryProvider(values: ["inherited": 10, "own": 20, "group/inner": 30])
        for _ in 0..<2 {
            let loader = FlagsLoader(DerivedFlags.self, providers: [memory])
            try loader.validate()
            #expect(loader.inherited == 10 && loader.own == 20 && loader.group.inner == 30)
            #expect(Set(loader.root.allFlags.map(\.keyPath.text)) == ["inherited", "own", "group/inner"])
        }
        #expect(FlagsLoader(BaseFlags.self, providers: [memory]).root.allFlags.count == 2)
    }

    @Test("reports flags in arrays, optionals and tuples, which have no keys")
    func noProperties() {
        struct Hidden: FlagCollectionProtocol {
            let array = [Flag(default: 0, description: "hidden")]
            let optional: Flag<Int>? = Flag(default: 1)
            let pair = (Flag(default: 2), "text")
            @Flag(default: 3) var seen: Int
        }
        let recorder = IssueRecorder()
        let loader = FlagsLoader(Hidden.self, providers: [], issueReporter: recorder.reporter)
        #expect(recorder.codes == [.unreachableFlag, .unreachableFlag, .unreachableFlag])
        #expect(loader.root.allFlags.map(\.property) == ["seen"] && loader.seen == 3)
        FlagIssueReporter.withReporter(.silent) {
            #expect(loader.array[0].wrappedValue == 0 && loader.optional?.wrappedValue == 1)
            #expect(loader.pair.0.wrappedValue == 2)
        }
    }

    @Test("reports flags and collections that were copied from elsewhere, which have no keys")
    func foreignFlags() {
        #expect(FlagIssueReporter.withReporter(.silent) { CopyingFlags().copied } == 4)
        let recorder = IssueRecorder()
        let memory = MemoryProvider(values: ["copied": 40, "copied_group/inner": 30, "own": 50])
        let loader = FlagsLoader(CopyingFlags.self, providers: [memory], issueReporter: recorder.reporter)
        // The collection that the initializer replaces is reported too.
        #expect(recorder.codes == Array(repeating: .unreachableFlag, count: 3))
        for name in ["copied", "copiedGroup"] {
            #expect(recorder.issues.contains { $0.message.contains("The property \"\(name)\" of CopyingFlags holds") })
        }
        #expect(loader.root.allFlags.map(\.property) == ["own"] && loader.own == 50)
        FlagIssueReporter.withReporter(.silent) { #expect(loader.copied == 4 && loader.copiedGroup.inner == 3) }
    }

    @Test("calls the initializer once, in which flags give their defaults")
    func initializer() {
        let (count, recorder) = (EarlyFlags.Count(), IssueRecorder())
        let memory = MemoryProvider(values: ["number": 70])
        let loader = FlagIssueReporter.withReporter(recorder.reporter) {
            EarlyFlags.$count.withValue(count) { FlagsLoader(EarlyFlags.self, providers: [memory]) }
        }
        #expect(count.value.load(ordering: .relaxed) == 1)
        #expect(loader.numberInInit == 7 && loader.number == 70)
        #expect(recorder.codes == [.unboundFlag])
    }
}
