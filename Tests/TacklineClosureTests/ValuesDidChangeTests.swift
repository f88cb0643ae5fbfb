import Foundation
import Synchronization
import TacklineClosure
import TacklineComposition
import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: 0, description: "Another one") var other: Int
}

@Suite("A provider made of closures", .hangLimit)
struct ValuesDidChangeTests {
    @Test("is asked at each read if nothing announces changes")
    func askedAtEachRead() {
        for kind in SourceProvider.allCases {
            askedAtEachRead(kind: kind)
        }
    }

    private func askedAtEachRead(kind: SourceProvider) {
        let source = FakeSource(["number": 1])
        let provider = kind.make(source, isObserved: false)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 1)
        source.setSilently(["number": 2])
        #expect(flags.number == 2)
        provider.valuesDidChange()
        #expect(flags.number == 2 && provider.status == .ready && provider.traits == [])
    }

    @Test("keeps values until the app says that the source has new ones")
    func kept() async {
        for kind in SourceProvider.allCases {
            await kept(kind: kind)
        }
    }

    private func kept(kind: SourceProvider) async {
        let source = FakeSource(["number": 1])
        let provider = kind.make(source, isObserved: false, announcesChanges: true)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 1)
        let isKept = await succeedsUndisturbed {
            source.setSilently(["number": 1])
            provider.valuesDidChange()
            #expect(flags.number == 1)
            source.setSilently(["number": 2])
            let questions = source.questions
            return flags.number == 1 && source.questions == questions
        }
        #expect(isKept, "\(kind)")
        provider.valuesDidChange()
        #expect(flags.number == 2)
        #expect(await values.next(isolation: #isolation) == 2)
    }

    @Test("takes the app's word also where the source announces changes")
    func besideSource() {
        for kind in SourceProvider.allCases {
            besideSource(kind: kind)
        }
    }

    private func besideSource(kind: SourceProvider) {
        let source = FakeSource(["number": 1])
        let provider = kind.make(source)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 1)
        source.setSilently(["number": 2])
        provider.valuesDidChange()
        #expect(flags.number == 2)
        source.set(["number": 3])
        #expect(flags.number == 3)
    }

    @Test("announces each value that is different, if values are read together")
    func exact() async {
        let source = FakeSource(["number": 1, "other": 1])
        let provider = SourceProvider.together.make(source, isObserved: false, announcesChanges: true)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        provider.valuesDidChange()
        source.setSilently(["number": 2])
        provider.valuesDidChange()
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "number", old: 1, new: 2)]))
        withExtendedLifetime(observer) {}
    }

    @Test("sends its first observer no notice of the values that it begins with")
    func noFirstNotice() async {
        for kind in SourceProvider.allCases {
            await noFirstNotice(kind: kind)
        }
    }

    private func noFirstNotice(kind: SourceProvider) async {
        let source = FakeSource(["number": 1])
        source.whileRegistering.withLock { action in
            action = { changed in
                changed()
                onAnotherThread(changed)
            }
        }
        let provider = kind.make(source)
        var (observer, notices): (FlagProviderObserver?, _) = FlagProviderObserver.makeStream()
        if let observer { _ = provider.observe(observer) }
        #expect(provider.value(at: "number") == 1)
        observer = nil
        var seen: [FlagProviderNotice] = []
        for await notice in notices { seen.append(notice) }
        #expect(seen.isEmpty)
    }

    @Test("has an observer that is added meanwhile ask again afterwards")
    func latecomer() {
        for kind in SourceProvider.allCases {
            latecomer(kind: kind)
        }
    }

    private func latecomer(kind: SourceProvider) {
        let source = FakeSource(["number": 1])
        let provider = kind.make(source)
        let second = Mutex<FlagsLoader<Flags>?>(nil)
        source.whileRegistering.withLock { action in
            action = { _ in
                let flags = FlagsLoader(Flags.self, providers: [provider])
                #expect(flags.number == 1)
                // The source has no observer yet.
                source.setSilently(["number": 2])
                second.withLock { $0 = flags }
            }
        }
        let first = FlagsLoader(Flags.self, providers: [provider])
        #expect(first.number == 2)
        #expect(second.withLock { $0 }?.number == 2)
        second.withLock { $0 = nil }
    }

    @Test("gives the app its new values at once, while another thread is still asking for older ones")
    func whileLoading() {
        let number = Mutex<Int128>(1)
        let whileAsked = Mutex<(@Sendable () -> Void)?>(nil)
        let provider = ClosureProvider(
            values: {
                let answer = number.withLock { $0 }
                let action = whileAsked.withLock { action in
                    defer { action = nil }
                    return action
                }
                action?()
                return ["number": .integer(answer)]
            }, announcesChanges: true)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 1)
        let seen = Mutex<Int?>(nil)
        whileAsked.withLock { action in
            action = {
                onAnotherThread {
                    number.withLock { $0 = 3 }
                    provider.valuesDidChange()
                    seen.withLock { $0 = flags.number }
                }
            }
        }
        number.withLock { $0 = 2 }
        provider.valuesDidChange()
        #expect(seen.withLock { $0 } == 3)
        #expect(flags.number == 3)
    }
}

@Suite("A provider made of closures that can be written to", .hangLimit)
struct WritableClosureProviderTests {
    /// A source that may go away, and may refuse.
    private final class Settings: Sendable {
        struct Full: Error {}
        struct Gone: Error {}

        let values = Mutex<[String: EncodedFlagValue]>([:])
        let isFull = Mutex(false)

        func set(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws {
            if isFull.withLock({ $0 }) { throw Full() }
            values.withLock { $0[key.text] = value }
        }
    }

    private final class Reference: Sendable {
        private struct Content { weak var settings: Settings? }
        private let content = Mutex(Content())

        var settings: Settings? {
            get { content.withLock { $0.settings } }
            set { content.withLock { $0.settings = newValue } }
        }
    }

    @Test("asks its source at each read, passes writes to it, and says why it refused one")
    func delegate() throws {
        let reference = Reference()
        let provider = WritableClosureProvider(
            value: { key in reference.settings?.values.withLock { $0[key.text] } },
            set: { value, key in
                guard let settings = reference.settings else { throw Settings.Gone() }
                try settings.set(value, for: key)
            })
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 0)
        #expect(throws: FlagError.self) { try flags.$number.setValue(1) }
        var settings: Settings? = Settings()
        reference.settings = settings
        try flags.$number.setValue(1)
        #expect(flags.number == 1 && settings?.values.withLock { $0 } == ["number": 1])
        settings?.values.withLock { $0["number"] = 2 }
        #expect(flags.number == 2)
        settings?.isFull.withLock { $0 = true }
        let error = #expect(throws: FlagError.self) { try flags.$number.setValue(3) }
        #expect(error?.description.contains("it threw Full().") == true)
        settings = nil
        #expect(reference.settings == nil && flags.number == 0)
    }

    @Test("passes an error of a provider on as it is")
    func providerError() {
        let provider = WritableClosureProvider(
            value: { _ in nil },
            set: { _, key in throw FlagError(.network, provider: "x", key: key, reason: "it is down") })
        let error = #expect(throws: FlagError.self) { try provider.setValue(1, for: "number") }
        #expect(error?.code == .network && error?.provider == "x")
    }

    @Test("announces a write, and none that changed nothing or failed")
    func announced() async throws {
        let settings = Settings()
        let provider = WritableClosureProvider(
            value: { key in settings.values.withLock { $0[key.text] } },
            set: { try settings.set($0, for: $1) }, announcesChanges: true)
        var (observer, notices): (FlagProviderObserver?, _) = FlagProviderObserver.makeStream()
        if let observer { #expect(provider.observe(observer)) }
        try provider.setValue(1, for: "number")
        try provider.setValue(1, for: "number")
        settings.isFull.withLock { $0 = true }
        #expect(throws: (any Error).self) { try provider.setValue(2, for: "number") }
        observer = nil
        var seen: [FlagProviderNotice] = []
        for await notice in notices { seen.append(notice) }
        #expect(seen == [.reset])
    }

    @Test("announces a write beside another one, though the value is the same before and after")
    func overlapping() throws {
        let number = Mutex<EncodedFlagValue?>(1)
        let whileSetting = Mutex<(@Sendable () -> Void)?>(nil)
        let provider = WritableClosureProvider(
            value: { _ in number.withLock { $0 } },
            set: { value, _ in
                let action = whileSetting.withLock { action in
                    defer { action = nil }
                    return action
                }
                action?()
                number.withLock { $0 = value }
            }, announcesChanges: true)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 1)
        whileSetting.withLock { action in
            action = {
                onAnotherThread {
                    #expect(throws: Never.self) { try provider.setValue(2, for: "number") }
                    #expect(flags.number == 2)
                }
            }
        }
        try provider.setValue(1, for: "number")
        #expect(flags.number == 1)
    }
}

/// Runs an action on another thread, outside of the current task, and waits for it.
private func onAnotherThread(_ action: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        action()
        done.signal()
    }
    thread.start()
    done.wait()
}
