import Foundation
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

private struct BoundedFlags: FlagCollectionProtocol {
    @Flag(default: 3, in: 1...10) var attempts: Int
    @Flag(default: 0.5, in: 0...1) var share: Double
    @Flag(default: .seconds(5), in: .zero ... .seconds(60)) var timeout: Duration
    @Flag(default: "list", among: ["list", "grid"]) var layout: String
    @Flag(default: "de", matching: /[a-z]{2}/) var language: String
    @Flag(default: 7) var free: Double
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
        #expect(try flag("attempts").control == .integer(minimum: 1, maximum: 10))
        #expect(try flag("share").control == .number(in: 0...1))
        #expect(try flag("timeout").control == .number(in: 0...60))
        #expect(try flag("layout").control.options.map(\.label) == ["list", "grid"])
        #expect(try flag("language").control == .text(.plain))
        #expect(try flag("free").control == .number(in: nil) && flag("free").rule == nil)
        #expect(try flag("attempts").rule == "a value from 1 to 10")
        #expect(try flag("language").rule == "a text that matches [a-z]{2}")
        let snapshot = browser.snapshot()
        let read = try FlagsBrowserJSON.read(FlagsBrowserSnapshot.self, from: FlagsBrowserJSON.text(of: snapshot))
        #expect(read.flags == snapshot.flags)
        for key in ["attempts", "share", "layout", "language", "free"] {
            let flag = try flag(key)
            let encoded = try flag.encodedForTest()
            #expect(encoded == flag, "\(key)")
        }
    }

    @Test("stops at the bounds when it steps or slides, and refuses a text outside")
    func drafts() async throws {
        var steps = FlagsBrowserDraft(try flag("attempts"))
        for _ in 0..<20 { steps.step(by: 1) }
        #expect(steps.text == "10")
        var slider = FlagsBrowserDraft(try flag("share"))
        slider.number = 0.30000000000000004
        #expect(slider.text == "0.3" && slider.number == 0.3)
        slider.number = 7
        #expect(slider.text == "1.0")
        slider.text = "much"
        #expect(slider.number == 0)
        for (key, text) in [
            ("attempts", "11"), ("share", "1.5"), ("timeout", "-1"), ("layout", "table"), ("language", "DE"),
        ] {
            let id = try flag(key).id
            await #expect(throws: FlagsBrowserError.self, "\(key)") {
                try await browser.perform(.set(flag: id, to: .text(text), destination: nil))
            }
        }
        #expect(memory.document == FlagDocument())
    }
}

extension FlagsBrowserFlag {
    /// Returns the flag as a user interface in another process has it.
    fileprivate func encodedForTest() throws -> FlagsBrowserFlag {
        try JSONDecoder().decode(FlagsBrowserFlag.self, from: JSONEncoder().encode(self))
    }
}
