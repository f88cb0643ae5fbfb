import TacklineBrowser
import TacklineCore
import Testing

@testable import TacklineTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The terminal's screen")
struct RobustnessTests {
    /// All keys that have an effect, and some that have none.
    static let keys: [TerminalKey] =
        "abcdefghijklmnopqrstuvwxyzGJKRX/?+- 0日".filter { $0 != "q" }.map { .character($0) } + [
            .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .lineFeed, .tab, .backTab, .escape,
            .backspace, .delete, .control("u"), .control("k"), .control("w"), .control("n"), .control("l"),
            .alternate("b"), .paste("x\u{1B}[2Jy\nz"), .oversizedPaste,
        ]

    @Test("is drawn in a window of any size, whatever is pressed")
    func anything() async throws {
        for seed in 0..<8 {
            var random = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
            func next(_ count: Int) -> Int {
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                return Int(random % UInt64(count))
            }
            var driver = try await TerminalDriver()
            for _ in 0..<100 {
                if next(4) == 0 { driver.state.size = TerminalSize(columns: 1 + next(130), rows: 1 + next(40)) }
                driver.drawing.glyphs = Glyphs(isUnicode: next(2) == 0)
                try await driver.press(Self.keys[next(Self.keys.count)])
                let canvas = driver.drawing.draw(&driver.state)
                #expect(canvas.size == driver.state.size, "\(seed)")
                #expect(canvas.lines.allSatisfy { CellWidth.of($0) <= canvas.size.columns }, "\(seed)")
                if let cursor = canvas.cursor {
                    #expect((0..<canvas.size.rows).contains(cursor.row), "\(seed)")
                    #expect((0..<canvas.size.columns).contains(cursor.column), "\(seed)")
                }
            }
        }
    }

    /// Text that a hostile server or file could contain.
    static let hostile = "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}\r\n\u{8}\u{0}日\u{301}"

    static func hostileSnapshot() -> FlagsBrowserSnapshot {
        let text = hostile
        let value = FlagsBrowserValue(kind: .string, text: text, input: text)
        let flag = FlagsBrowserFlag(
            id: text, section: text, group: text, name: text, key: text, property: text, description: text, type: text,
            control: .choice([FlagsBrowserOption(label: text, value: value)]), isOptional: true,
            metadata: FlagsBrowserMetadata(owner: text, expiryDate: .distantFuture, ticket: text, tags: [text]),
            declaredDefault: value, value: value, source: .provider(text), reason: text, variant: text,
            answers: [
                FlagsBrowserAnswer(
                    provider: text, outcome: .refused, value: value, refusal: text, variant: text, reason: text)
            ], scoped: value, computed: value, defaultValue: value, isPinned: true)
        let section = FlagsBrowserSection(
            id: text, title: text, description: text,
            // A cycle, which a correct browser never sends.
            groups: [FlagsBrowserGroup(id: text, parent: text, depth: 1 << 40, title: text, description: text)],
            providers: [FlagsBrowserProvider(id: text, status: text, isWritable: true)], defaultDestination: text)
        return FlagsBrowserSnapshot(
            title: text, environment: text, revision: 1, time: Date(timeIntervalSince1970: 1e300), sections: [section],
            flags: [flag],
            recentChanges: [
                FlagsBrowserChange(
                    id: 1, time: Date(timeIntervalSince1970: -1e300), flag: text, key: text, old: value, new: value,
                    source: .provider(text))
            ])
    }

    @Test("sends nothing raw of what flags, providers and messages contain")
    func hostileText() throws {
        for isUnicode in [true, false] {
            try hostileText(isUnicode: isUnicode)
        }
    }

    private func hostileText(isUnicode: Bool) throws {
        var state = BrowserState(
            size: TerminalSize(columns: 120, rows: 40), author: FlagsBrowserAuthor(id: "random"))
        _ = state.receive(.fetched(.success(Self.hostileSnapshot())))
        let drawing = BrowserDrawing(glyphs: Glyphs(isUnicode: isUnicode))
        let error = FlagsBrowserError(.invalidValue, Self.hostile)
        for key: TerminalKey in [
            .down, .character("e"), .escape, .character("f"), .escape, .character("c"), .escape, .character("d"),
            .escape, .character("R"), .escape, .character("/"), .paste(Self.hostile), .escape, .character("?"),
        ] {
            _ = state.take(key)
            for effect in state.screen.askForPreview() {
                guard case .preview(let request) = effect else { continue }
                _ = state.receive(.previewed(request, .failure(error)))
            }
            state.screen.notice = .init(.failure, Self.hostile)
            for columns in [10, 60, 120] {
                state.size.columns = columns
                let canvas = drawing.draw(&state)
                for line in canvas.lines {
                    let bad = line.unicodeScalars.filter {
                        $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                    }
                    #expect(bad.isEmpty)
                    #expect(isUnicode || line.utf8.allSatisfy { $0 < 0x80 })
                }
            }
        }
        let table = FlagsTable(Self.hostileSnapshot(), isUnicode: isUnicode).text
        #expect(table.split(separator: "\n").count == 2)
        #expect(!table.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    }

    @Test("takes 100 kB of pasted text into a field")
    func paste() async throws {
        var driver = try await TerminalDriver()
        try await driver.press(.down, .down, .down, .down, .character("e"), .control("u"))
        let text = String(repeating: "0123456789", count: 10_000)
        try await driver.press(.paste(text))
        #expect(driver.screen().contains { $0.hasSuffix("6789") })
        try await driver.press(.enter)
        #expect(driver.loader.greeting == text)
        // The text is too long for a snapshot, so the editor loads it.
        try await driver.press(.character("e"))
        guard case .edit(let editor) = driver.state.panel else {
            Issue.record("there is no editor")
            return
        }
        #expect(editor.text == text)
    }

    @Test("is the same table for the same flags, with a line for each")
    func table() async throws {
        let driver = try await TerminalDriver()
        let snapshot = try await driver.browser.snapshot()
        let table = FlagsTable(snapshot).text
        #expect(table == FlagsTable(snapshot).text)
        let lines = table.split(separator: "\n")
        #expect(lines.count == 9)
        #expect(lines[0].split(separator: " ") == ["SECTION", "KEY", "VALUE", "SOURCE", "REMARKS"])
        #expect(lines[1].split(separator: " ") == ["Shop", "new_checkout", "false", "default"])
        #expect(lines[7].hasSuffix("expired,locked"))
        #expect(FlagsTable(snapshot, filter: FlagsBrowserFilter(text: "risky")).text.split(separator: "\n").count == 2)
    }

    @Test("goes by what the environment says about the terminal")
    func abilities() {
        let cases: [([String: String], TerminalAbilities)] = [
            (["TERM": "xterm", "LANG": "en_US.UTF-8"], TerminalAbilities()),
            (["TERM": "xterm", "LANG": "C"], TerminalAbilities(isUnicode: false)),
            (["TERM": "xterm", "LC_ALL": "C", "LANG": "en_US.UTF-8"], TerminalAbilities(isUnicode: false)),
            (["TERM": "xterm", "NO_COLOR": "1", "LANG": "C.utf8"], TerminalAbilities(hasColor: false)),
            (["TERM": "xterm", "NO_COLOR": "", "LANG": "C.utf8"], TerminalAbilities()),
            (["TERM": "dumb", "LANG": "C.utf8"], TerminalAbilities(hasSequences: false, hasColor: false)),
            ([:], TerminalAbilities(hasSequences: false, hasColor: false, isUnicode: false)),
        ]
        for (environment, abilities) in cases {
            #expect(TerminalAbilities(environment: environment) == abilities, "\(environment)")
        }
    }
}
