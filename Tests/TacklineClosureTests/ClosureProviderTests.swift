import Dispatch
import Synchronization
import TacklineClosure
import TacklineComposition
import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

struct NumberFlags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: 0, description: "Another one") var other: Int
}

@Suite("A provider made of closures", .hangLimit)
struct ClosureProviderTests {
    @Test("is asked at each read if its values come one by one and nothing announces changes")
    func askedAtEachRead() {
        let source = FakeSource(["number": 1])
        let provider = ClosureProvider { source.value(for: $0) }
        let flags = FlagsLoader(NumberFlags.self, providers: [provider])
        #expect(flags.number == 1 && provider.document == nil && provider.status == .ready)
        source.setSilently(["number": 2])
        #expect(flags.number == 2)
        provider.valuesDidChange()
        #expect(flags.number == 2)
    }

    @Test("has each value that the source announces at the next read, and asks the source only after changes")
    func announced() {
        for kind in SourceProvider.allCases {
            let source = FakeSource(["number": 1])
            let provider = kind.make(source)
            let flags = FlagsLoader(NumberFlags.self, providers: [provider])
            #expect(flags.number == 1, "\(kind)")
            source.set(["number": 2])
            #expect(flags.number == 2, "\(kind)")
            source.setSilently(["number": 3])
            provider.valuesDidChange()
            #expect(flags.number == 3, "\(kind)")
        }
        let source = FakeSource(["number": 1])
        let provider = SourceProvider.together.make(source)
        let questions = source.questions
        for _ in 0..<10 { #expect(provider.value(at: "number") == 1) }
        #expect(source.questions == questions)
    }

    @Test("observes its source once, from its creation until it is released, and ignores what it calls afterwards")
    func lifetime() {
        for kind in SourceProvider.allCases {
            let source = FakeSource(["number": 1])
            let kept = Mutex<(@Sendable () -> Void)?>(nil)
            source.whileRegistering.withLock { $0 = { changed in kept.withLock { $0 = changed } } }
            var provider: ClosureProvider? = kind.make(source)
            for _ in 0..<2 {
                let flags = provider.map { FlagsLoader(NumberFlags.self, providers: [$0]) }
                #expect(flags?.number == 1)
            }
            #expect(source.registrations == 1 && source.listenerCount == 1)
            provider = nil
            #expect(source.listenerCount == 0)
            let questions = source.questions
            kept.withLock { $0 }?()
            #expect(source.questions == questions)
        }
    }

    @Test("misses no change that the source announces while it is registered")
    func callbackWhileRegistering() {
        for kind in SourceProvider.allCases {
            let source = FakeSource(["number": 1])
            source.whileRegistering.withLock { action in
                action = { changed in
                    source.setSilently(["number": 2])
                    // A source that waits for its own event, which another thread sends.
                    let isSent = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async {
                        changed()
                        isSent.signal()
                    }
                    isSent.wait()
                    source.setSilently(["number": 3])
                }
            }
            let flags = FlagsLoader(NumberFlags.self, providers: [kind.make(source)])
            #expect(flags.number == 3, "\(kind)")
        }
    }

    @Test("with all values at once announces each that differs, with its key, and nothing else")
    func exactNotices() async {
        let source = FakeSource(["number": 1, "other": 1], isChatty: true)
        let provider = SourceProvider.together.make(source)
        var (observer, notices): (FlagProviderObserver?, _) = FlagProviderObserver.makeStream()
        if let observer { #expect(provider.observe(observer)) }
        source.set([:])
        source.set(["number": 2])
        provider.valuesDidChange()
        source.set(["other": nil])
        observer = nil
        var seen: [FlagProviderNotice] = []
        for await notice in notices { seen.append(notice) }
        #expect(
            seen == [
                .changed([FlagProviderChange(key: "number", old: 1, new: 2)]),
                .changed([FlagProviderChange(key: "other", old: 1, new: nil)]),
            ])
    }

    @Test("with all values at once keeps them until the app says that there are new ones")
    func valuesDidChange() async {
        let source = FakeSource(["number": 1])
        let provider = ClosureProvider(values: { source.values })
        let flags = FlagsLoader(NumberFlags.self, providers: [provider])
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 1)
        source.setSilently(["number": 2])
        #expect(flags.number == 1 && provider.document?.root == ["number": 1])
        provider.valuesDidChange()
        #expect(flags.number == 2)
        #expect(await values.next(isolation: #isolation) == 2)
    }

    @Test("gives the app its new values at once, and keeps them, though an older answer comes later")
    func overtaken() async {
        let number = Mutex<Int128>(1)
        let whileAsked = Mutex<(@Sendable () -> Void)?>(nil)
        let provider = ClosureProvider(values: {
            let answer = number.withLock { $0 }
            whileAsked.withLock { $0.take() }?()
            return ["number": .integer(answer)]
        })
        let flags = FlagsLoader(NumberFlags.self, providers: [provider])
        let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        whileAsked.withLock { action in
            action = {
                asked.signal()
                answered.wait()
            }
        }
        await onThreads([
            { provider.valuesDidChange() },
            {
                asked.wait()
                number.withLock { $0 = 3 }
                provider.valuesDidChange()
                #expect(flags.number == 3)
                answered.signal()
            },
        ])
        #expect(flags.number == 3)
    }

    @Test("doesn't ask again for a change that the source announces while it is asked for all values")
    func announcedInside() {
        let listener = Mutex<(@Sendable () -> Void)?>(nil)
        let questions = Atomic<Int>(0)
        let provider = ClosureProvider(
            values: {
                questions.add(1, ordering: .relaxed)
                listener.withLock { $0 }?()
                return ["number": 1]
            },
            observe: { changed in
                listener.withLock { $0 = changed }
                return {}
            })
        provider.valuesDidChange()
        #expect(provider.value(at: "number") == 1 && questions.load(ordering: .relaxed) == 2)
    }

    @Test("whose closure leads back to the flag that it is asked for has no value for it, which is reported")
    func cycle() {
        let loader = Mutex<FlagsLoader<NumberFlags>?>(nil)
        let log = IssueRecorder()
        let reading: @Sendable (FlagKeyPath) -> EncodedFlagValue? = { _ in
            loader.withLock { $0 }.map { .integer(Int128($0.number + 1)) }
        }
        let flags = FlagsLoader(
            NumberFlags.self, providers: [ClosureProvider(value: reading)], issueReporter: log.reporter)
        loader.withLock { $0 = flags }
        #expect(flags.number == 1)
        #expect(log.codes == [.cycle])
        loader.withLock { $0 = nil }
    }

    @Test("has a fingerprint of all its values, whatever their order and version, and none without any")
    func fingerprint() {
        let fingerprint = { (values: [String: EncodedFlagValue]) in ClosureProvider(values: { values }).fingerprint }
        let first: [String: EncodedFlagValue] = ["a": 1, "b": ["c": true, "d": ["x"]], "$version": "1"]
        #expect(fingerprint(first) == 3_703_380_289_303_106_230)
        #expect(fingerprint(first) == fingerprint(first.merging(["$version": "2"]) { $1 }))
        let others: [[String: EncodedFlagValue]] = [
            ["a": 1.0], ["a": "1"], ["a": true], ["b": ["c": true, "d": ["x", "y"]]], ["e": 1],
            ["a": .null], ["b": [:]], ["b": []],
        ]
        let all = [first] + others.map { first.merging($0) { $1 } }
        #expect(Set(all.map(fingerprint)).count == all.count)
        #expect(fingerprint([:]) == nil && fingerprint(["$version": "1"]) == nil)
        #expect(ClosureProvider(value: { _ in 1 }).fingerprint == nil)
    }
}
