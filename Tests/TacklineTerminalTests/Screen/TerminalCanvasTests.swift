import Testing

@testable import TacklineTerminal

@Suite("The canvas")
struct TerminalCanvasTests {
    @Test("cuts what is drawn outside, and never half of a wide character")
    func clipping() {
        var canvas = TerminalCanvas(size: TerminalSize(columns: 5, rows: 2))
        canvas.put("日本語", row: 0, column: 0)
        canvas.put("x", row: 7, column: 0)
        canvas.put("x", row: 0, column: -1)
        #expect(canvas.lines == ["日本", ""])
        canvas.put("a", row: 0, column: 1)
        #expect(canvas.lines == [" a本", ""])
    }

    @Test("sends only what differs")
    func difference() {
        var encoder = TerminalEncoder(hasColor: true)
        var canvas = TerminalCanvas(size: TerminalSize(columns: 10, rows: 3))
        canvas.put("hello", row: 1, column: 0)
        let result1 = encoder.encode(canvas)
        #expect(result1.contains("hello"))
        let result2 = encoder.encode(canvas)
        #expect(result2 == "")
        canvas.put("p", row: 1, column: 3)
        let output = encoder.encode(canvas)
        #expect(output.contains("\u{1B}[2;4H"))
        #expect(!output.contains("hello"))
    }

    @Test("sends no colour where none is wanted")
    func colour() {
        var canvas = TerminalCanvas(size: TerminalSize(columns: 10, rows: 1))
        canvas.put("red", row: 0, column: 0, style: .color(.red, isBold: true))
        var coloured = TerminalEncoder(hasColor: true)
        var plain = TerminalEncoder(hasColor: false)
        let result3 = coloured.encode(canvas)
        #expect(result3.contains(";31m"))
        let output = plain.encode(canvas)
        #expect(!output.contains("31"))
        #expect(output.contains("\u{1B}[0;1m"))
    }
}
