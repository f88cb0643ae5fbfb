import Foundation
import TacklineCore
import TacklineMemory
import TacklineRecording
import TacklineShadow
import TacklineTestSupport
import Testing

// The code of the guide "Changing where values come from", so that it keeps compiling.

private struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Pay on one page") var onePage: Bool
}

private func compare(old: MemoryProvider, new: MemoryProvider, overrides: MemoryProvider, log: (String) -> Void) {
    let remote = ShadowProvider(old, shadow: new, sampling: 0.1)
    let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])

    _ = flags.onePage
    log(remote.report.description)
}

private func record(overrides: MemoryProvider, server: MemoryProvider, file: URL) throws {
    let recorder = SessionRecorder()
    let loader = FlagsLoader(AppFlags.self, providers: [recorder.recording(overrides), recorder.recording(server)])
    try recorder.session.json().write(to: file)
    _ = loader.onePage
}

private func replay(file: URL) throws {
    let replay = SessionReplay(try SessionRecording(json: Data(contentsOf: file)))
    let replayed = FlagsLoader(AppFlags.self, providers: ProviderChain(replay.providers))
    replay.advance(to: .seconds(5))
    _ = replayed.onePage
}

@Suite("The guide to changing sources") struct ChangingSourcesSampleTests {
    @Test("shows code that compiles")
    func pieces() throws {
        let samples = try GuideSamples(
            guide: "ChangingSources.md", compiledIn: ["Tests/TacklineRecordingTests/ChangingSourcesSamples.swift"])
        #expect(samples.pieces.count == 4)
        #expect(samples.piecesThatAreNotCompiled == [])
    }
}
