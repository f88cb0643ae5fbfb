import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A message between browser and face", .hangLimit) struct FlagsBrowserMessageTests {
    @Test("comes back from JSON as it was")
    func commands() throws {
        let cases: [FlagsBrowserCommand] =
            [
                .set(flag: "App:a", to: .text("5"), destination: "overrides"),
                .set(flag: "App:a", to: .value(["x": [1, 1.0, .null]])),
                .set(flag: "App:a", to: .value(.null)),
                .reset(flag: "App:a"), .resetGroup("App:secrets"), .resetAll(destination: "x"),
                .undo(), .undo(isForced: true), .redo(), .redo(isForced: true), .pin(flag: "App:a", isPinned: true),
                .importBundle("{}", isReplacing: true, destination: "x"), .exportBundle(),
            ]
        for command in cases {
            let text = try FlagsBrowserJSON.text(of: command)
            #expect(try FlagsBrowserJSON.read(FlagsBrowserCommand.self, from: text) == command, "\(command)")
        }
    }

    @Test("says nothing about the durability of writes, which only a face in the same process can choose")
    func durability() throws {
        let command = FlagsBrowserCommand.reset(flag: "App:a")
        let text = try FlagsBrowserJSON.text(of: FlagsBrowserRequest(command, durability: .deferred))
        #expect(text == (try FlagsBrowserJSON.text(of: command)))
        #expect(try FlagsBrowserJSON.read(FlagsBrowserRequest.self, from: text).durability == .stored)
    }

    @Test("that is no command says what is wrong with it")
    func noCommand() {
        let bad = [
            ("{", "A message of the browser is no JSON: line 1, column 2"),
            ("[]", "A message of the browser cannot be read"),
            (#"{"command": "explode"}"#, #"the command "explode" is not known"#),
            (#"{"command": "set", "flag": "a"}"#, #"expected a member "input""#),
            (#"{"command": "set", "flag": "a", "input": {}}"#, #"expected either "text" or "value""#),
            (#"{"command": "set", "flag": "a", "input": {"text": "1", "value": 1}}"#, #"either "text" or "value""#),
        ]
        for (text, part) in bad {
            let error = #expect(throws: FlagsBrowserError.self) {
                _ = try FlagsBrowserJSON.read(FlagsBrowserCommand.self, from: text)
            }
            #expect(error?.code == .unreadableMessage)
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
    }

    @Test("keeps the bounds of the widest integers and passes over kinds of control that it does not know")
    func controls() throws {
        struct Holder: Codable, FlagValue { var control: FlagsBrowserControl }
        for control in [FlagsBrowserControl.integer(minimum: .min, maximum: .max), .text(.url), .json] {
            let text = try FlagsBrowserJSON.text(of: Holder(control: control))
            #expect(try FlagsBrowserJSON.read(Holder.self, from: text).control == control)
        }
        #expect(try FlagsBrowserJSON.read(Holder.self, from: #"{"control":{"kind":"hologram"}}"#).control == .json)
    }

    @Test("about flags has the same form through any encoder")
    func sameForm() async throws {
        struct Holder: Codable, FlagValue { var snapshot: FlagsBrowserSnapshot }
        let bench = Bench { $0.showsInternalFlags = true }
        bench.remote.memory.setValues(["attempts": "x", "shop": .null, "title": "y"])
        try await bench.browser.perform(.set(flag: "BrowserFlags:limits", to: .text(#"{"attempts":1,"seconds":2}"#)))
        try await bench.browser.perform(.pin(flag: "BrowserFlags:shop", isPinned: true))
        var snapshot = bench.browser.snapshot()
        snapshot.flags[0].variant = "on"
        snapshot.flags[0].scoped = FlagsBrowserValue(1)
        snapshot.flags[0].computed = FlagsBrowserValue(2)
        snapshot.flags[0].answers[0].reason = "SPLIT"
        snapshot.flags[0].answers[0].variant = "on"
        snapshot.flags[0].answers[0].errorMessage = "no rule"
        snapshot.flags[0].answers[0].metadata = ["version": FlagsBrowserValue("2")]
        snapshot.flags[0].metadata.iconName = "star"
        snapshot.flags[1].source = .computed
        guard case .object(let members) = try Holder(snapshot: snapshot).encoded else { return }
        #expect(members["snapshot"] == (try snapshot.encoded))
        #expect(try snapshot.flags[0].encoded == (try FlagsBrowserFlag(encoded: snapshot.flags[0].encoded).encoded))
    }
}
