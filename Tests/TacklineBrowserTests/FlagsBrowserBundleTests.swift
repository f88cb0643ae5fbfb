import Foundation
import Synchronization
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("A bundle in the browser", .hangLimit) struct FlagsBrowserBundleTests {
    @Test("brings overrides from one program to another, with their ends")
    func travels() async throws {
        let from = Bench()
        let end = Date(timeIntervalSinceReferenceDate: 5000)
        try from.overrides.setOverrides([("attempts", .init(key: "attempts", value: 8, expires: end))])
        try from.overrides.setValue(true, for: "new_checkout")
        let export = try await from.browser.perform(.exportBundle())
        #expect(export.message == #"Exported 2 overrides from "overrides"."#)
        let text = try #require(export.bundle)
        let to = Bench()
        try to.overrides.setValue("kept", for: "title")
        let preview = try to.browser.preview(.importBundle(text))
        #expect(preview.message == "Imports 2 overrides." && preview.flags.count == 2)
        try await to.browser.perform(.importBundle(text))
        #expect(to.loader.attempts == 8 && to.loader.newCheckout && to.loader.title == "kept")
        #expect(to.overrides.overrides.first { $0.key == "attempts" }?.expires == end)
        try await to.browser.perform(.undo())
        #expect(to.overrides.overrides.map(\.key.text) == ["title"])
        try await to.browser.perform(.importBundle(text, isReplacing: true))
        #expect(to.overrides.overrides.map(\.key.text) == ["attempts", "new_checkout"])
        try await to.browser.perform(.undo())
        #expect(to.loader.title == "kept")
    }

    @Test("goes to a provider that is no override layer just as well, unless an override ends")
    func otherProviders() async throws {
        let bench = Bench()
        let bundle = FlagOverrideBundle([FlagOverrides.Entry(key: "attempts", value: 7)])
        let text = try FlagJSONWriter().text(of: bundle.encoded)
        try await bench.browser.perform(.importBundle(text, destination: "region"))
        #expect(bench.region.value(for: "attempts") == 7)
        let ending = FlagOverrideBundle([
            FlagOverrides.Entry(key: "attempts", value: 8, expires: Date(timeIntervalSinceReferenceDate: 9))
        ])
        let endingText = try FlagJSONWriter().text(of: ending.encoded)
        let error = await #expect(throws: FlagsBrowserError.self) {
            try await bench.browser.perform(.importBundle(endingText, destination: "region"))
        }
        #expect(error?.message.contains("ends at some time, which provider \"region\" cannot keep") == true)
        let export = try await bench.browser.perform(.exportBundle(destination: "region"))
        #expect(export.bundle?.contains("\"attempts\"") == true)
    }

    @Test("with a mistake imports nothing and says where it is")
    func mistakes() async throws {
        let bench = Bench()
        func failure(_ text: String) async -> FlagsBrowserError? {
            await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(.importBundle(text)) }
        }
        let broken = await failure("{\n  \"format\": tackline }")
        #expect(broken?.code == .unreadableBundle && broken?.line == 2 && broken?.column == 13)
        #expect(await failure("{}")?.message.contains("an object with format and overrides and version") == true)
        func bundle(_ overrides: String) -> String {
            #"{"format": "tackline-overrides", "version": 1, "overrides": [\#(overrides)]}"#
        }
        let wrong = await failure(bundle(#"{"key": "title", "value": "x"}, {"key": "attempts", "value": 300}"#))
        #expect(wrong?.code == .invalidValue && wrong?.key == "attempts")
        let sealed = await failure(
            bundle(#"{"key": "title", "value": "x"}, {"key": "secrets/is_sealed", "value": true}"#))
        #expect(sealed?.code == .locked && sealed?.message.hasPrefix("Nothing was imported.") == true)
        #expect(bench.overrides.overrides.isEmpty)
        let reply = try await bench.browser.perform(
            .importBundle(bundle(#"{"key": "unknown\u202e", "value": 1}, {"key": "title", "value": "x"}"#)))
        #expect(
            reply.message
                == #"Imported 1 override; passed over "unknown\u{202E}", which no flag here has as its key."#)
        #expect(bench.loader.title == "x")
    }

    @Test("is one write to overrides, and so is a reset of all: a program that is killed has all or none of it")
    func atOnce() async throws {
        let storage = CountedProvider()
        let overrides = FlagOverrides(storage: storage, environment: .nonProduction)
        let loader = FlagsLoader(
            BrowserFlags.self, environment: .nonProduction, providers: [overrides],
            issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let bundle = FlagOverrideBundle([
            .init(key: "title", value: "x", expires: Date(timeIntervalSinceReferenceDate: 4e9)),
            .init(key: "attempts", value: 7), .init(key: "shop", value: 1),
        ])
        let text = try FlagJSONWriter().text(of: bundle.encoded)
        let reply = try await browser.perform(.importBundle(text))
        #expect(storage.count == 1 && reply.flags.count == 3)
        #expect(loader.title == "x" && loader.attempts == 7 && loader.shop == 1)
        #expect(overrides.overrides.filter { $0.expires != nil }.map(\.key.text) == ["title"])
        _ = try await browser.perform(.resetAll())
        #expect(storage.count == 2 && overrides.overrides.isEmpty && loader.attempts == 3)
        _ = try await browser.perform(.undo())
        #expect(storage.count == 3 && loader.title == "x" && loader.attempts == 7 && loader.shop == 1)
        storage.isFull = true
        await #expect(throws: FlagsBrowserError.self) { try await browser.perform(.resetAll()) }
        #expect(loader.title == "x" && loader.attempts == 7 && loader.shop == 1)
    }

    @Test("that a provider takes only in part is taken back")
    func partial() async throws {
        enum Holder {
            struct Flags: FlagCollectionProtocol {
                @Flag(default: 0) var first: Int
                @Flag(default: 0) var second: Int
            }
        }
        let provider = FullProvider()
        let loader = FlagsLoader(Holder.Flags.self, providers: [provider], issueReporter: .silent)
        let browser = FlagsBrowser(loader)
        let bundle = FlagOverrideBundle([.init(key: "first", value: 1), .init(key: "second", value: 2)])
        let text = try FlagJSONWriter().text(of: bundle.encoded)
        let error = await #expect(throws: FlagsBrowserError.self) { try await browser.perform(.importBundle(text)) }
        #expect(error?.code == .writeFailed && error?.message.hasSuffix("Nothing was imported.") == true)
        #expect(loader.first == 0 && loader.second == 0 && browser.snapshot().undo == nil)
    }
}

/// Counts what is written, and may have no room.
private final class CountedProvider: WritableFlagProvider {
    private let memory = MemoryProvider()
    private let state = Mutex((count: 0, isFull: false))
    var count: Int { state.withLock { $0.count } }
    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        let isFull = state.withLock { state in
            state.count += 1
            return state.isFull
        }
        if isFull { throw FlagError(.inputOutput, provider: name, reason: "no room") }
        memory.setValue(value, for: key)
    }
}

/// Has no room for the key "second".
private final class FullProvider: WritableFlagProvider {
    private let memory = MemoryProvider()
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        if key == "second", value != nil { throw FlagError(.inputOutput, provider: name, reason: "no room") }
        memory.setValue(value, for: key)
    }
}
