import Foundation
import Synchronization
import TacklineBrowser
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

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
        #expect(snapshot.flags[0].value.isShortened && snapshot.flags[2].value.isShortened)
        #expect(snapshot.flags[1].value.encoded == values[1] && snapshot.flags[3].value.encoded == values[3])
        // What cannot be written as JSON is shortened, so a snapshot always can.
        let text = try FlagsBrowserJSON.text(of: snapshot)
        let back = try FlagsBrowserJSON.read(FlagsBrowserSnapshot.self, from: text)
        #expect(back.flags == snapshot.flags && back.providers == snapshot.providers)
        for flag in snapshot.flags {
            for command in [.undo(), .reset(flag: flag.id), .undo()] as [FlagsBrowserCommand] {
                if let message = (try? await browser.perform(command))?.message {
                    #expect(message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
                }
            }
        }
    }

    @Test("refuses texts that are too long or too deep, at once")
    func hostileInput() async throws {
        let bench = Bench()
        let tooLong = String(repeating: "x", count: FlagsBrowserValue.fullLimit + 1)
        let tooDeep = String(repeating: "[", count: 100_000)
        for (key, text) in [("title", tooLong), ("limits", tooDeep), ("attempts", tooLong)] {
            let error = await #expect(throws: FlagsBrowserError.self) {
                try await bench.browser.perform(.set(flag: "BrowserFlags:\(key)", to: .text(text)))
            }
            #expect(error?.code == .invalidValue && (error?.message.utf8.count ?? 0) < 2000)
        }
        let bundle = await #expect(throws: FlagsBrowserError.self) {
            try await bench.browser.perform(.importBundle(tooLong))
        }
        #expect(bundle?.code == .unreadableBundle)
        for id in ["", tooLong, "\u{202E}", "BrowserFlags:"] {
            let error = await #expect(throws: FlagsBrowserError.self) {
                try await bench.browser.perform(.reset(flag: id))
            }
            #expect(error?.code == .unknownFlag && (error?.message.utf8.count ?? 0) < 1000)
        }
        // As long as it may be, it comes back in full from where it is asked for.
        let longest = String(repeating: "x", count: FlagsBrowserValue.fullLimit)
        try await bench.browser.perform(.set(flag: "BrowserFlags:title", to: .text(longest)))
        #expect(bench.flag("title")?.value.isShortened == true)
        #expect(try bench.browser.flag(id: "BrowserFlags:title").value.encoded == .string(longest))
    }

    @Test("finds nothing wrong with searches of any text")
    func hostileSearches() {
        let snapshot = Bench().browser.snapshot()
        for text in [
            "\u{0}", String(repeating: "a ", count: 100_000), String(repeating: "\u{301}", count: 100_000), "\\",
        ] {
            #expect(snapshot.flags(matching: FlagsBrowserFilter(text: text)).count <= snapshot.flags.count)
        }
    }

    @Test("tells every face of a change, and frees faces and browser that are gone")
    func updates() async throws {
        var bench: Bench? = Bench()
        let isFreed = { [weak browser = bench?.browser] in browser == nil }
        let memory = try #require(bench?.remote.memory)
        var first = try #require(bench?.browser.updates().makeAsyncIterator())
        var second = try #require(bench?.browser.updates().makeAsyncIterator())
        _ = await (first.next(isolation: nil), second.next(isolation: nil))
        let before = try #require(bench?.browser.snapshot().revision)
        memory.setValue(true, for: "new_checkout")
        for face in 0..<2 {
            // A scope that another test opened raises the revision, too, also before the change.
            var revision = before
            while revision <= before {
                let newer = face == 0 ? await first.next(isolation: nil) : await second.next(isolation: nil)
                revision = try #require(newer)
            }
        }
        bench = nil
        // Whatever was on its way may still come; then the streams end.
        while await first.next(isolation: nil) != nil {}
        #expect(isFreed())
    }
}
