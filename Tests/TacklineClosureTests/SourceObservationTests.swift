import Synchronization
import TacklineClosure
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineTesting
import TacklineTestSupport
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: false, description: "A switch") var isOn: Bool
}

@Suite("A source behind closures", .hangLimit)
struct SourceObservationTests {
    @Test("is observed from the first observer to the last, once")
    func lifetime() {
        for kind in SourceProvider.allCases {
            lifetime(kind: kind)
        }
    }

    private func lifetime(kind: SourceProvider) {
        let source = FakeSource(["number": 1])
        let provider = kind.make(source)
        #expect(provider.value(at: "number") == 1)
        #expect(source.registrations == 0)

        var first: FlagsLoader<Flags>? = FlagsLoader(Flags.self, providers: [provider])
        var second: FlagsLoader<Flags>? = FlagsLoader(Flags.self, providers: [provider])
        #expect(source.registrations == 1)
        first = nil
        #expect(source.endings.isEmpty)
        source.set(["number": 2])
        #expect(second?.number == 2)
        second = nil
        #expect(source.endings == [1])

        second = FlagsLoader(Flags.self, providers: [provider])
        #expect(source.registrations == 2)
        source.set(["number": 3])
        #expect(second?.number == 3 && first == nil)
        second?.providers = []
        #expect(source.endings == [1, 2])
    }

    @Test("is not observed any more when the provider goes before its observers")
    func providerGoes() {
        for kind in SourceProvider.allCases {
            providerGoes(kind: kind)
        }
    }

    private func providerGoes(kind: SourceProvider) {
        let source = FakeSource()
        let (observer, _) = FlagProviderObserver.makeStream()
        var provider: (any FlagProvider)? = kind.make(source)
        _ = provider?.observe(observer)
        #expect(source.listenerCount == 1)
        provider = nil
        #expect(source.endings == [1])
        withExtendedLifetime(observer) {}
    }

    @Test("may call back while it is being registered")
    func callbackWhileRegistering() {
        for kind in SourceProvider.allCases {
            callbackWhileRegistering(kind: kind)
        }
    }

    private func callbackWhileRegistering(kind: SourceProvider) {
        let source = FakeSource(["number": 1])
        source.whileRegistering.withLock { action in
            action = { changed in
                source.setSilently(["number": 2])
                changed()
            }
        }
        let flags = FlagsLoader(Flags.self, providers: [kind.make(source)])
        #expect(flags.number == 2)
        source.set(["number": 3])
        #expect(flags.number == 3)
    }

    @Test("is not listened to after the end of the registration")
    func lateCallback() {
        for kind in SourceProvider.allCases {
            lateCallback(kind: kind)
        }
    }

    private func lateCallback(kind: SourceProvider) {
        let source = FakeSource(["number": 1])
        let kept = Mutex<(@Sendable () -> Void)?>(nil)
        source.whileRegistering.withLock { $0 = { changed in kept.withLock { $0 = changed } } }
        let provider = kind.make(source)
        var (observer, _): (FlagProviderObserver?, _) = FlagProviderObserver.makeStream()
        if let observer { _ = provider.observe(observer) }
        observer = nil
        let questions = source.questions
        kept.withLock { $0 }?()
        #expect(source.questions == questions)
        // Without an observer, reads ask the source itself.
        source.setSilently(["number": 7])
        #expect(provider.value(at: "number") == 7)
    }

    @Test("may use the provider from each of its closures, since none runs under a lock")
    func reentrancy() {
        let source = FakeSource(["number": 1])
        let box = Mutex<ClosureProvider?>(nil)
        let seen = Mutex<[EncodedFlagValue?]>([])
        let look: @Sendable () -> Void = {
            let value = box.withLock { $0 }?.value(at: "number")
            seen.withLock { $0.append(value) }
        }
        let provider = ClosureProvider(
            value: { source.value(for: $0) },
            observe: { changed in
                look()
                changed()
                let end = source.observe(changed)
                return {
                    look()
                    end()
                }
            })
        box.withLock { $0 = provider }
        var flags: FlagsLoader<Flags>? = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags?.number == 1)
        flags = nil
        #expect(seen.withLock { $0 } == [1, 1])
        box.withLock { $0 = nil }
    }

    @Test("that calls back when it is asked is not asked for ever")
    func callbackFromValues() {
        let source = FakeSource(["number": 1])
        let provider = ClosureProvider(
            values: {
                source.set(["questions": .integer(Int128(source.questions))])
                return source.values
            }, observe: { source.observe($0) })
        let flags = FlagsLoader(Flags.self, providers: [provider])
        source.set(["number": 2])
        #expect(flags.number == 2)
        #expect(source.questions < 10)
    }

    @Test("that reads the flag which it is asked for is passed over, and that is reported")
    func circle() {
        let codes = Mutex<[FlagError.Code]>([])
        let box = Mutex<FlagsLoader<Flags>?>(nil)
        let provider = ClosureProvider(
            value: { key in
                guard key == "number", let flags = box.withLock({ $0 }) else { return nil }
                return .integer(Int128(flags.number + 1))
            }, observe: { _ in {} })
        let reporter = FlagIssueReporter { issue in codes.withLock { $0.append(issue.code) } }
        let flags = FlagsLoader(
            Flags.self, providers: [provider, MemoryProvider(values: ["number": 10])], issueReporter: reporter)
        box.withLock { $0 = flags }
        #expect(flags.number == 11)
        #expect(codes.withLock { $0 } == [.cycle])
        box.withLock { $0 = nil }
    }

    @Test("that asks its provider again is reported once, and again after it has answered without")
    func circleOnce() {
        let codes = Mutex<[FlagError.Code]>([])
        let box = Mutex<ClosureProvider?>(nil)
        let provider = ClosureProvider(
            name: "circle", value: { key in box.withLock { $0 }?.value(for: key) ?? 5 }, observe: { _ in {} })
        let reporter = FlagIssueReporter { issue in codes.withLock { $0.append(issue.code) } }
        FlagIssueReporter.withReporter(reporter) {
            for count in 1...2 {
                box.withLock { $0 = provider }
                for _ in 0..<3 { #expect(provider.value(for: "number") == 5) }
                #expect(codes.withLock { $0 } == Array(repeating: .cycle, count: count))
                box.withLock { $0 = nil }
                #expect(provider.value(for: "number") == 5)
            }
        }
    }

    @Test("that starts a task which reads the flag later is in no circle with it")
    func taskOfFetch() async {
        let box = Box<FlagsLoader<Flags>>()
        let started = Box<Task<Int?, Never>>()
        let gate = AsyncStream.makeStream(of: Void.self)
        let provider = ClosureProvider(
            value: { key in
                guard key == "number" else { return nil }
                if started.content.withLock({ $0 == nil }) {
                    let task = Task {
                        for await _ in gate.stream {}
                        return box.content.withLock { $0 }?.number
                    }
                    started.content.withLock { $0 = task }
                }
                return 5
            }, observe: { _ in {} })
        let flags = FlagsLoader(Flags.self, providers: [provider])
        box.content.withLock { $0 = flags }
        #expect(flags.number == 5)
        // Lets the next read ask again.
        flags.$number.setDefault(1)
        gate.continuation.finish()
        #expect(await started.content.withLock { $0 }?.value == 5)
        #expect(flags.number == 5)
        box.content.withLock { $0 = nil }
    }

    @Test("may call back from a task that was started when it was asked for its values")
    func taskOfValues() async {
        let changed = Box<@Sendable () -> Void>()
        let started = Box<Task<Void, Never>>()
        let number = Mutex<Int128>(1)
        let gate = AsyncStream.makeStream(of: Void.self)
        let provider = ClosureProvider(
            values: {
                if started.content.withLock({ $0 == nil }) {
                    let task = Task {
                        for await _ in gate.stream {}
                        changed.content.withLock { $0 }?()
                    }
                    started.content.withLock { $0 = task }
                }
                return ["number": .integer(number.withLock { $0 })]
            },
            observe: { closure in
                changed.content.withLock { $0 = closure }
                return {}
            })
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 1)
        number.withLock { $0 = 2 }
        gate.continuation.finish()
        await started.content.withLock { $0 }?.value
        #expect(flags.number == 2)
    }

    /// What a task may capture.
    private final class Box<Content: Sendable>: Sendable {
        let content = Mutex<Content?>(nil)
    }
}

@Suite("A vendor's SDK", .hangLimit)
struct VendorProviderTests {
    @Test("that says false of unknown names hides nothing behind it")
    func absentStaysAbsent() {
        let source = FakeSource(["is_on": false])
        let provider = ClosureProvider(
            name: "vendor", values: { ["other": .bool(source.isActive("other"))] },
            observe: { source.observe($0) })
        let flags = FlagsLoader(Flags.self, providers: [provider, MemoryProvider(values: ["is_on": true])])
        #expect(!source.isActive("is_on"))
        #expect(flags.isOn)
        #expect(flags.$isOn.flagValue(from: provider) == nil)
    }

    @Test("is not asked by reads while it is observed, and every change is told with its key")
    func exactNotices() async {
        let source = FakeSource(["number": 1, "is_on": true], isChatty: true)
        let provider = SourceProvider.together.make(source)
        let (observer, notices) = FlagProviderObserver.makeStream()
        _ = provider.observe(observer)
        let questions = source.questions
        for _ in 0..<10 { _ = provider.value(at: "number") }
        #expect(source.questions == questions)
        source.set([:])
        source.set(["number": 2])
        source.set(["is_on": nil])
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "number", old: 1, new: 2)]))
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "is_on", old: true, new: nil)]))
        withExtendedLifetime(observer) {}
    }

    @Test("is a live provider if that is said, which local mode leaves out")
    func modes() throws {
        let mode = FlagModeSwitch()
        let source = FakeSource(["number": 1])
        let providers = [
            SourceProvider.together.make(source, traits: .live),
            SourceProvider.oneByOne.make(FakeSource(["number": 2])),
        ]
        let flags = FlagsLoader(Flags.self, providers: providers, mode: mode)
        #expect(flags.number == 1)
        try mode.setMode(.local)
        #expect(flags.number == 2)
    }
}

@Suite("Concurrency of a source behind closures", .needsTheMachine)
struct SourceObservationConcurrencyTests {
    @Test("never has two registrations, and gives each back")
    func manyObservers() async {
        for kind in SourceProvider.allCases {
            await manyObservers(kind: kind)
        }
    }

    private func manyObservers(kind: SourceProvider) async {
        let source = FakeSource(["number": 0])
        let provider = kind.make(source)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        let flags = FlagsLoader(Flags.self, providers: [provider])
                        _ = flags.number
                    }
                }
            }
            group.addTask {
                for number in 1...300 { source.set(["number": .integer(Int128(number))]) }
            }
        }
        #expect(source.mostListeners == 1)
        #expect(source.listenerCount == 0)
        #expect(source.endings == Array(1...source.registrations))
    }

    @Test("ends on the last value, whichever threads call back")
    func lastValue() async {
        for kind in SourceProvider.allCases {
            await lastValue(kind: kind)
        }
    }

    private func lastValue(kind: SourceProvider) async {
        let source = FakeSource(["number": 0])
        let provider = kind.make(source)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 1...200 { source.set(["number": .integer(Int128(writer * 1000 + number))]) }
                }
            }
            group.addTask {
                for _ in 0..<1000 { _ = flags.number }
            }
        }
        #expect(source.value(for: "number") == .integer(Int128(flags.number)))
    }
}
