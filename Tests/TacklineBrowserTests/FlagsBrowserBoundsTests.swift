import Foundation
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

private struct BoundedFlags: FlagCollectionProtocol {
    @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
    @Flag(default: 0.5, bounds: .range(0...1)) var share: Double
    @Flag(default: .seconds(5), bounds: .range(.zero ... .seconds(60))) var timeout: Duration
    @Flag(default: "list", bounds: .oneOf(["list", "grid"])) var layout: String
    @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String
    @Flag(default: 7) var free: Double
    @Flag(default: nil, bounds: .oneOf(["red", "blue"])) var color: String?
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

    @Test("stops at the bounds when it steps or slides, and refuses a text outside")
    func drafts() async throws {
        var steps = FlagsBrowserDraft(try flag("attempts"), destination: nil)
        for _ in 0..<20 { steps.step(by: 1) }
        #expect(steps.text == "10")
        var slider = FlagsBrowserDraft(try flag("share"), destination: nil)
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
                try await browser.perform(.set(flag: id, text: text))
            }
        }
        #expect(memory.document == FlagDocument())
    }
}
