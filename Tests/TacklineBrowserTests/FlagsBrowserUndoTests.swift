import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("An undo in the browser", .hangLimit) struct FlagsBrowserUndoTests {
    @Test("gives back what the destination held, edit by edit")
    func undo() async throws {
        let bench = Bench()
        try bench.overrides.setValue(4, for: "attempts")
        try await bench.browser.perform(.set(flag: "BrowserFlags:attempts", to: .text("5")))
        try await bench.browser.perform(.set(flag: "BrowserFlags:shop", to: .text("1")))
        try await bench.browser.perform(.resetAll())
        let undo = try #require(bench.browser.snapshot().undo)
        #expect(undo.title == #"Reset all flags in "overrides""# && undo.count == 3)
        #expect(try bench.browser.preview(.undo()).message == #"Undoes: Reset all flags in "overrides"."#)
        try await bench.browser.perform(.undo())
        #expect(bench.loader.attempts == 5 && bench.loader.shop == 1)
        try await bench.browser.perform(.undo())
        #expect(bench.overrides.value(for: "shop") == nil)
        let reply = try await bench.browser.perform(.undo())
        #expect(reply.message == #"Undone: Set "attempts" to 5 in "overrides"."#)
        #expect(bench.overrides.value(for: "attempts") == 4)
        let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.undo()) }
        #expect(error?.code == .nothingToUndo)
    }

    @Test("stops where somebody else has changed the value since, unless it is forced")
    func conflict() async throws {
        let bench = Bench()
        try await bench.browser.perform(.set(flag: "BrowserFlags:attempts", to: .text("5")))
        try bench.overrides.setValue(9, for: "attempts")
        let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.undo()) }
        #expect(error?.code == .undoConflict && error?.key == "attempts" && error?.provider == "overrides")
        #expect(
            error?.message == """
                The edit “Set "attempts" to 5 in "overrides"” was not undone: provider "overrides" holds 9 for flag \
                "attempts" now, which somebody else has set since. Set the flag by hand, or force the undo.
                """)
        #expect(bench.loader.attempts == 9)
        try await bench.browser.perform(.undo(isForced: true))
        #expect(bench.overrides.value(for: "attempts") == nil && bench.browser.snapshot().undo == nil)
    }

    @Test("is offered for so many edits, and not for one that changed nothing")
    func bounds() async throws {
        let bench = Bench { $0.undoLimit = 2 }
        for text in ["1", "2", "3", "3"] {
            try await bench.browser.perform(.set(flag: "BrowserFlags:attempts", to: .text(text)))
        }
        #expect(bench.browser.snapshot().undo?.count == 2)
        try await bench.browser.perform(.undo())
        try await bench.browser.perform(.undo())
        #expect(bench.loader.attempts == 1 && bench.browser.snapshot().undo == nil)
    }

    @Test("keeps the end of an override that it brings back")
    func expiry() async throws {
        let bench = Bench()
        let end = Date(timeIntervalSinceReferenceDate: 5000)
        try bench.overrides.setOverrides([("attempts", .init(key: "attempts", value: 8, expires: end))])
        try await bench.browser.perform(.set(flag: "BrowserFlags:attempts", to: .text("5")))
        #expect(bench.overrides.overrides.first?.expires == nil)
        try await bench.browser.perform(.undo())
        #expect(bench.overrides.overrides == [FlagOverrides.Entry(key: "attempts", value: 8, expires: end)])
    }

    @Test("of a provider that has left the chain says so and keeps the edit")
    func destinationGone() async throws {
        let bench = Bench()
        try await bench.browser.perform(.set(flag: "BrowserFlags:attempts", to: .text("5")))
        let chain = bench.loader.providers
        bench.loader.providers = [bench.region]
        let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.undo()) }
        #expect(error?.code == .unknownDestination)
        bench.loader.providers = chain
        try await bench.browser.perform(.undo())
        #expect(bench.loader.attempts == 3)
    }

    @Test("that is forced does not wait for what is gone for good")
    func gone() async throws {
        let bench = Bench()
        try await bench.browser.perform(.set(flag: "BrowserFlags:shop", to: .text("1")))
        try await bench.browser.perform(
            .set(flag: "BrowserFlags:attempts", to: .text("5"), destination: "region"))
        bench.loader.providers = [bench.overrides]
        let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.undo()) }
        #expect(error?.code == .unknownDestination)
        #expect(try await bench.browser.perform(.undo(isForced: true)).flags == [])
        #expect(try await bench.browser.perform(.undo()).flags == ["BrowserFlags:shop"])
        #expect(bench.loader.shop == nil && bench.browser.snapshot().undo == nil)
    }
}
