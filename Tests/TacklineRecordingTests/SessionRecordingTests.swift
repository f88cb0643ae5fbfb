import Foundation
import TacklineCore
import TacklineMemory
import TacklineRecording
import TacklineTestSupport
import TacklineTesting
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: "", description: "A text") var text: String
    @FlagCollection(description: "A group") var group: Group

    struct Group: FlagCollectionProtocol {
        @Flag(default: false, description: "A switch") var isOn: Bool
    }
}

@Suite("A recorded session") struct SessionRecordingTests {
    private let clock = ManualClock()
    private let remote = MemoryProvider(name: "remote", values: ["number": 1, "group/is_on": true])
    private let local = MemoryProvider(name: "remote", values: ["text": "a"])

    /// Reads everything, with a change after each of three seconds.
    private func record() throws -> (session: SessionRecording, seen: [String]) {
        let recorder = SessionRecorder(clock: clock)
        let flags = FlagsLoader(Flags.self, providers: [recorder.recording(remote), recorder.recording(local)])
        var seen = [see(flags)]
        for _ in 0..<10 { _ = see(flags) }
        clock.advance(by: .seconds(1))
        remote.setValue(2, for: "number")
        seen.append(see(flags))
        clock.advance(by: .seconds(1))
        remote.setValue(nil, for: "group/is_on")
        seen.append(see(flags))
        clock.advance(by: .seconds(1))
        local.setValue("b", for: "text")
        seen.append(see(flags))
        return (recorder.session, seen)
    }

    private func see(_ flags: FlagsLoader<Flags>) -> String { "\(flags.number) \(flags.text) \(flags.group.isOn)" }

    @Test("is played back from its file: flags have the values that they had, at the moments that a test chooses")
    func replay() throws {
        let (session, seen) = try record()
        #expect(seen == ["1 a true", "2 a true", "2 a false", "2 b false"])
        let file = try SessionRecording(json: session.json())
        #expect(file == session)
        #expect(file.providers == ["remote", "remote'"])
        let replay = SessionReplay(file)
        let flags = FlagsLoader(Flags.self, providers: ProviderChain(replay.providers))
        #expect(see(flags) == seen[0])
        replay.advance(to: .seconds(1))
        #expect(see(flags) == seen[1])
        // The switch was asked of the second provider only once the first had no value for it.
        #expect(replay.moments.allSatisfy { $0 > .seconds(1) })
        #expect(replay.advance() == .seconds(2))
        #expect(see(flags) == seen[2])
        replay.advance(to: .seconds(100))
        #expect(see(flags) == seen[3])
        #expect(replay.advance() == nil)
    }

    @Test("keeps each answer once, and no more than it may")
    func bounds() throws {
        let recorder = SessionRecorder(maximumSteps: 3, clock: clock)
        let provider = recorder.recording(remote)
        for _ in 0..<100 { _ = provider.value(for: "number") }
        #expect(recorder.session.steps.count == 1)
        for number in 0..<10 { _ = provider.value(for: FlagKeyPath(components: ["k\(number)"])) }
        #expect(recorder.session.steps.count == 3)
        #expect(recorder.session.isCut)
        #expect(try SessionRecording(json: recorder.session.json()).isCut)
    }

    @Test("says of a key whether it was asked for, and has no value for the others")
    func asked() throws {
        let replay = SessionReplay(try record().session)
        let provider = try #require(replay.provider(named: "remote"))
        #expect(provider.wasAsked(for: "number"))
        #expect(!provider.wasAsked(for: "unknown"))
        #expect(provider.value(for: "unknown") == nil)
    }

    @Test("is refused with what is wrong if it is no recording")
    func mistakes() throws {
        let good = String(decoding: try record().session.json(), as: UTF8.self)
        let texts = [
            "", "{}", "[]", good.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2"),
            good.replacingOccurrences(of: "\"provider\": \"remote\"", with: "\"provider\": \"other\""),
            good.replacingOccurrences(of: "\"at\": 1.0", with: "\"at\": -1.0"),
            good.replacingOccurrences(of: "\"at\": 1.0", with: "\"at\": 9.0"),
        ]
        for text in texts {
            #expect(throws: SessionRecordingError.self, "\(text.prefix(60))") {
                try SessionRecording(json: Data(text.utf8))
            }
        }
    }

    @Test("passes the durability of a write on")
    func durability() throws {
        let base = DurabilityRecorder()
        let provider = SessionRecorder().recording(base)
        try provider.setValue(1, for: "number")
        try provider.setValue(2, for: "number", durability: .deferred)
        #expect(base.durabilities == [.stored, .deferred])
    }
}
