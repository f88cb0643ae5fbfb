import Synchronization
import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct Shop: FlagCollectionProtocol {
    @Flag(default: false) var newCheckout: Bool
    @FlagCollection var payment: Payment
    @Flag(default: 1, computedValue: { nil }) var undecided: Int
}

private struct Payment: FlagCollectionProtocol {
    @Flag(default: false) var oneClick: Bool
    @Flag(default: false, computed: { (shop: Shop) in shop.newCheckout && shop.payment.oneClick })
    var oneClickCheckout: Bool
}

private struct Cycle: FlagCollectionProtocol {
    @Flag(default: 10, computed: { (flags: Cycle) in flags.second + 1 }) var first: Int
    @Flag(default: 20, computed: { (flags: Cycle) in flags.third + 1 }) var second: Int
    @Flag(default: 30, computed: { (flags: Cycle) in flags.first + 1 }) var third: Int
    @Flag(default: 0, computed: { (flags: Cycle) in flags.first * 100 }) var outside: Int
    @Flag(default: 7, computed: { (flags: Cycle) in flags.itself }) var itself: Int
}

private struct Wrong: FlagCollectionProtocol {
    @Flag(default: 5, computed: { (flags: Cycle) in flags.first }) var wrongRoot: Int
}

/// A flag that is computed from a flag of another loader.
private struct Linked: FlagCollectionProtocol {
    final class Target: Sendable { let handle = Mutex<FlagHandle<Int>?>(nil) }
    @TaskLocal static var target: Target?

    @Flag var number: Int
    let target = Linked.target

    init() {
        let target = Linked.target
        _number = Flag(default: 0, computedValue: { target?.handle.withLock { $0 }.map { $0.value + 1 } })
    }
}

@Suite("A computed flag")
struct ComputedFlagTests {
    @Test("changes with the flags of its root that it reads")
    func readsOthers() {
        let memory = MemoryProvider()
        let shop = FlagsLoader(Shop.self, providers: [memory])
        #expect(!shop.payment.oneClickCheckout)
        memory.setValues(["new_checkout": true, "payment/one_click": true])
        #expect(shop.payment.oneClickCheckout)
        memory.setValue(false, for: "new_checkout")
        #expect(!shop.payment.oneClickCheckout)
    }

    @Test("in a cycle takes the value of its providers, and the cycle is reported")
    func cycle() {
        let recorder = IssueRecorder()
        let flags = FlagsLoader(
            Cycle.self, providers: [MemoryProvider(values: ["second": 5])], issueReporter: recorder.reporter)
        #expect(flags.first == 10)
        #expect(flags.second == 5)
        #expect(flags.third == 30)
        #expect(flags.outside == 1000)
        #expect(flags.itself == 7)
        #expect(Set(recorder.codes) == [.cycle])
        #expect(
            recorder.issues.first?.message == """
                Computed flags read each other in a cycle: first → second → third → first. Each of them takes its value \
                from the providers instead, or its default. Remove one of these reads from its closure.
                """)
        #expect(recorder.issues.last?.message.contains("itself → itself") == true)
    }

    @Test("in a cycle through several loaders takes the value of its providers, and the cycle is reported")
    func cycleOfLoaders() {
        let (recorder, target) = (IssueRecorder(), Linked.Target())
        let loaders = [Linked.Target(), target].enumerated().map { number, ownTarget in
            Linked.$target.withValue(ownTarget) {
                FlagsLoader(
                    Linked.self, providers: [MemoryProvider(values: ["number": .integer(Int128(10 * (number + 1)))])],
                    issueReporter: recorder.reporter)
            }
        }
        // The second loader reads the first one, which reads the second one from the next line on.
        target.handle.withLock { $0 = loaders[0].$number }
        #expect(loaders[0].number == 10 && loaders[1].number == 11)
        loaders[0].flags.target?.handle.withLock { $0 = loaders[1].$number }
        #expect(loaders[0].number == 10 && loaders[1].number == 20)
        #expect(Set(recorder.codes) == [.cycle])
        #expect(recorder.issues.first?.message.contains("number → (another loader) → number") == true)
        loaders[0].flags.target?.handle.withLock { $0 = nil }
    }

    @Test("for another root is reported when the loader is created, and takes the value of its providers")
    func wrongRoot() {
        let recorder = IssueRecorder()
        let flags = FlagsLoader(Wrong.self, providers: [], issueReporter: recorder.reporter)
        #expect(recorder.codes == [.wrongRoot])
        #expect(flags.wrongRoot == 5)
        #expect(throws: FlagError.self) { try flags.validate() }
    }
}

@Suite("A provider that reads flags")
struct ReadingProviderTests {
    @Test("is skipped for the flag that it is asked for, so that the stack does not overflow")
    func readsItself() {
        final class Box: Sendable {
            let handle = Mutex<FlagHandle<Int>?>(nil)
        }
        let recorder = IssueRecorder()
        let box = Box()
        let provider = ClosureProvider(name: "circular") { _ in
            let handle = box.handle.withLock { $0 }
            return handle.map { .integer(Int128($0.value + 1)) }
        }
        let shop = FlagsLoader(
            Shop.self, providers: [provider, MemoryProvider(values: ["undecided": 5])],
            issueReporter: recorder.reporter)
        box.handle.withLock { $0 = shop.$undecided }
        #expect(shop.undecided == 6)
        #expect(recorder.codes == [.cycle])
        #expect(
            recorder.issues.first?.message == """
                Provider "circular", or the type that decodes its value, was asked for the flag "undecided" while it \
                was already answering for it, so it was skipped. Don't read that flag in value(for:) or in init(encoded:).
                """)
        box.handle.withLock { $0 = nil }
    }
}
