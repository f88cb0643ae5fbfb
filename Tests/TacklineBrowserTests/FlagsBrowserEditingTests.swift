import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

private struct PinnedBrowserFlags: FlagCollectionProtocol {
    @Flag(default: 0, updatePolicy: .session, description: "Pinned for a session") var limit: Int
}

@Suite("An edit in the browser", .hangLimit) struct FlagsBrowserEditingTests {
    @Test("goes to the override layer unless another provider is chosen")
    func destinations() async throws {
        let bench = Bench()
        let reply = try await bench.set("attempts", " 5 ")
        #expect(reply.message == #"Set "attempts" to 5 in "overrides"."#)
        #expect(bench.overrides.value(for: "attempts") == 5 && bench.loader.attempts == 5)
        try await bench.set("attempts", "6", in: "region")
        #expect(bench.region.value(for: "attempts") == 6 && bench.loader.attempts == 5)
        let chosen = Bench(destination: "region")
        try await chosen.set("attempts", "7")
        #expect(chosen.region.value(for: "attempts") == 7)
    }

    @Test("takes what people type for each type")
    func texts() async throws {
        let cases: [(String, String, EncodedFlagValue)] = [
            ("new_checkout", "ON", true), ("attempts", "255", 255), ("title", " a b ", " a b "),
            ("layout", "grid", "grid"), ("shop", "-4", -4), ("secrets/ratio", "0.25", 0.25),
            ("secrets/deep/launch", "2026-11-21T08:00:00Z", .date(Date(timeIntervalSince1970: 1_795_248_000))),
            ("limits", "{\n  \"attempts\": 9, \"seconds\": 2 }", ["attempts": 9, "seconds": 2]),
        ]
        for (key, text, stored) in cases {
            let bench = Bench()
            try await bench.set(key, text)
            let flag = try #require(bench.flag(key))
            #expect(flag.source == .provider("overrides") && flag.isOverridden, "\(key)")
            #expect(flag.value.encoded == stored, "\(key)")
            // What the browser shows to be edited is taken back as it is.
            let again = try #require(flag.value.input)
            try await bench.set(key, again)
            #expect(bench.flag(key)?.value == flag.value, "\(key)")
        }
    }

    @Test("sets an optional to nil, and an option by its label")
    func special() async throws {
        let bench = Bench()
        bench.region.setValue(4, for: "shop")
        try await bench.set("shop", nil)
        #expect(bench.loader.shop == nil && bench.flag("shop")?.value.kind == .null)
        enum Holder {
            struct Flags: FlagCollectionProtocol {
                @Flag(default: .low) var level: Level
                @Flag(default: .first) var code: Codes
            }
        }
        let loader = FlagsLoader(Holder.Flags.self, providers: [MemoryProvider()], issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        try await browser.perform(.set(flag: "Flags:level", text: "high"))
        #expect(loader.level == .high)
        try await browser.perform(.set(flag: "Flags:level", text: "1"))
        #expect(loader.level == .low)
        // The cases of an enum without CaseIterable are not known, so it is edited as its raw value.
        #expect(browser.snapshot().flag(id: "Flags:code")?.control.format == .plain)
        try await browser.perform(.set(flag: "Flags:code", text: "b"))
        #expect(loader.code == .second)
    }

    @Test("with a wrong value changes nothing and says what is needed")
    func wrongValues() async throws {
        let cases: [(String, String, String)] = [
            ("attempts", "abc", #"expected an integer from 0 to 255, found "abc""#),
            ("attempts", "256", "expected an integer from 0 to 255"),
            ("attempts", "", "expected an integer from 0 to 255"),
            ("new_checkout", "maybe", "expected"), ("layout", "table", #"one of "list", "grid", "map""#),
            ("secrets/ratio", "NaN", "expected a number"),
            ("secrets/ratio", "0,5", #""0,5" is not a number; enter one such as 0.5, with a point."#),
            ("secrets/deep/launch", "tomorrow", "RFC 3339"),
            ("limits", #"{"attempts": "9", "seconds": 1}"#, "at \"attempts\""),
        ]
        for (key, text, part) in cases {
            let bench = Bench()
            let error = try #require(await bench.browser.failure(.set(flag: "BrowserFlags:\(key)", text: text)))
            #expect(error.code == .invalidValue && error.message.contains(part), "\(key)")
            #expect(error.message.hasPrefix("Flag \"\(key)\" cannot be set to this: "), "\(key)")
            #expect(bench.overrides.overrides.isEmpty, "\(key)")
            #expect(throws: error) { try bench.browser.preview(.set(flag: "BrowserFlags:\(key)", text: text)) }
        }
        let json = await Bench().browser.failure(.set(flag: "BrowserFlags:limits", text: "{\n  \"attempts\": 3,\n}"))
        #expect(json?.line == 3 && json?.column == 1)
        #expect(json?.message.contains("a comma stands before the closing brace; remove the comma") == true)
    }

    @Test("of what may not be edited is refused with the reason")
    func refusals() async throws {
        let cases: [(String, String?, FlagsBrowserError.Code, String)] = [
            ("secrets/is_sealed", nil, .locked, ""), ("nothing", nil, .unknownFlag, ""),
            ("secrets/deep/tracing", nil, .unknownFlag, ""),
            ("attempts", "gone", .unknownDestination, #"Choose one of "overrides", "region"."#),
            ("attempts", "remote", .unknownDestination, #"Choose one of "overrides", "region"."#),
        ]
        for (key, destination, code, part) in cases {
            let bench = Bench()
            let error = await bench.browser.failure(
                .set(flag: "BrowserFlags:\(key)", text: "1", destination: destination))
            #expect(error?.code == code && error?.message.hasSuffix(part) == true, "\(key)")
            #expect(error?.message.contains(destination ?? key) == true, "\(key)")
        }
        let set = FlagsBrowserCommand.set(flag: "BrowserFlags:attempts", text: "1")
        #expect(await Bench(access: .readOnly).browser.failure(set)?.code == .readOnly)
        let bare = Bench()
        bare.loader.providers = [bare.remote]
        #expect(await bare.browser.failure(set)?.code == .noDestination)
        #expect(bare.flag("attempts")?.refusal?.code == .noDestination)
    }

    @Test("resets one flag, a group with all inside, or everything, at the destination only")
    func resets() async throws {
        let bench = Bench()
        bench.region.setValues(["attempts": 2])
        for (key, value) in [("attempts", 9), ("secrets/ratio", 0.1), ("shop", 1)] as [(String, EncodedFlagValue)] {
            try bench.overrides.setValue(value, for: FlagKeyPath(key))
        }
        try bench.overrides.setValue("2026-11-21T08:00:00Z", for: "secrets/deep/launch")
        try bench.overrides.setValue(true, for: "secrets/is_sealed")
        try bench.overrides.setValue(true, for: "foreign")
        let one = try await bench.browser.perform(.reset(flag: "BrowserFlags:attempts"))
        #expect(one.message == #"Reset "attempts" in "overrides"."# && bench.loader.attempts == 2)
        let group = try await bench.browser.perform(.resetAll(group: "BrowserFlags:secrets"))
        #expect(group.flags == ["BrowserFlags:secrets/ratio", "BrowserFlags:secrets/deep/launch"])
        #expect(group.message == #"Reset 2 flags of "secrets" in "overrides"."#)
        let all = try await bench.browser.perform(.resetAll())
        #expect(all.flags == ["BrowserFlags:shop"])
        // Locked flags and keys of others are left alone.
        #expect(bench.overrides.overrides.map(\.key.text) == ["foreign", "secrets/is_sealed"])
        let nothing = try await bench.browser.perform(.resetAll())
        #expect(nothing.message == "No flag is overridden.")
        #expect(await bench.browser.failure(.resetAll(group: "BrowserFlags:none"))?.code == .unknownGroup)
    }

    @Test("says in advance what it would do, and who would still win")
    func previews() throws {
        let bench = Bench()
        func message(_ command: FlagsBrowserCommand) throws -> String { try bench.browser.preview(command).message }
        let set = FlagsBrowserCommand.set(flag: "BrowserFlags:new_checkout", text: "true")
        #expect(
            try message(set) == #"The flag becomes true: the value in "overrides" wins, because it is asked first."#)
        bench.remote.memory.setValue(false, for: "new_checkout")
        let below = FlagsBrowserCommand.set(
            flag: "BrowserFlags:new_checkout", text: "true", destination: "region")
        #expect(
            try message(below)
                == #"The flag stays false: the value from "remote" still wins, because it is asked before "region"."#)
        #expect(try bench.browser.preview(below).changesAnything == false)
        #expect(bench.region.value(for: "new_checkout") == nil)
        try bench.overrides.setValue(true, for: "new_checkout")
        let reset = FlagsBrowserCommand.reset(flag: "BrowserFlags:new_checkout")
        #expect(
            try message(reset)
                == #"The flag becomes false: without the value in "overrides", the one from "remote" wins."#)
        bench.remote.memory.removeAll()
        #expect(
            try message(reset)
                == "The flag becomes false: that is the default, and no provider has a usable value then.")
        #expect(try message(.resetAll()) == #"Resets 1 flag in "overrides"."#)
        try bench.overrides.setValue(4, for: "attempts")
        #expect(
            try message(.set(flag: "BrowserFlags:attempts", text: "5"))
                == #"The flag becomes 5: the value in "overrides" wins, because it is asked first. It replaces 4 in "overrides"."#
        )
        let loader = FlagsLoader(SearchFlags.self, providers: [bench.region], issueReporter: .silent)
        let computed = try FlagsBrowser(loader).preview(.set(flag: "SearchFlags:seven", text: "8"))
        #expect(
            computed.message
                == "The flag stays 7: it computes its value, which still wins over every provider.")
    }

    @Test("says in advance when a pinned value would stay, and when the edit unpins it")
    func previewsOfPinnedFlags() throws {
        let (first, second) = (MemoryProvider(name: "first"), MemoryProvider(name: "second"))
        let loader = FlagsLoader(PinnedBrowserFlags.self, providers: [first, second], issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        first.setValue(1, for: "limit")
        #expect(loader.limit == 1)
        let below = try browser.preview(.set(flag: "PinnedBrowserFlags:limit", text: "2", destination: "second"))
        #expect(below.message == "The flag stays 1: it is pinned until a new session begins.")
        let own = try browser.preview(.set(flag: "PinnedBrowserFlags:limit", text: "3", destination: "first"))
        #expect(own.message.hasPrefix(#"The flag becomes 3: the value in "first" wins, because it is asked first."#))
    }
}

private struct BoundedFlags: FlagCollectionProtocol {
    @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
    @Flag(default: 0.5, bounds: .range(0...1)) var share: Double
    @Flag(default: .seconds(5), bounds: .range(.zero ... .seconds(60))) var timeout: Duration
    @Flag(default: "list", bounds: .oneOf(["list", "grid"])) var layout: String
    @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String
    @Flag(default: 7) var free: Double
    @Flag(default: nil, bounds: .oneOf(["red", "blue"])) var color: String?
    @Flag(default: nil) var isOn: Bool?
    @Flag(default: nil) var launch: Date?
    @Flag(default: .low, bounds: .range(.low ... .high)) var level: Level

    /// The order of the cases is not that of their texts.
    enum Level: String, FlagValue, CaseIterable, Comparable {
        case low, middle, high, top
        static func < (left: Level, right: Level) -> Bool { place(left) < place(right) }
        private static func place(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
    }
}

@Suite("The browser of flags with bounds", .hangLimit)
struct FlagsBrowserBoundsTests {
    private let memory = MemoryProvider()
    private let browser: FlagsBrowser

    init() { browser = FlagsBrowser(FlagsLoader(BoundedFlags.self, providers: [memory], issueReporter: .silent)) }

    private func flag(_ key: String) throws -> FlagsBrowserFlag {
        try #require(browser.snapshot().flag(id: "BoundedFlags:\(key)"))
    }

    @Test("gives each the control and the rule of its bounds")
    func controls() throws {
        let attempts = try flag("attempts").control
        #expect(attempts == FlagsBrowserControl(kind: .integer, minimum: "1", maximum: "10"))
        #expect(try flag("share").control.range == 0...1 && flag("timeout").control.range == 0...60)
        #expect(try flag("layout").control.options?.map(\.label) == ["list", "grid"])
        #expect(try flag("color").control.options?.map(\.label) == ["red", "blue"] && flag("color").isOptional)
        #expect(try flag("level").control.options?.map(\.label) == ["low", "middle", "high"])
        #expect(try flag("language").control.format == .plain)
        #expect(try flag("free").control.range == nil && flag("free").rule == nil)
        #expect(try flag("attempts").rule == "a value from 1 to 10")
        #expect(try flag("language").rule == "a text that matches [a-z]{2}")
    }

    @Test("stops at the bounds when it slides, begins with what its control shows, and refuses a text outside")
    func drafts() async throws {
        var slider = FlagsBrowserDraft(try flag("share"), destination: nil)
        slider.number = 0.30000000000000004
        #expect(slider.text == "0.3" && slider.number == 0.3)
        slider.number = 7
        #expect(slider.text == "1.0")
        slider.text = "much"
        #expect(slider.number == 0)
        for (key, text) in [("color", "red"), ("is_on", "false"), ("launch", "2001-01-01T00:00:00Z")] {
            var draft = FlagsBrowserDraft(try flag(key), destination: nil)
            draft.hasValue = true
            #expect(draft.text == text && (try? browser.preview(draft.command)) != nil, "\(key)")
        }
        let outside = FlagsBrowserCommand.set(flag: "BoundedFlags:share", text: "1.5")
        #expect(await browser.failure(outside)?.code == .invalidValue)
        #expect(memory.document == FlagDocument())
    }
}
