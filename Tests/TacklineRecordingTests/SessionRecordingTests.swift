import Foundation
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineRecording
import TacklineTestSupport
import TacklineTesting
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: "", description: "A text") var text: String
    @Flag(default: .null, description: "Anything") var any: EncodedFlagValue
    @Flag(default: "", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
    @FlagCollection(description: "A group") var group: Group

    struct Group: FlagCollectionProtocol {
        @Flag(default: false, description: "A switch") var isOn: Bool
    }
}

@Suite("A recorded session") struct SessionRecordingTests {
    private let clock = ManualClock()
    private let remote = MemoryProvider(name: "remote", values: ["number": 1, "group/is_on": true])
    private let local = MemoryProvider(name: "local", values: ["text": "a"])

    private func see(_ flags: FlagsLoader<Flags>) -> String { "\(flags.number) \(flags.text) \(flags.group.isOn)" }

    /// Reads everything, with a change after each of three seconds.
    private func record(_ recorder: SessionRecorder, separator: String = "/") -> [String] {
        let flags = FlagsLoader(
            Flags.self, keyConfiguration: KeyConfiguration(pathSeparator: separator), providers: [local, remote],
            observers: [recorder])
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
        return seen
    }

    @Test("is replayed from its file, with every separator of keys: flags have the values that were read")
    func replay() throws {
        let recorder = SessionRecorder(clock: clock)
        let seen = record(recorder)
        #expect(seen == ["1 a true", "2 a true", "2 a false", "2 b false"])
        let file = try SessionRecording(json: recorder.session.json())
        #expect(file == recorder.session)
        #expect(file.steps.count == 6)
        for separator in ["/", ".", "_", "__", "::", "-", " "] {
            let replay = SessionReplay(file)
            let flags = FlagsLoader(
                Flags.self, keyConfiguration: KeyConfiguration(pathSeparator: separator), providers: [replay])
            #expect(see(flags) == seen[0], "\(separator)")
            replay.advance(to: .seconds(1))
            #expect(see(flags) == seen[1])
            #expect(replay.moments.allSatisfy { $0 > .seconds(1) })
            #expect(replay.advance() == .seconds(2))
            #expect(see(flags) == seen[2])
            replay.advance(to: .seconds(100))
            #expect(see(flags) == seen[3])
            #expect(replay.advance() == nil)
        }
    }

    @Test("made with any separator of keys is replayed with another one")
    func otherSeparator() throws {
        let values = MemoryProvider(values: ["group": ["is_on": true]])
        for separator in [".", "__", "-"] {
            let recorder = SessionRecorder(clock: clock)
            let flags = FlagsLoader(
                Flags.self, keyConfiguration: KeyConfiguration(pathSeparator: separator), providers: [values],
                observers: [recorder])
            #expect(flags.group.isOn)
            let replay = SessionReplay(try SessionRecording(json: recorder.session.json()))
            let replayed = FlagsLoader(Flags.self, providers: [replay])
            #expect(replayed.group.isOn, "\(separator)")
        }
    }

    @Test("is bounded in steps and in bytes: the oldest go, and it says how many")
    func bounds() throws {
        for (steps, size) in [(100, 1 << 20), (10_000, 8000)] {
            let recorder = SessionRecorder(maximumSteps: steps, maximumSize: size, clock: clock)
            for number in 0..<1000 {
                recorder.flagWasResolved(ResolvedFlag(key: "number", value: .integer(Int128(number)), source: .default))
            }
            let session = try SessionRecording(json: recorder.session.json())
            #expect(session.droppedSteps + session.steps.count == 1000 && session.droppedSteps > 800)
            #expect(session.steps.last?.value == 999)
            recorder.flagWasResolved(
                ResolvedFlag(
                    key: "text", value: .string(String(repeating: "x", count: 2 << 20)), source: .provider("a")))
            #expect(recorder.session.steps.last?.value == nil)
            #expect(try recorder.session.json().count < 2 * size)
        }
    }

    @Test("has each value of contexts that alternate once")
    func contexts() throws {
        let recorder = SessionRecorder(maximumSteps: 10, clock: clock)
        for number in 0..<1000 {
            let user = "user \(number % 3)"
            recorder.flagWasResolved(
                ResolvedFlag(
                    key: "number", value: .integer(Int128(number % 3)), source: .provider("rules"),
                    details: FlagResolutionDetails(reason: .targetingMatch, subject: user)))
        }
        let session = try SessionRecording(json: recorder.session.json())
        #expect(session.steps.map(\.subject) == ["user 0", "user 1", "user 2"])
        for user in 0..<3 {
            let flags = FlagsLoader(Flags.self, providers: [SessionReplay(session, for: "user \(user)")])
            #expect(flags.number == user)
        }
    }

    @Test("keeps subjects apart whose names differ in nothing but the bytes of a letter")
    func equivalentNames() throws {
        let recorder = SessionRecorder(clock: clock)
        for name in ["caf\u{E9}", "cafe\u{301}"] {
            recorder.flagWasResolved(
                ResolvedFlag(
                    key: "number", value: 1, source: .provider("rules"),
                    details: FlagResolutionDetails(reason: .targetingMatch, subject: name)))
        }
        #expect(recorder.session.steps.count == 2)
        var session = recorder.session
        session.steps[1].value = 2
        let flags = FlagsLoader(Flags.self, providers: [SessionReplay(session, for: "cafe\u{301}")])
        #expect(flags.number == 2)
    }

    @Test("of tasks without a subject has each value once, too")
    func tasks() {
        let recorder = SessionRecorder(clock: clock)
        let flags = FlagsLoader(Flags.self, providers: [TaskProvider()], observers: [recorder])
        for number in 0..<100 { TaskProvider.$number.withValue(number % 2) { _ = flags.number } }
        #expect(recorder.session.steps.map(\.value) == [0, 1])
    }

    @Test("releases values outside of the lock that a read takes")
    func released() {
        let releases = Counter()
        let recorder = SessionRecorder(maximumSteps: 2, clock: clock)
        for number in 0..<20 {
            let value = EncodedFlagValue.released {
                _ = recorder.session
                _ = releases.next()
            }
            recorder.flagWasResolved(
                ResolvedFlag(key: FlagKeyPath("k\(number)"), value: value, source: .default))
        }
        #expect(releases.count >= 16)
    }

    @Test("has no secrets")
    func secrets() throws {
        let recorder = SessionRecorder(clock: clock)
        let memory = MemoryProvider(values: ["token": "s3cret"])
        #expect(FlagsLoader(Flags.self, providers: [memory], observers: [recorder]).token == "s3cret")
        #expect(!String(decoding: try recorder.session.json(), as: UTF8.self).contains("s3cret"))
    }

    @Test("and a shadow leave overrides as they are: one with an end keeps it through reset, undo and a bundle")
    func overrides() async throws {
        let now = Date(timeIntervalSinceReferenceDate: 0)
        let overrides = FlagOverrides(
            storage: MemoryProvider(name: "overrides"), environment: .nonProduction, now: { now })
        let recorder = SessionRecorder(clock: clock)
        let shadow = FlagShadow(of: overrides, by: local)
        let flags = FlagsLoader(
            Flags.self, providers: ProviderChain([overrides, remote]).deployed(in: .nonProduction),
            issueReporter: .silent, observers: [recorder, shadow])
        try flags.$number.setValue(3, providers: [FlagOverrides.self])
        #expect(flags.number == 3)
        #expect(recorder.session.steps.last?.source == .provider("overrides"))
        let ending = FlagOverride(key: "number", value: 8, expires: now + 5000)
        try overrides.setValue(8, for: "number", expires: now + 5000)
        #expect(flags.number == 8)
        var configuration = FlagsBrowserConfiguration()
        configuration.now = { now }
        let browser = FlagsBrowser(flags, configuration: configuration)
        try await browser.perform(.reset(flag: "Flags:number"))
        #expect(overrides.overrides.isEmpty && flags.number == 1)
        try await browser.perform(.undo())
        #expect(overrides.overrides == [ending] && flags.number == 8)
        let bundle = try #require(try await browser.perform(.exportBundle()).bundle)
        try await browser.perform(.resetAll())
        try await browser.perform(.importBundle(bundle))
        #expect(overrides.overrides == [ending])
        #expect(shadow.report.comparisons > 0)
    }

    @Test("says of a flag whether it was read, and has no value for the others")
    func wasRead() throws {
        let recorder = SessionRecorder(clock: clock)
        _ = record(recorder)
        let replay = SessionReplay(recorder.session)
        #expect(replay.wasRead("number") && !replay.wasRead("unknown"))
        #expect(replay.value(for: "unknown") == nil)
    }

    @Test("is refused with the mistake if it is not a recording")
    func mistakes() throws {
        let recorder = SessionRecorder(clock: clock)
        _ = record(recorder)
        let good = String(decoding: try recorder.session.json(), as: UTF8.self)
        let texts = [
            "", "{}", "[]", good.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2"),
            good.replacingOccurrences(of: "\"kind\": \"provider\"", with: "\"kind\": \"other\""),
            good.replacingOccurrences(of: "\"at\": 1.0", with: "\"at\": -1.0"),
            good.replacingOccurrences(of: "\"at\": 1.0", with: "\"at\": 9.0"),
            good.replacingOccurrences(of: "\"droppedSteps\": 0", with: "\"droppedSteps\": -1"),
        ]
        for text in texts {
            #expect(throws: SessionRecordingError.self, "\(text.prefix(60))") {
                try SessionRecording(json: Data(text.utf8))
            }
        }
    }
}

private struct TaskProvider: FlagProvider {
    @TaskLocal static var number = 0
    var kind: FlagProviderKind { .taskDependent }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key == "number" ? .integer(Int128(Self.number)) : nil }
}
