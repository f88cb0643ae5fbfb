import Testing

@testable import TacklineTerminal

@Suite("The decoder of keys")
struct TerminalKeyDecoderTests {
    @Test("knows what terminals send")
    func keys() {
        let cases: [(String, [TerminalKey])] =
            [
                ("a", [.character("a")]), ("é", [.character("é")]), ("日", [.character("日")]), ("\r", [.enter]),
                ("\n", [.lineFeed]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{3}", [.control("c")]),
                ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[3~", [.delete]),
                ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[Z", [.backTab]), ("\u{1B}b", [.alternate("b")]),
                ("\u{1B}\r", [.alternate("\n")]), ("\u{1B}\u{7F}", [.alternate("\u{7F}")]),
            ]
        for (text, keys) in cases {
            var decoder = TerminalKeyDecoder()
            let result1 = decoder.consume(text.utf8)
            #expect(result1 == keys, "\(text)")
            #expect(!decoder.isWaiting, "\(text)")
        }
    }

    @Test("gives the same keys however the bytes are split")
    func splits() {
        let bytes = Array("a\u{1B}[A日\u{1B}[200~x\ny\u{1B}[201~\u{1B}[6~z".utf8)
        var whole = TerminalKeyDecoder()
        let expected = whole.consume(bytes)
        #expect(expected == [.character("a"), .up, .character("日"), .paste("x\ny"), .pageDown, .character("z")])
        for split in bytes.indices {
            var decoder = TerminalKeyDecoder()
            let keys = decoder.consume(bytes[..<split]) + decoder.consume(bytes[split...])
            #expect(keys == expected)
        }
    }

    @Test("takes an escape that nothing follows for the key")
    func loneEscape() {
        var decoder = TerminalKeyDecoder()
        let result2 = decoder.consume([0x1B])
        #expect(result2 == [])
        #expect(decoder.isWaiting)
        let result3 = decoder.flush()
        #expect(result3 == [.escape])
        let result4 = decoder.consume([0x61])
        #expect(result4 == [.character("a")])
    }

    @Test("skips what it does not know, whole")
    func unknown() {
        var decoder = TerminalKeyDecoder()
        let result5 = decoder.consume("\u{1B}[?1;2c\u{1B}[99~\u{1B}[<0;1;1Mx".utf8)
        #expect(result5.last == .character("x"))
        let long = "\u{1B}[" + String(repeating: "1;", count: 10_000)
        _ = decoder.consume(long.utf8)
        _ = decoder.flush()
        let result6 = decoder.consume("y".utf8)
        #expect(result6.last == .character("y"))
    }

    @Test("survives any bytes")
    func anyBytes() {
        for seed in 0..<20 {
            var state = UInt64(seed) &+ 88_172_645_463_325_252
            var decoder = TerminalKeyDecoder()
            for _ in 0..<2_000 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                _ = decoder.consume([state & 3 == 0 ? 0x1B : UInt8(truncatingIfNeeded: state >> 8)])
            }
            _ = decoder.consume("\u{1B}[201~".utf8)
            _ = decoder.flush()
            let result7 = decoder.consume("q".utf8)
            #expect(result7 == [.character("q")], "\(seed)")
        }
    }

    @Test("drops a paste beyond the limit and says so")
    func oversizedPaste() {
        var decoder = TerminalKeyDecoder()
        let result8 = decoder.consume("\u{1B}[200~".utf8)
        #expect(result8 == [])
        let part = [UInt8](repeating: 0x78, count: 1 << 16)
        for _ in 0..<20 {
            let result9 = decoder.consume(part)
            #expect(result9 == [])
        }
        let result10 = decoder.consume("\u{1B}[201~a".utf8)
        #expect(result10 == [.oversizedPaste, .character("a")])
    }
}

@Suite("The text editor")
struct TextEditorTests {
    @Test("inserts, moves and erases by characters as people see them")
    func editing() {
        var editor = TextEditor("日本")
        _ = editor.insert("e")
        _ = editor.insert("\u{301}")
        #expect(editor.characters.count == 3)
        _ = editor.take(.backspace)
        #expect(editor.text == "日本")
        _ = editor.take(.left)
        _ = editor.insert("x")
        #expect(editor.text == "日x本")
        _ = editor.take(.delete)
        #expect(editor.text == "日x")
        _ = editor.take(.control("u"))
        #expect(editor.text == "")
        _ = editor.take(.backspace)
        let isTaken = editor.take(.character("a"))
        #expect(!isTaken)
    }

    @Test("moves between lines and keeps the column")
    func lines() {
        var editor = TextEditor("one\ntwo three\nx")
        editor.moveLine(by: -1)
        #expect(editor.cursor == 5)
        _ = editor.take(.end)
        editor.moveLine(by: -1)
        #expect(editor.cursor == 3)
        editor.moveLine(by: -1)
        #expect(editor.cursor == 0)
    }

    @Test("refuses what would make the text too long, and stays as it was")
    func limit() {
        var editor = TextEditor("a")
        let fits = editor.insert(String(repeating: "x", count: TextEditor.limit))
        #expect(!fits)
        #expect(editor.text == "a")
        let isInserted = editor.insert(String(repeating: "x", count: 100_000))
        #expect(isInserted)
    }
}
