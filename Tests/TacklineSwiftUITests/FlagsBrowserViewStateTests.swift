import Observation
import Synchronization
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineSwiftUI

@MainActor
@Suite("The browser's views", .hangLimit) struct FlagsBrowserViewStateTests {
    private let memory = MemoryProvider(name: "memory")

    private func state() async -> (FlagsBrowserViewState, FlagsLoader<ViewFlags>) {
        let loader = FlagsLoader(ViewFlags.self, providers: [memory], issueReporter: .silent)
        let state = FlagsBrowserViewState(FlagsBrowser(loader))
        await state.screen.refresh()
        return (state, loader)
    }

    @Test("are drawn again when the screen changes")
    func observation() async {
        let (state, _) = await state()
        let fired = Atomic<Int>(0)
        withObservationTracking {
            _ = state.screen.listing
        } onChange: {
            fired.add(1, ordering: .relaxed)
        }
        state.filter.text = "number"
        #expect(fired.load(ordering: .relaxed) == 1)
        #expect(state.screen.listing?.parts.first?.flags.map(\.key) == ["number"])
    }

    @Test("flip switches one after the other, and show a failure until it was read")
    func commands() async throws {
        let (state, loader) = await state()
        let flag = try #require(state.screen.snapshot?.flags.first)
        state[isOn: flag] = true
        await state.finish()
        #expect(loader.isOn && state[isOn: flag] && !state.isShowingFailure)
        state[isOn: flag] = false
        state[isOn: flag] = true
        await state.finish()
        #expect(loader.isOn)
        state.begin(.set(flag: "ViewFlags:number", to: .text("abc")))
        await state.finish()
        #expect(state.isShowingFailure)
        state.isShowingFailure = false
        #expect(!state.isShowingFailure && state.screen.notice == nil)
    }

    @Test("list by kind and by provider")
    func filters() async {
        let (state, _) = await state()
        state[isListing: .integer] = true
        #expect(state.screen.listing?.parts.flatMap(\.flags).map(\.key) == ["number"])
        #expect(state[isListing: .integer])
        state[isListing: .integer] = false
        #expect(state.filter.isEmpty)
        state[isListingProvider: "memory"] = true
        #expect(state.screen.listing?.parts == [])
    }

    @Test("say in words what a flag gives, from where, and what is unusual")
    func words() async throws {
        memory.setValues(["is_on": true, "number": "x"])
        let (state, _) = await state()
        let flags = try #require(state.screen.snapshot?.flags)
        #expect(flags[0].spokenValue == "on, overridden" && flags[0].origin == "memory")
        #expect(flags[1].mark == "overridden, a value is refused" && flags[1].origin == "the default")
        #expect(flags[1].answers[0].text.hasPrefix("refused: expected an integer"))
        #expect(flags[2].spokenValue == "off" && flags[2].mark == nil)
    }
}
