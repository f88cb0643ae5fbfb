import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("An undo in the browser", .hangLimit) struct FlagsBrowserUndoTests {
    @Test("sets what the destination held before the edit, and can be undone itself")
    func undo() async throws {
        let bench = Bench()
        try bench.overrides.setValue(4, for: "attempts")
        let set = try await bench.set("attempts", "5")
        let first = try await bench.set("shop", "1", in: "region")
        let undone = try await bench.browser.undo(set)
        #expect(undone.message == #"Undone: "attempts" is as it was before."# && undone.flags == set.flags)
        #expect(bench.loader.attempts == 4 && bench.loader.shop == 1)
        try await bench.browser.undo(undone)
        #expect(bench.loader.attempts == 5)
        try await bench.browser.undo(first)
        #expect(bench.region.value(for: "shop") == nil)
        #expect(try bench.browser.preview(try #require(set.undo)).message == "Puts back 1 value.")
        // What changed nothing has no undo.
        #expect(try await bench.set("attempts", "5").undo == nil)
        #expect(try await bench.browser.perform(.reset(flag: "BrowserFlags:shop")).undo == nil)
    }

    @Test("gives back values of every kind, also one that the flag refuses and one that is too long for a snapshot")
    func kinds() async throws {
        let bench = Bench()
        let long = String(repeating: "long ", count: 30_000)
        let held: [String: EncodedFlagValue] = [
            "title": .string(long), "attempts": "many", "shop": .null, "limits": ["attempts": 1, "seconds": 2.5],
            "secrets/ratio": .double(0.1), "secrets/deep/launch": .date(Date(timeIntervalSinceReferenceDate: 0.125)),
        ]
        for (key, value) in held { bench.region.setValue(value, for: FlagKeyPath(key)) }
        let reset = try await bench.browser.perform(.resetAll(destination: "region"))
        #expect(held.keys.allSatisfy { bench.region.value(for: FlagKeyPath($0)) == nil })
        // As a page sends it back.
        let command = try FlagsBrowserJSON.read(
            FlagsBrowserCommand.self, from: FlagsBrowserJSON.data(of: try #require(reset.undo)))
        try await bench.browser.perform(command)
        for (key, value) in held { #expect(bench.region.value(for: FlagKeyPath(key)) == value, "\(key)") }
    }
}

@Suite("A value that expires", .hangLimit) struct FlagsBrowserExpiryTests {
    @Test("is set with its end and shown with it, also where only the end is another one")
    func shown() async throws {
        let bench = Bench()
        func end() -> Date? { bench.flag("attempts")?.answer(of: "overrides")?.expires }
        #expect(bench.browser.snapshot().sections[0].providers.map(\.keepsExpiry) == [true, false, false])
        try await bench.set("attempts", "5", until: 3600)
        #expect(end() == Date(timeIntervalSinceReferenceDate: 3600))
        let before = bench.browser.snapshot().number
        try await bench.set("attempts", "5", until: 3660)
        #expect(bench.browser.snapshot(since: before).flags.map(\.key) == ["attempts"])
        #expect(end() == Date(timeIntervalSinceReferenceDate: 3660))
        try await bench.set("attempts", "5")
        #expect(end() == nil)
    }

    @Test("is given back with its end, and not at all once it has expired")
    func undo() async throws {
        let bench = Bench()
        try await bench.set("attempts", "8", until: 100)
        let reply = try await bench.set("attempts", "5")
        try await bench.browser.undo(reply)
        #expect(bench.overrides.overrides.map(\.expires) == [Date(timeIntervalSinceReferenceDate: 100)])
        try await bench.set("attempts", "5")
        bench.clock.move(to: 200)
        try await bench.browser.undo(reply)
        #expect(bench.overrides.overrides.isEmpty)
    }

    @Test("keeps its end behind a provider of somebody else's that wraps the overrides")
    func wrapped() async throws {
        let clock = MovableClock()
        let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction, now: { clock.now })
        let loader = FlagsLoader(
            SearchFlags.self, environment: .nonProduction, providers: [Wrapper(base: overrides)], issueReporter: .silent
        )
        let browser = FlagsBrowser(roots: [loader.root], now: { clock.now })
        let end = Date(timeIntervalSinceReferenceDate: 100)
        func answer() -> FlagsBrowserAnswer? { browser.snapshot().flags[0].answers[0] }
        #expect(browser.snapshot().sections[0].providers.map(\.keepsExpiry) == [true])
        try overrides.setOverrides([("engine", .init(key: "engine", value: "slow", expires: end))])
        #expect(answer()?.expires == end)
        let reply = try await browser.perform(.set(flag: "SearchFlags:engine", text: "fast"))
        #expect(overrides.overrides.map(\.expires) == [nil])
        try await browser.undo(reply)
        #expect(overrides.overrides == [FlagOverrides.Entry(key: "engine", value: "slow", expires: end)])
        let reset = try await browser.perform(.resetAll())
        #expect(overrides.overrides.isEmpty)
        try await browser.undo(reset)
        #expect(loader.engine == "slow" && answer()?.expires == end)
        try await browser.perform(.set(flag: "SearchFlags:engine", text: "slower", expires: end + 1))
        #expect(overrides.overrides.map(\.expires) == [end + 1])
    }

    @Test("is refused where the end has passed or cannot be kept, before and while it is written")
    func refused() async throws {
        let bench = Bench()
        for (destination, seconds, part) in [
            ("overrides", -1.0, "has passed"), ("region", 3600, "cannot keep when a value expires"),
        ] {
            let command = FlagsBrowserCommand.set(
                flag: "BrowserFlags:attempts", text: "5", destination: destination,
                expires: Date(timeIntervalSinceReferenceDate: seconds))
            let error = await bench.browser.failure(command)
            #expect(error?.code == .invalidExpiry && error?.message.contains(part) == true)
            #expect(throws: FlagsBrowserError.self) { try bench.browser.preview(command) }
        }
        #expect(bench.loader.attempts == 3)
        // Overrides under a wrapper that gives other values.
        let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)
        let loader = FlagsLoader(
            SearchFlags.self, environment: .nonProduction, providers: [Wrapper(base: overrides, prefix: "own/")],
            issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let command = FlagsBrowserCommand.set(
            flag: "SearchFlags:engine", text: "slow", expires: Date(timeIntervalSinceReferenceDate: 4e9))
        #expect(await browser.failure(command)?.code == .invalidExpiry)
        #expect(overrides.overrides.isEmpty)
        try await browser.perform(.set(flag: "SearchFlags:engine", text: "slow"))
        #expect(loader.engine == "slow" && overrides.value(for: "own/engine") == "slow")
    }
}
