import Foundation
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("A message between browser and face", .hangLimit) struct FlagsBrowserMessageTests {
    @Test("comes back from JSON as it was")
    func commands() throws {
        let cases: [FlagsBrowserCommand] =
            [
                .set(flag: "App:a", to: .text("5"), destination: "overrides"),
                .set(flag: "App:a", to: .value(["x": [1, 1.5, .null]])),
                .set(flag: "App:a", to: .value(.null)),
                .reset(flag: "App:a"), .resetGroup("App:secrets"), .resetAll(destination: "x"),
                .undo(), .undo(isForced: true), .redo(), .redo(isForced: true), .pin(flag: "App:a", isPinned: true),
                .release(flag: "App:a"),
                .importBundle("{}", isReplacing: true, destination: "x"), .exportBundle(),
            ]
        for command in cases {
            let text = try FlagsBrowserJSON.text(of: command)
            #expect(try FlagsBrowserJSON.read(FlagsBrowserCommand.self, from: text) == command, "\(command)")
        }
    }

    @Test("that is not a command says what is wrong with it")
    func noCommand() {
        let bad = [
            ("{", "A message of the browser is not JSON: line 1, column 2"),
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

    @Test("never prints, dumps or mirrors the value of a secret flag, which only its properties have")
    func secrets() async throws {
        let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)
        let remote = RefusingLayer()
        let loader = FlagsLoader(
            SecretFlags.self, environment: .nonProduction, providers: [overrides, remote],
            issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let token = "SecretFlags:token"
        var shown: [Any] = []
        func attempt(_ request: FlagsBrowserRequest) async {
            shown.append(request)
            do { shown.append(try browser.preview(request)) } catch { shown.append(error) }
            do { shown.append(try await browser.perform(request)) } catch { shown.append(error) }
            shown += [browser.snapshot(), browser.snapshot().flags, FlagsBrowserListing(of: browser.snapshot())]
        }
        for input in [
            FlagsBrowserInput.text("s3cret"), .value("s3cret too"), .value(["s3cret"]), .value(4711471147114711),
        ] {
            await attempt(FlagsBrowserRequest(.set(flag: token, to: input)))
        }
        // Another value than the author saw, and than the edit left.
        let stale = FlagsBrowserExpectation(value: FlagsBrowserValue("s3cret once", isSecret: true))
        for _ in 0..<2 {
            await attempt(
                FlagsBrowserRequest(
                    .set(flag: token, to: .text("s3cret 3")), author: FlagsBrowserAuthor(id: "b"), expected: stale))
            try loader.$token.setValue("s3cret from code")
        }
        await attempt(FlagsBrowserRequest(.undo()))
        for text in ["s3cret", "4711471147114711", #"{"a": "s3cret""#] {
            await attempt(FlagsBrowserRequest(.set(flag: "SecretFlags:numbers", to: .text(text))))
        }
        let bundle = try await browser.perform(.exportBundle())
        let text = try #require(bundle.bundle)
        #expect(text.contains("s3cret from code"))
        shown += [bundle, overrides.overrides, FlagOverrideBundle(overrides.overrides), try overrides.exportBundle()]
        for broken in [
            text, #"{"format": "x", "overrides": [{"value": "s3cret"}]}"#,
            text.replacing(#""key""#, with: #""k""#), text.replacing(#"s3cret from code""#, with: "s3cret"),
            text.replacing(#""s3cret from code""#, with: #"["s3cret"]"#),
        ] {
            await attempt(FlagsBrowserRequest(.importBundle(broken)))
            do { try overrides.importBundle(Data(broken.utf8)) } catch { shown.append(error) }
        }
        try loader.$token.setValue("s3cret at last")
        var screen = FlagsBrowserScreen()
        for effect in screen.refresh() { _ = screen.receive(await effect.event(from: browser)) }
        screen.selection = token
        for effect in screen.beginEditing() { _ = screen.receive(await effect.event(from: browser)) }
        let draft = try #require(screen.draft)
        #expect(draft.text.contains("s3cret"))
        shown += [draft, screen.listing as Any, screen.snapshot as Any, screen.outlook as Any]
        shown += screen.perform(draft.command(destination: nil))
        #expect(browser.snapshot().flag(id: token)?.value.text.contains("s3cret") == true)
        shown += [
            browser, try browser.flag(id: token), try await browser.reasons(for: FlagsBrowserQuestion(flag: token)),
        ]
        let read = try FlagsBrowserSnapshot(encoded: browser.snapshot().encoded)
        #expect(read.flag(id: token)?.value.text.contains("s3cret") == true)
        shown.append(read)
        for value in shown {
            let text = everyText(of: value)
            for secret in ["s3cret", "d3fault", "4711471147114711"] {
                #expect(!text.contains(secret), "\(type(of: value)): \(text)")
            }
        }
    }
}

private struct SecretFlags: FlagCollectionProtocol {
    @Flag(default: "d3fault", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
    @Flag(default: [:], description: FlagMetadata(description: "Numbers", tags: ["secret"])) var numbers: [String: Int]
}

/// Gives details that quote the value, which the flag refuses.
private struct RefusingLayer: FlagProvider {
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { ["s3cret": 4711471147114711] }
    func observe(_ observer: FlagProviderObserver) -> Bool { true }
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        FlagEvaluation(value: value(for: key), reason: .error, errorMessage: "s3cret is not a number")
    }
}
