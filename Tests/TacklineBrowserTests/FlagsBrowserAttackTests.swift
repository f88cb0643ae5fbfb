import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

@Suite("The browser under attack", .hangLimit) struct FlagsBrowserAttackTests {
    /// Keys that developers may write and no provider should ever send.
    enum Hostile: String, FlagFeature {
        case control = "a\u{0}\u{1B}[31m"
        case direction = "\u{202E}gnp.exe"
        case markup = "<script>alert(1)</script>"
        case slash = "x/../y"
        case long = "k-0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123"
        typealias Value = EncodedFlagValue
        var defaultValue: EncodedFlagValue { .null }
    }

    @Test("keeps short texts short and safe, whatever keys and values are")
    func hostileTexts() async throws {
        let memory = MemoryProvider(name: "evil\u{1B}]0;\u{202E}")
        let loader = FlagsLoader(Hostile.self, providers: [memory], issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let ids = browser.snapshot().flags.map(\.id)
        #expect(Set(ids).count == 5)
        var deep: EncodedFlagValue = 1
        for _ in 0..<2000 { deep = .array([deep]) }
        let values: [EncodedFlagValue] = [
            .string(String(repeating: "\u{301}", count: 1 << 20)), .string("\u{0}\u{202E}\u{2028}\u{7F}\r\n"),
            .array([.double(.nan)]), .object(["\u{202E}": .string("\u{1B}")]), deep,
        ]
        for (feature, value) in zip(Hostile.allCases, values) {
            let key = try #require(loader.flags.handle(of: feature)?.keyPath)
            memory.setValue(value, for: key)
        }
        let snapshot = browser.snapshot()
        for flag in snapshot.flags {
            #expect(flag.value.text.utf8.count < 1000)
            #expect(
                flag.value.text.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
                })
        }
        #expect(snapshot.flags[0].value.input == nil && snapshot.flags[2].value.input == nil)
        #expect(snapshot.flags[1].value.encoded == values[1] && snapshot.flags[3].value.encoded == values[3])
        // What cannot be written as JSON is shortened, so a snapshot always can.
        let json = try FlagsBrowserJSON.data(of: snapshot)
        #expect(try FlagsBrowserJSON.read(FlagsBrowserSnapshot.self, from: json).flags == snapshot.flags)
        for flag in snapshot.flags {
            let reply = try await browser.perform(.reset(flag: flag.id))
            #expect(reply.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }

    @Test("refuses texts that are too long or too deep, at once")
    func hostileInput() async throws {
        let bench = Bench()
        let tooLong = String(repeating: "x", count: (1 << 20) + 1)
        let tooDeep = String(repeating: "[", count: 100_000)
        for (key, text) in [("title", tooLong), ("limits", tooDeep), ("attempts", tooLong)] {
            let error = await bench.browser.failure(.set(flag: "BrowserFlags:\(key)", text: text))
            #expect(error?.code == .invalidValue && (error?.message.utf8.count ?? 0) < 2000)
        }
        #expect(await bench.browser.failure(.importBundle(bundle: tooLong))?.code == .unreadableBundle)
        for id in ["", tooLong, "\u{202E}", "BrowserFlags:"] {
            let error = await bench.browser.failure(.reset(flag: id))
            #expect(error?.code == .unknownFlag && (error?.message.utf8.count ?? 0) < 1000)
        }
        // As long as it may be, it is taken.
        try await bench.set("title", String(repeating: "x", count: 1 << 20))
        #expect(bench.flag("title")?.value.input == nil && bench.loader.title.count == 1 << 20)
    }

    @Test("notifies every user interface of a change, and is freed when it is gone")
    func updates() async throws {
        var bench: Bench? = Bench()
        let isFreed = { [weak browser = bench?.browser] in browser == nil }
        let memory = try #require(bench?.remote.memory)
        let pages = try (0..<2).map { _ in try #require(bench?.browser.updates()) }
        let before = try #require(bench?.browser.snapshot().revision)
        memory.setValue(true, for: "new_checkout")
        for page in pages {
            for await revision in page where revision > before { break }
        }
        bench = nil
        // Whatever was on its way may still come; then the streams end.
        for page in pages {
            for await _ in page {}
        }
        #expect(isFreed())
    }

    @Test("says where a message is wrong, and repeats nothing of it")
    func messages() throws {
        let alone = try FlagsBrowserJSON.read(
            FlagsBrowserCommand.self, from: Data(#"{"set": {"flag": "App:a", "text": "5"}}"#.utf8))
        #expect(alone == .set(flag: "App:a", text: "5"))
        for (json, part) in [
            ("{", "cannot be read."), ("[]", "cannot be read."), (#"{"explode": {}}"#, "cannot be read."),
            (#"{"set": {"flag": 1}}"#, #"cannot be read at "set.flag"."#),
            (#"{"set": {"text": "s3cret"}}"#, #"at "set""#),
        ] {
            let error = #expect(throws: FlagsBrowserError.self) {
                try FlagsBrowserJSON.read(FlagsBrowserCommand.self, from: Data(json.utf8))
            }
            #expect(error?.code == .unreadableMessage && error?.message.contains(part) == true, "\(json)")
            #expect(error?.message.contains("s3cret") == false)
        }
    }
}

@Suite("A secret flag in the browser", .hangLimit) struct FlagsBrowserSecretTests {
    @Test("has its value in properties only: nothing prints, dumps or mirrors it")
    func secrets() async throws {
        let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)
        let loader = FlagsLoader(
            SecretFlags.self, environment: .nonProduction, providers: [overrides, RefusingLayer()],
            issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let token = "SecretFlags:token"
        var shown: [Any] = []
        @discardableResult
        func attempt(_ command: FlagsBrowserCommand) async -> FlagsBrowserReply? {
            shown.append(command)
            do { shown.append(try browser.preview(command)) } catch { shown.append(error) }
            shown += [browser.snapshot(), browser.snapshot().flags, FlagsBrowserFilter().parts(of: browser.snapshot())]
            do {
                let reply = try await browser.perform(command, by: "Ada")
                shown += [reply, reply.undo as Any]
                return reply
            } catch {
                shown.append(error)
                return nil
            }
        }
        for text in ["s3cret", "s3cret too", "4711471147114711"] { await attempt(.set(flag: token, text: text)) }
        let reset = await attempt(.resetAll())
        await attempt(try #require(reset?.undo))
        for text in ["s3cret", "4711471147114711", #"{"a": "s3cret""#] {
            await attempt(.set(flag: "SecretFlags:numbers", text: text))
        }
        try loader.$token.setValue("s3cret from code")
        let bundle = try await browser.perform(.exportBundle())
        let text = try #require(bundle.bundle)
        #expect(text.contains("s3cret from code"))
        shown.append(bundle)
        for broken in [
            text, #"{"format": "x", "overrides": [{"value": "s3cret"}]}"#,
            text.replacing(#""key""#, with: #""k""#), text.replacing(#"s3cret from code""#, with: "s3cret"),
            text.replacing(#""s3cret from code""#, with: #"["s3cret"]"#),
        ] {
            await attempt(.importBundle(bundle: broken))
        }
        try loader.$token.setValue("s3cret at last")
        let flag = try #require(browser.snapshot().flag(id: token))
        let draft = FlagsBrowserDraft(flag, destination: nil)
        #expect(draft.text.contains("s3cret") && flag.value.text.contains("s3cret"))
        shown += [draft, draft.command, browser, try browser.reasons(for: FlagsBrowserQuestion(flag: token))]
        for value in shown {
            let text = everyText(of: value)
            for secret in ["s3cret", "d3fault", "4711471147114711"] {
                #expect(!text.contains(secret), "\(type(of: value)): \(text)")
            }
        }
    }

    private struct SecretFlags: FlagCollectionProtocol {
        @Flag(default: "d3fault", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
        @Flag(default: [:], description: FlagMetadata(description: "Numbers", tags: ["secret"]))
        var numbers: [String: Int]
    }

    /// Gives details that quote the value, which the flag refuses.
    private struct RefusingLayer: FlagProvider {
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { ["s3cret": 4711471147114711] }
        func observe(_ observer: FlagProviderObserver) -> Bool { true }
        func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
            FlagEvaluation(value: value(for: key), reason: .error, errorMessage: "s3cret is not a number")
        }
    }
}

@Suite("The browser and many threads", .needsTheMachine) struct FlagsBrowserConcurrencyTests {
    @Test("stays consistent while eight threads edit, undo, import and look, and providers and chain change")
    func threads() async throws {
        let bench = Bench()
        let browser = bench.browser
        let bundle = FlagOverrideBundle([.init(key: "attempts", value: 99), .init(key: "title", value: "imported")])
        let text = try FlagJSONWriter().text(of: bundle.encoded)
        let unexpected = Lines()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var last: FlagsBrowserReply?
                    for round in 0..<40 {
                        do throws(FlagsBrowserError) {
                            switch (worker + round) % 8 {
                            case 0, 1:
                                last = try await browser.perform(
                                    .set(flag: "BrowserFlags:attempts", text: "\((worker * 40 + round) % 256)"))
                            case 2: if let undo = last?.undo { try await browser.perform(undo) }
                            case 3: try await browser.perform(.importBundle(bundle: text, isReplacing: round % 2 == 0))
                            case 4: try await browser.perform(.resetAll())
                            case 5: bench.remote.memory.setValue(.integer(Int128(round)), for: "attempts")
                            case 6: bench.loader.providers.reverse()
                            default: _ = try browser.preview(.reset(flag: "BrowserFlags:attempts"))
                            }
                        } catch {
                            unexpected.append(error.message)
                        }
                        for flag in browser.snapshot().flags where flag.answers.isEmpty { unexpected.append(flag.id) }
                    }
                }
            }
        }
        #expect(unexpected.all == [])
        for flag in browser.snapshot().flags {
            #expect(flag.value.encoded == bench.loader.flag(at: FlagKeyPath(flag.key))?.value, "\(flag.key)")
        }
    }
}
