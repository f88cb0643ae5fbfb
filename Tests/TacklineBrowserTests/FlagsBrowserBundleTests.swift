import Foundation
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("A bundle in the browser", .hangLimit) struct FlagsBrowserBundleTests {
    @Test("brings overrides from one program to another, with their ends")
    func travels() async throws {
        let from = Bench()
        #expect(
            try await from.browser.perform(.exportBundle()).message == "Nothing to share: no flag is overridden.")
        let end = Date(timeIntervalSinceReferenceDate: 5000)
        try from.overrides.setOverrides([("attempts", .init(key: "attempts", value: 8, expires: end))])
        try from.overrides.setValue(true, for: "new_checkout")
        let export = try await from.browser.perform(.exportBundle())
        #expect(export.message == "Exported 2 overrides.")
        let text = try #require(export.bundle)
        let to = Bench()
        try to.overrides.setValue("kept", for: "title")
        let preview = try to.browser.preview(.importBundle(bundle: text))
        #expect(preview.message == "Imports 2 overrides." && preview.differences.count == 2)
        let imported = try await to.browser.perform(.importBundle(bundle: text))
        #expect(to.loader.attempts == 8 && to.loader.newCheckout && to.loader.title == "kept")
        #expect(to.overrides.overrides.first { $0.key == "attempts" }?.expires == end)
        try await to.browser.undo(imported)
        #expect(to.overrides.overrides.map(\.key.text) == ["title"])
        let replaced = try await to.browser.perform(.importBundle(bundle: text, isReplacing: true))
        #expect(replaced.message == "Imported 2 overrides; 1 override removed.")
        #expect(to.overrides.overrides.map(\.key.text) == ["attempts", "new_checkout"])
        try await to.browser.undo(replaced)
        #expect(to.loader.title == "kept")
    }

    @Test("with a mistake imports nothing and says where it is")
    func mistakes() async throws {
        let bench = Bench()
        func failure(_ text: String) async -> FlagsBrowserError? {
            await bench.browser.failure(.importBundle(bundle: text))
        }
        let broken = await failure("{\n  \"format\": tackline }")
        #expect(broken?.code == .unreadableBundle && broken?.line == 2 && broken?.column == 13)
        #expect(await failure("{}")?.message.contains("an object with format and overrides and version") == true)
        func bundle(_ overrides: String) -> String {
            #"{"format": "tackline-overrides", "version": 1, "overrides": [\#(overrides)]}"#
        }
        let wrong = await failure(bundle(#"{"key": "title", "value": "x"}, {"key": "attempts", "value": 300}"#))
        #expect(wrong?.code == .invalidValue && wrong?.message.contains(#"Flag "attempts""#) == true)
        let sealed = await failure(
            bundle(#"{"key": "title", "value": "x"}, {"key": "secrets/is_sealed", "value": true}"#))
        #expect(sealed?.code == .locked && sealed?.message.hasPrefix("Nothing was imported.") == true)
        #expect(bench.overrides.overrides.isEmpty)
        let reply = try await bench.browser.perform(
            .importBundle(bundle: bundle(#"{"key": "unknown\u202e", "value": 1}, {"key": "title", "value": "x"}"#)))
        #expect(
            reply.message
                == #"Imported 1 override; passed over "unknown\u{202E}", which no flag here has as its key."#)
        #expect(bench.loader.title == "x")
    }

    @Test("is one write to overrides, and so are a reset of all and an undo of them: all or none of it")
    func atOnce() async throws {
        let storage = CountedProvider()
        let overrides = FlagOverrides(storage: storage, environment: .nonProduction)
        let loader = FlagsLoader(
            BrowserFlags.self, environment: .nonProduction, providers: [overrides], issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let bundle = FlagOverrideBundle([
            .init(key: "title", value: "x", expires: Date(timeIntervalSinceReferenceDate: 4e9)),
            .init(key: "attempts", value: 7), .init(key: "shop", value: 1),
        ])
        let text = try FlagJSONWriter().text(of: bundle.encoded)
        let reply = try await browser.perform(.importBundle(bundle: text))
        #expect(storage.count == 1 && reply.flags.count == 3)
        #expect(loader.title == "x" && loader.attempts == 7 && loader.shop == 1)
        #expect(overrides.overrides.filter { $0.expires != nil }.map(\.key.text) == ["title"])
        let reset = try await browser.perform(.resetAll())
        #expect(storage.count == 2 && overrides.overrides.isEmpty && loader.attempts == 3)
        let undone = try await browser.undo(reset)
        #expect(undone.message == "Undone: 3 values are as they were before.")
        #expect(storage.count == 3 && loader.title == "x" && loader.attempts == 7 && loader.shop == 1)
        #expect(overrides.overrides.filter { $0.expires != nil }.map(\.key.text) == ["title"])
        storage.fill()
        #expect(await browser.failure(.resetAll())?.message.hasSuffix("Nothing was written.") == true)
        #expect(loader.title == "x" && loader.attempts == 7 && loader.shop == 1)
    }

    @Test("that a provider takes only in part is taken back, and so is an undo, in the words of the provider")
    func partial() async throws {
        let provider = CountedProvider()
        let loader = FlagsLoader(BrowserFlags.self, providers: [provider], issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let bundle = FlagOverrideBundle([.init(key: "attempts", value: 1), .init(key: "shop", value: 2)])
        let text = try FlagJSONWriter().text(of: bundle.encoded)
        provider.refuse("shop")
        let error = await browser.failure(.importBundle(bundle: text))
        #expect(error?.code == .writeFailed && error?.message.hasSuffix("Nothing was written.") == true)
        let set = await browser.failure(.set(flag: "BrowserFlags:shop", text: "2"))
        #expect(set?.code == .writeFailed && set?.message.contains("no room") == true)
        #expect(loader.attempts == 3 && loader.shop == nil)
        provider.refuse(nil)
        let reply = try await browser.perform(.importBundle(bundle: text))
        provider.refuse("shop")
        #expect(await browser.failure(try #require(reply.undo))?.code == .writeFailed)
        #expect(loader.attempts == 1 && loader.shop == 2)
    }

    @Test("and a reset are listed before they are done, flag by flag")
    func differences() throws {
        let bench = Bench()
        try bench.overrides.setValue(4, for: "attempts")
        try bench.overrides.setValue("kept", for: "title")
        let bundle = """
            { "format": "tackline-overrides", "version": 1, "overrides": [
              { "key": "attempts", "value": 9, "expires": "2001-01-01T01:00:00Z" }, { "key": "shop", "value": 1 } ] }
            """
        let preview = try bench.browser.preview(.importBundle(bundle: bundle, isReplacing: true))
        #expect(preview.differences.map(\.key) == ["title", "attempts", "shop"])
        #expect(preview.differences.map(\.old?.text) == [#""kept""#, "4", nil])
        #expect(preview.differences.map(\.new?.text) == [nil, "9", "1"])
        #expect(preview.differences.map(\.expires) == [nil, Date(timeIntervalSinceReferenceDate: 3600), nil])
        #expect(try bench.browser.preview(.resetAll()).differences.count == 2)
    }
}

@Suite("A bundle of several loaders", .hangLimit) struct FlagsBrowserSharedKeyTests {
    struct Numbers: FlagCollectionProtocol { @Flag(default: 0) var limit: Int }
    struct Words: FlagCollectionProtocol { @Flag(default: "") var limit: String }

    private let first = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)
    private let second = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)

    @Test("that share a key and not their overrides keeps both values, also of different types, or the only one")
    func values() async throws {
        let browser = FlagsBrowser(
            FlagsLoader(Numbers.self, environment: .nonProduction, providers: [first], issueReporter: .silent),
            FlagsLoader(Words.self, environment: .nonProduction, providers: [second], issueReporter: .silent))
        try second.setValue("high", for: "limit")
        let one = try #require(try await browser.perform(.exportBundle()).bundle)
        try await browser.perform(.importBundle(bundle: one))
        #expect([first, second].map { $0.value(for: "limit") } == [nil, "high"])
        try first.setValue(1, for: "limit")
        let text = try #require(try await browser.perform(.exportBundle()).bundle)
        let reset = try await browser.perform(.resetAll())
        #expect([first, second].map { $0.value(for: "limit") } == [nil, nil])
        try await browser.perform(.importBundle(bundle: text, isReplacing: true))
        #expect([first, second].map { $0.value(for: "limit") } == [1, "high"])
        try await browser.perform(.resetAll())
        try await browser.undo(reset)
        #expect([first, second].map { $0.value(for: "limit") } == [1, "high"])
    }
}
