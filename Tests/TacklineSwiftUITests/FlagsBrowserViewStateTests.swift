import Observation
import Synchronization
import TacklineBrowser
import TacklineClosure
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
        await state.refresh()
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

    @Test("offer to release what a launch guard holds back, and release it")
    func release() async throws {
        let remote = ClosureProvider(name: "remote", values: { ["number": 5] })
        let loader = FlagsLoader<ViewFlags>(
            description: FlagMetadata(), keyConfiguration: KeyConfiguration(),
            chain: InstalledChain(
                [memory, remote], environment: .nonProduction, reporter: .silent, launchGuard: HoldingGuard("remote")),
            observation: .automatic)
        let state = FlagsBrowserViewState(FlagsBrowser(loader))
        await state.refresh()
        let flags = try #require(state.screen.snapshot?.flags)
        #expect(flags.filter(\.canBeReleased).map(\.key) == ["number"])
        let flag = try #require(flags.first { $0.canBeReleased })
        #expect(flag.answers.contains { $0.text.contains("it is held back") })
        state.begin(.release(flag: flag.id))
        await state.finish()
        #expect(loader.number == 5 && state.screen.snapshot?.flags.contains { $0.canBeReleased } == false)
    }

    @Test("edit a draft, which begins anew when it was saved, and ask before a reset of all flags")
    func drafts() async throws {
        let (state, loader) = await state()
        await state.open("ViewFlags:number")
        state.draft?.text = "7"
        await state.finish()
        #expect(state.screen.outlook?.text.hasPrefix("The flag becomes 7") == true)
        state.save()
        await state.finish()
        #expect(loader.number == 7 && state.draft?.text == "7" && state.draft?.isChanged == false)
        state.confirmReset()
        #expect(state.isConfirmingReset)
        let question = try #require(state.screen.question)
        state.agree(to: question)
        await state.finish()
        #expect(!state.isConfirmingReset && loader.number != 7)
        #expect(await state.outlook(of: .undo()).hasPrefix("Undoes: "))
    }

    @Test("say in words what a flag gives, from where, and what is unusual")
    func words() async throws {
        memory.setValues(["is_on": true, "number": "x"])
        let (state, _) = await state()
        let flags = try #require(state.screen.snapshot?.flags)
        #expect(flags[0].spokenValue == "on, overridden" && flags[0].origin == "memory")
        #expect(flags[1].mark == "overridden, refused value" && flags[1].origin == "default")
        #expect(flags[1].answers[0].text.hasPrefix("refused: expected an integer"))
        #expect(flags[2].spokenValue == "off" && flags[2].mark == nil)
    }
}
