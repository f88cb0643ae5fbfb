import Foundation
import Synchronization
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("Undo and redo of a part of an edit", .hangLimit) struct FlagsBrowserRedoTests {
    @Test("after a failure take back and do again what the other has left")
    func partialFailure() async throws {
        let bench = MovableBench()
        try bench.provider.setValue(1, for: "first")
        try bench.provider.setValue(2, for: "second")
        try await bench.browser.perform(.resetAll())
        bench.provider.fail(for: "first")
        let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.undo()) }
        #expect(error?.message.hasSuffix("1 of 2 flags were undone before that.") == true)
        #expect(bench.values == [nil, 2])
        bench.provider.fail(for: nil)
        #expect(try await bench.browser.perform(.undo()).flags == ["Flags:first"])
        #expect(bench.values == [1, 2])
        // All of it is done again, not only what was undone last.
        #expect(try await bench.browser.perform(.redo()).flags == ["Flags:first", "Flags:second"])
        #expect(bench.values == [nil, nil])
        try await bench.browser.perform(.undo())
        bench.provider.fail(for: "second")
        let failure = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.redo()) }
        #expect(failure?.message.hasSuffix("1 of 2 flags were done again before that.") == true)
        #expect(bench.values == [nil, 2])
        bench.provider.fail(for: nil)
        #expect(try await bench.browser.perform(.redo()).flags == ["Flags:second"])
        #expect(bench.values == [nil, nil])
        try await bench.browser.perform(.undo())
        #expect(bench.values == [1, 2])
    }

    @Test("after a failed undo do the undone part again")
    func redoAfterFailedUndo() async throws {
        let bench = MovableBench()
        try bench.provider.setValue(1, for: "first")
        try bench.provider.setValue(2, for: "second")
        try await bench.browser.perform(.resetAll())
        bench.provider.fail(for: "first")
        await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.undo()) }
        bench.provider.fail(for: nil)
        #expect(try await bench.browser.perform(.redo()).flags == ["Flags:second"])
        #expect(bench.values == [nil, nil])
        try await bench.browser.perform(.undo())
        #expect(bench.values == [1, 2])
    }

    @Test("take back an edit whose value has ended by itself, which is nobody's doing")
    func undoOfEnded() async throws {
        let bench = MovableBench()
        try bench.overrides.setValue(4, for: "first")
        try await bench.set("first", to: "5", expires: 100)
        bench.clock.move(to: 200)
        #expect(bench.overrides.value(for: "first") == nil)
        #expect(try bench.browser.preview(.undo()).changesAnything)
        try await bench.browser.perform(.undo())
        #expect(bench.overrides.value(for: "first") == 4)
    }

    @Test("do not do a value again that has ended, and leave what is there")
    func redoOfEnded() async throws {
        let bench = MovableBench()
        try bench.overrides.setValue(4, for: "first")
        try await bench.set("first", to: "5", expires: 100)
        try await bench.browser.perform(.undo())
        bench.clock.move(to: 200)
        let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.redo()) }
        #expect(error?.code == .nothingToUndo)
        #expect(error?.message == "There is no edit of yours to do again: its value has expired meanwhile.")
        #expect(bench.overrides.value(for: "first") == 4)
    }

    @Test("leave out of a redo what has ended, and say so")
    func redoOfEndedPart() async throws {
        let bench = MovableBench()
        let bundle = FlagOverrideBundle([
            FlagOverrides.Entry(key: "first", value: 1, expires: Date(timeIntervalSinceReferenceDate: 100)),
            FlagOverrides.Entry(key: "second", value: 2),
        ])
        try await bench.browser.perform(
            .importBundle(FlagJSONWriter().text(of: bundle.encoded), destination: "overrides"))
        try await bench.browser.perform(.undo())
        try bench.overrides.setValue(9, for: "first")
        bench.clock.move(to: 200)
        let reply = try await bench.browser.perform(.redo())
        #expect(reply.message == "Done again: Imported 2 overrides; 1 value had expired.")
        #expect(reply.flags == ["Flags:second"] && bench.overrides.value(for: "first") == 9)
    }

    @Test("let a value follow one that has ended as its author saw")
    func typingWhileItEnds() async throws {
        let bench = MovableBench()
        try await bench.set("first", to: "5", expires: 100)
        let answer = bench.browser.snapshot().flags[0].answers.first { $0.provider == "overrides" }
        bench.clock.move(to: 200)
        var request = FlagsBrowserRequest(
            .set(flag: "Flags:first", to: .text("6"), destination: "overrides"),
            author: FlagsBrowserAuthor(id: "ada"),
            expected: FlagsBrowserExpectation(value: answer?.value, expires: answer?.expires),
            expires: Date(timeIntervalSinceReferenceDate: 300))
        try await bench.browser.perform(request)
        #expect(bench.overrides.value(for: "first") == 6)
        // What somebody has set since is a conflict still.
        request.author = FlagsBrowserAuthor(id: "ben")
        let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(request) }
        #expect(error?.code == .editConflict)
    }

    @Test("are not previewed as good where a value would end in the past")
    func pastPreview() async throws {
        let bench = MovableBench()
        bench.clock.move(to: 200)
        let request = FlagsBrowserRequest(
            .set(flag: "Flags:first", to: .text("6"), destination: "overrides"),
            expires: Date(timeIntervalSinceReferenceDate: 100))
        let previewed = #expect(throws: FlagsBrowserError.self) { try bench.browser.preview(request) }
        let performed = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(request) }
        #expect(previewed?.code == .invalidExpiry && performed?.code == .invalidExpiry)
        let reason = "the time at which the value would expire has passed. Choose a later one."
        #expect(previewed?.message == "Not valid yet: \(reason)")
        #expect(performed?.message == "Flag \"first\" was not written: \(reason) Nothing has changed.")
    }
}

@Suite("A bundle of several loaders", .hangLimit) struct FlagsBrowserSharedKeyTests {
    struct Numbers: FlagCollectionProtocol { @Flag(default: 0) var limit: Int }
    struct Words: FlagCollectionProtocol { @Flag(default: "") var limit: String }

    private func overrides() -> FlagOverrides { FlagOverrides(storage: MemoryProvider(), environment: .nonProduction) }

    private func browser<First: FlagCollectionProtocol, Second: FlagCollectionProtocol>(
        _ first: First.Type, _ second: Second.Type, _ stores: [FlagOverrides]
    ) -> FlagsBrowser {
        FlagsBrowser(
            FlagsLoader(first, environment: .nonProduction, providers: [stores[0]], issueReporter: .silent),
            FlagsLoader(
                second, environment: .nonProduction, providers: [stores[stores.count - 1]], issueReporter: .silent))
    }

    @Test("that share a key and not their overrides keeps both")
    func bothValues() async throws {
        let from = [overrides(), overrides()]
        try from[0].setValue(1, for: "limit")
        try from[1].setValue(2, for: "limit")
        let text = try #require(
            try await browser(Numbers.self, Numbers.self, from).perform(.exportBundle()).bundle)
        let to = [overrides(), overrides()]
        let target = browser(Numbers.self, Numbers.self, to)
        try await target.perform(.importBundle(text, isReplacing: true))
        #expect(to.map { $0.value(for: "limit") } == [1, 2])
        try await target.perform(.undo())
        #expect(to.map { $0.value(for: "limit") } == [nil, nil])
    }

    @Test("of which one holds nothing leaves that one alone")
    func oneValue() async throws {
        let from = [overrides(), overrides()]
        try from[1].setValue(2, for: "limit")
        let text = try #require(
            try await browser(Numbers.self, Numbers.self, from).perform(.exportBundle()).bundle)
        let to = [overrides(), overrides()]
        try await browser(Numbers.self, Numbers.self, to).perform(.importBundle(text))
        #expect(to.map { $0.value(for: "limit") } == [nil, 2])
    }

    @Test("whose flags have different types is taken by itself")
    func types() async throws {
        let from = [overrides(), overrides()]
        try from[0].setValue(1, for: "limit")
        try from[1].setValue("high", for: "limit")
        let source = browser(Numbers.self, Words.self, from)
        let text = try #require(try await source.perform(.exportBundle()).bundle)
        try await source.perform(.resetAll())
        try await source.perform(.importBundle(text))
        #expect(from.map { $0.value(for: "limit") } == [1, "high"])
    }

    @Test("that share the overrides too has each once")
    func shared() async throws {
        let store = overrides()
        try store.setValue(1, for: "limit")
        let source = browser(Numbers.self, Numbers.self, [store])
        let text = try #require(try await source.perform(.exportBundle()).bundle)
        #expect(!text.contains("section"))
        #expect(try source.preview(.importBundle(text)).message == "Imports 1 override.")
    }
}

/// A moment that a test moves.
final class MovableClock: Sendable {
    private let seconds = Mutex(0.0)
    func move(to seconds: Double) { self.seconds.withLock { $0 = seconds } }
    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }
}

/// Refuses to write a key while it is asked to.
final class FailingProvider: WritableFlagProvider {
    let name = "failing"
    private let memory = MemoryProvider()
    private let refused = Mutex<FlagKeyPath?>(nil)

    func fail(for key: FlagKeyPath?) { refused.withLock { $0 = key } }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        if key == refused.withLock({ $0 }) {
            throw FlagError(.inputOutput, provider: name, reason: "no room")
        }
        memory.setValue(value, for: key)
    }
}

/// A browser with a clock, and with a provider that fails.
private struct MovableBench {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 0) var first: Int
        @Flag(default: 0) var second: Int
    }

    let clock = MovableClock()
    let provider = FailingProvider()
    let overrides: FlagOverrides
    let loader: FlagsLoader<Flags>
    let browser: FlagsBrowser

    init() {
        let clock = clock
        overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction, now: { clock.now })
        loader = FlagsLoader(
            environment: .nonProduction, providers: [provider, overrides], issueReporter: .silent)
        var configuration = FlagsBrowserConfiguration()
        configuration.now = { clock.now }
        configuration.destination = "failing"
        browser = FlagsBrowser(loader, configuration: configuration)
    }

    var values: [EncodedFlagValue?] { [provider.value(for: "first"), provider.value(for: "second")] }

    func set(_ key: String, to text: String, expires: Double) async throws {
        try await browser.perform(
            FlagsBrowserRequest(
                .set(flag: "Flags:\(key)", to: .text(text), destination: "overrides"),
                expires: Date(timeIntervalSinceReferenceDate: expires)))
    }
}
